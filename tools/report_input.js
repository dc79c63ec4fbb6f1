// Inputs: the pump pattern, and two inputs of the same size side by side.

function decode(base64) {
  return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

function hex(value, digits) {
  return value.toString(16).padStart(digits, "0");
}

function escapedByte(byte, quoteToo) {
  const named = { 9: "\\t", 10: "\\n", 13: "\\r", 34: "\\\"", 92: "\\\\" }[byte];
  if (named)
    return named;
  return byte < 32 || byte > 126 || (quoteToo && byte === 39) ? "\\x" + hex(byte, 2) : String.fromCharCode(byte);
}

function escaped(bytes, quoteToo) {
  return Array.from(bytes, byte => escapedByte(byte, quoteToo)).join("");
}

// [bytes, repeated, at] of the parts that are there; at: where the changing element i stands, or -1.
function patternParts(pattern) {
  return [["prefix", false, -1], ["pump", true, pattern.at], ["middle", false, -1],
    ["pump2", true, pattern.at2], ["suffix", false, -1]]
    .map(([name, repeated, at]) => [decode(pattern[name]), repeated, at])
    .filter(([bytes, , at]) => bytes.length || at >= 0);
}

// "ab", or ("a" i "b") with a changing element.
function partText([bytes, , at]) {
  const quoted = some => '"' + escaped(some) + '"';
  if (at < 0)
    return quoted(bytes);
  const pieces = [at > 0 ? quoted(bytes.slice(0, at)) : "", "i", at < bytes.length ? quoted(bytes.slice(at)) : ""];
  return "(" + pieces.filter(piece => piece).join(" ") + ")";
}

function patternText(parts) {
  return parts.map(part => partText(part) + (part[1] ? " x k" : "")).join(" + ");
}

// A command that writes the input at (about) a size. Single quotes are escaped inside the bytes, so
// that nothing in a pattern can end the shell word.
function patternCommand(parts, size) {
  const length = wanted => parts.filter(p => p[1] === wanted).reduce((sum, p) => sum + p[0].length, 0);
  const k = Math.max(1, Math.round((size - length(false)) / Math.max(1, length(true))));
  const text = parts.map(([bytes, repeated]) =>
    'b"' + escaped(bytes, true) + '"' + (repeated ? " * " + k : "")).join(" + ");
  return "python3 -c 'import sys; sys.stdout.buffer.write(" + (text || 'b""') + ")' > input.bin";
}

function patternRow(title, side, pattern, size) {
  const parts = patternParts(pattern);
  const shown = parts.map((part, i) => [i ? h("span.soft", " + ") : null,
    h("span" + (part[1] ? ".pump." + side : ""), partText(part)),
    part[1] ? h("span.soft", " \u00d7 k") : null]);
  const where = pattern.sequence ? " with i = " + pattern.sequence : "";
  return [h("span." + side, title), h("div.text", shown.length ? shown : '""', h("span.soft", where)),
    h("div.buttons", copyButton("Copy", patternText(parts) + where),
      where ? null : copyButton("Copy command", patternCommand(parts, size)))];
}

function patterns(finding) {
  if (!finding.pattern && !finding.fast_pattern)
    return null;
  const size = finding.gap.size || finding.pair.size;
  return h("div.pattern",
    finding.pattern ? patternRow("Slow", "slow", finding.pattern, size) : null,
    finding.fast_pattern ? patternRow("Fast", "fast", finding.fast_pattern, size) : null);
}

// One side of a row as a few spans: neighbours of one look share a span.
function byteSpans(bytes, other, from, count, asHex) {
  const out = [];
  let look = null, text = "";
  const flush = () => { if (text) out.push(look ? h("span." + look, text) : text); text = ""; };
  for (let i = from; i < Math.min(from + count, bytes.length); ++i) {
    const odd = bytes[i] < 32 || bytes[i] > 126;
    const glyph = asHex ? hex(bytes[i], 2) : bytes[i] === 10 ? "\u21b5" : bytes[i] === 9 ? "\u2192"
      : odd ? "\u00b7" : String.fromCharCode(bytes[i]);
    const next = [odd && !asHex ? "odd" : "", bytes[i] !== other[i] ? "d" : ""].filter(Boolean).join(".");
    if (next !== look)
      flush();
    look = next;
    text += glyph + (asHex && i + 1 < from + count ? " " : "");
  }
  flush();
  return out;
}

// The longest multiple of the pump that fits, so that repetitions stand below each other.
function rowLength(finding, most) {
  const pump = finding.pattern ? decode(finding.pattern.pump).length : 0;
  return pump > 0 && pump <= most ? most - most % pump : most;
}

function pairRows(slow, fast, count, asHex) {
  const rows = [];
  const end = Math.max(slow.length, fast.length);
  const key = at => slow.subarray(at, at + count) + "|" + fast.subarray(at, at + count);
  let previous = null, skipped = 0;
  for (let at = 0; at < end; at += count) {
    const same = key(at) === previous && at + count < end;
    if (same) { ++skipped; continue; }
    if (skipped)
      rows.push(h("tr.again", h("td"), h("td", { colspan: 2 },
        skipped === 1 ? "one more line like this" : exact(skipped) + " more lines like this")));
    skipped = 0;
    previous = key(at);
    rows.push(h("tr", h("td", hex(at, 4)), h("td", byteSpans(slow, fast, at, count, asHex)),
      h("td.f", byteSpans(fast, slow, at, count, asHex))));
  }
  return rows;
}

// Mostly printable inputs are read as text first; the buttons switch.
function pairView(finding) {
  const slow = decode(finding.pair.slow_bytes), fast = decode(finding.pair.fast_bytes);
  const narrow = window.matchMedia("(max-width: 700px)");
  const binary = [...slow, ...fast].filter(b => (b < 32 && b !== 9 && b !== 10) || b > 126).length;
  let asHex = binary * 3 > slow.length + fast.length;
  const box = h("div.pair", { tabindex: 0, role: "region", "aria-label": "The two inputs side by side" });
  const buttons = [["Text", false], ["Hex", true]].map(([label, value]) =>
    button(label, () => { asHex = value; draw(); }));
  const draw = () => {
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(asHex === (i === 1))));
    const most = (asHex ? 16 : 48) / (narrow.matches ? (asHex ? 4 : 3) : 1);
    box.replaceChildren(h("table",
      h("thead", h("tr", h("th", "offset"), h("th.slow", "slow"), h("th.fast", "fast"))),
      h("tbody", pairRows(slow, fast, rowLength(finding, most), asHex))));
  };
  narrow.addEventListener("change", draw);
  draw();
  return [h("div.buttons", buttons), box];
}

function pairSection(finding, data) {
  const pair = finding.pair;
  if (!pair.slow_bytes && !pair.slow)
    return null;
  const [buttons, box] = pairView(finding);
  const shown = Math.min(pair.size, decode(pair.slow_bytes).length);
  return [h("div.pair-head",
    h("div", h("p", "Both inputs have ", sizeText(pair.size, data.size_unit), ": one costs ",
      h("b.slow", short(pair.slow_cost)), ", the other ", h("b.fast", short(pair.fast_cost)), ". ",
      pair.confirmed ? h("span.tag.good", "confirmed by running both again")
        : h("span.tag", "not confirmed by a second run")),
    h("p.soft.small", pair.slow ? [h("code", pair.slow), " and ", h("code", pair.fast), ". "] : null,
      "Marked bytes differ",
      data.size_unit === "bytes" && shown < pair.size ? "; the first " + exact(shown) + " bytes are shown." : ".")),
    buttons), box];
}
