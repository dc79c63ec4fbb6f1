// The parts of a finding below its headline: code, shares, tree, validation.

const KEYWORDS = new Set(("alignas auto bool break case catch char class const constexpr continue " +
  "default delete do double else enum extern false float for goto if inline int long namespace new " +
  "nullptr operator private public return short signed sizeof static struct switch template this " +
  "throw true try typedef typename union unsigned using virtual void volatile while").split(" "));

// Enough of C++ to be easier on the eye; a comment over several lines is coloured only where it begins.
function highlighted(line) {
  const token = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|\t/g;
  const out = [];
  let from = 0;
  for (const match of line.matchAll(token)) {
    out.push(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1])
      out.push(h("span.cm", match[1]));
    else if (match[2])
      out.push(h("span.st", match[2]));
    else if (match[3] && KEYWORDS.has(match[3]))
      out.push(h("span.kw", match[3]));
    else
      out.push(match[0] === "\t" ? "    " : match[0]);
  }
  out.push(line.slice(from));
  return out;
}

function excerpt(finding) {
  const source = finding.excerpt;
  if (!source)
    return null;
  const rows = source.lines.map((line, i) => {
    const number = source.first_line + i;
    const guilty = number >= source.from && number <= source.to;
    return h("tr" + (guilty ? ".guilty" : "") + (number === source.from ? ".first" : ""),
      h("td", number), h("td", highlighted(line)));
  });
  if (source.cut)
    rows.push(h("tr.guilty", h("td", "\u22ee"),
      h("td.soft", "goes on to line " + source.to)));
  return h("div.source", { tabindex: 0, role: "region", "aria-label": "Source around the responsible region" },
    h("table", h("tbody", rows)));
}

function shareBar(share) {
  const width = known(share) ? Math.min(1, Math.abs(share)) * 64 : 0;
  const bar = h("span.bar");
  bar.style.width = width + "px";
  return [percent(share), " ", bar];
}

function twoSided(slow, fast, format, hasFast) {
  return [h("span.slow", format(slow)), hasFast ? [h("span.soft", " / "), h("span.fast", format(fast))] : null];
}

function growthOf(exponent) {
  return known(exponent) ? (Math.abs(exponent) < 0.05 ? "flat" : powers("n^" + exponent.toFixed(2))) : "n/a";
}

function regionsTable(finding) {
  const hasFast = finding.fast.points.length > 0;
  const both = hasFast ? ", slow / fast" : "";
  const columns = [["Region", "whole"], ["Per entry" + both, "num"], ["Grows as", "num"],
    ["Times entered", "num"], [hasFast ? "Share of gap" : "Share of cost", "num"]];
  return table(columns, finding.regions.map(region => [
    [h("code", region.function || "unnamed function"),
      h("span.place", (region.kind || "region") + " at " + placeText(region) +
        (region.line && region.end_line > region.line ? "\u2013" + region.end_line : ""))],
    [twoSided(region.per_entry.slow, region.per_entry.fast, short, hasFast),
      h("span.place", region.metric || "executions")],
    twoSided(region.exponent.slow, region.exponent.fast, growthOf, hasFast),
    twoSided(region.entries.slow, region.entries.fast, short, hasFast),
    shareBar(region.share)]), ".fold");
}

function codeSection(finding) {
  const top = finding.regions[0];
  if (!top)
    return section("Responsible code", finding.fast.points.length
      ? "No region stands out: the difference is spread over the program." : "No region stands out.");
  return section("Responsible code", powers(top.why), excerpt(finding), regionsTable(finding));
}

// rows: [label, value, class, low, high]; the scale is 0 to 1.
function bars(rows) {
  return h("div.bars", rows.map(([label, value, kind, low, high]) => {
    const fill = h("i" + (kind ? "." + kind : ""));
    fill.style.width = 100 * Math.min(1, Math.abs(value)) + "%";
    const track = h("span.track", fill);
    if (known(low) && known(high)) {
      const whisker = h("u");
      whisker.style.left = 100 * low + "%";
      whisker.style.width = 100 * (high - low) + "%";
      track.append(whisker);
    }
    return h("div.row", h("span", label), track, h("span.num", percent(value)));
  }));
}

function sharesSection(finding) {
  const top = finding.shares.slice(0, 8).filter(item => known(item.share));
  if (!top.length)
    return null;
  const rest = finding.shares.slice(8).reduce((sum, item) => sum + (known(item.share) ? item.share : 0), 0);
  const rows = top.map(item => [[h("code", item.function || "unnamed"),
    item.file ? h("span.soft.small", " " + placeText(item)) : null], item.share, item.share < 0 ? "fast" : ""]);
  if (finding.shares.length > 8)
    rows.push([finding.shares.length - 8 + " other functions", rest, "grey"]);
  return section("Where the extra cost is spent",
    "Each function\u2019s own work, without what it calls. The shares add up to the whole gap" +
    (rows.some(row => row[1] < 0) ? "; blue ones do more work on the fast side." : "."), bars(rows));
}

function leafBox(node) {
  const side = node.leaf;
  const total = node.rows.reduce((sum, rows) => sum + rows, 0);
  const stack = h("div.stack", ["fast", "slow"].map((name, i) => {
    const part = h("i." + name);
    part.style.flexGrow = node.rows[i] || 0;
    return node.rows[i] ? part : null;
  }));
  const counts = ["fast", "slow"].map((name, i) => node.rows[i] ? exact(node.rows[i]) + " " + name : null).filter(Boolean);
  return h("div.node.is-" + (side === "slow" ? "slow" : "fast"),
    h("p", h("b." + (side === "slow" ? "slow" : "fast"), side === "slow" ? "slow side" : "fast side")),
    h("p.soft.small", exact(total), total === 1 ? " run: " : " runs: ", counts.join(", ")), total ? stack : null);
}

// Children always follow their parent, which the depth bound here does not rely on.
function treeBox(nodes, index, depth) {
  const node = nodes[index];
  if (!node || depth > 32)
    return null;
  if (node.yes < 0 || node.no < 0)
    return leafBox(node);
  return h("div.node", h("p.ask", powers(node.condition), "?"),
    node.function ? h("p.soft.small", h("code", node.function), " ", placeText(node)) : null,
    h("div.branches", [["yes", node.yes], ["no", node.no]].map(([answer, child]) =>
      h("div", h("h4", answer), treeBox(nodes, child, depth + 1)))));
}

function treeSection(finding) {
  if (!finding.tree.nodes.length || !finding.validation.beats_baselines)
    return null;
  return section("What tells the two sides apart", finding.tree.over === "inputs"
    ? "Questions about the input, learned from the runs." : "Questions about what the program did, learned from the runs.",
  treeBox(finding.tree.nodes, 0, 0));
}

function validationSection(finding) {
  const v = finding.validation;
  const rows = [["classes it has never seen", v.held_out_classes, v.beats_baselines ? "good" : "grey", v.interval[0], v.interval[1]],
    ["random split of the runs", v.random_split, "grey"], ["always guessing the larger side", v.majority, "grey"],
    ["labels shuffled", v.permutation, "grey"]].filter(row => known(row[1]));
  const words = rows.length && known(v.held_out_classes) ? [
    "Asked about classes of inputs that were kept out while learning, the questions name the right side with ",
    percent(v.held_out_classes), " balanced accuracy",
    known(v.interval[0]) && known(v.interval[1])
      ? " (95\u00a0%: " + percent(v.interval[0]) + " to " + percent(v.interval[1]) + ")" : "", ", from ",
    exact(v.classes), " classes and ", exact(v.runs), " runs. ",
    v.beats_baselines ? "That beats guessing."
      : "That does not beat guessing, so no decision tree is shown as an explanation."]
    : [v.verdict ? v.verdict + " " : "", "The measured costs stand on their own."];
  return section("How far to believe it", words, rows.length ? bars(rows) : null);
}
