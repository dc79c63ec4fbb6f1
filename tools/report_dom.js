// Elements and numbers. Data reaches the page only through these helpers, as text nodes and as the
// attributes named here; nothing parses markup.

const SVG = "http://www.w3.org/2000/svg";

// Control characters and direction overrides would let a name disguise itself; show them instead.
function clean(value) {
  return String(value).replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    c => "\\u{" + c.charCodeAt(0).toString(16).padStart(4, "0") + "}");
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false)
      continue;
    parent.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return parent;
}

// h("p.lead.small", child...): an HTML element with classes. h("td.num", {attribute: value}, ...).
function h(spec, ...rest) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (classes.length)
    element.className = classes.join(" ");
  if (rest.length && isAttributes(rest[0]))
    for (const [name, value] of Object.entries(rest.shift()))
      element.setAttribute(name, value);
  return add(element, rest);
}

function isAttributes(value) {
  return value !== null && typeof value === "object" && !(value instanceof Node) && !Array.isArray(value);
}

function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  return add(element, children);
}

function button(label, onClick) {
  const element = h("button", { type: "button" }, label);
  element.addEventListener("click", () => onClick(element));
  return element;
}

function copyButton(label, text) {
  return button(label, element => {
    const done = () => {
      element.textContent = "Copied";
      setTimeout(() => { element.textContent = label; }, 1500);
    };
    // Pages opened from a file may have no clipboard; then a selection does it.
    if (navigator.clipboard)
      navigator.clipboard.writeText(text).then(done, () => copyBySelection(text, done));
    else
      copyBySelection(text, done);
  });
}

function copyBySelection(text, done) {
  const area = h("textarea", { "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  if (document.execCommand("copy"))
    done();
  area.remove();
}

// "n^2" with the power raised; everything else as it is.
function powers(text) {
  const parts = [];
  let from = 0;
  for (const match of String(text).matchAll(/\b([n2])\^(\(([^()]*)\)|-?\d+(?:\.\d+)?|[np]\b)/g)) {
    parts.push(text.slice(from, match.index), match[1], h("sup", match[3] || match[2]));
    from = match.index + match[0].length;
  }
  parts.push(String(text).slice(from));
  return parts;
}

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function plain(value, digits) {
  return known(value) ? String(Number(value.toFixed(digits))) : "n/a";
}

// Three significant digits: 342, 48.2 M, 0.05.
function short(value) {
  if (!known(value))
    return "n/a";
  const size = Math.abs(value);
  if (size >= 1e18)
    return value.toExponential(2);
  for (const [from, unit, name] of [[1e15, 1e15, "P"], [1e12, 1e12, "T"], [1e9, 1e9, "G"],
    [1e6, 1e6, "M"], [1e4, 1e3, "k"]])
    if (size >= from)
      return plain(value / unit, value / unit >= 100 ? 0 : 1) + "\u00a0" + name;
  return plain(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function exact(value) {
  return known(value) ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : "n/a";
}

function percent(value) {
  if (!known(value))
    return "n/a";
  if (value > 0 && value < 0.0005)
    return "<0.1\u00a0%";
  return plain(100 * value, Math.abs(value) < 0.0995 ? 1 : 0) + "\u00a0%";
}

function times(value) {
  return known(value) ? (value < 9.95 ? plain(value, 1) : short(value)) + "\u00d7" : "n/a";
}

// 65536 bytes are 64 KiB; other units have no prefixes.
function sizeText(size, unit, bare) {
  if (unit === "bytes" && size > 0)
    for (const [step, name] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"]])
      if (size % step === 0)
        return size / step + "\u00a0" + name;
  return exact(size) + (bare ? "" : "\u00a0" + unit);
}

function section(title, lead, ...content) {
  return h("section", h("h3", title), lead ? h("p.lead", lead) : null, content);
}

// columns: [title, class]; rows: lists of cells (a cell is anything h() takes).
function table(columns, rows, classes) {
  const cell = (content, i) =>
    h("td" + (columns[i][1] ? "." + columns[i][1] : ""), { "data-label": columns[i][0] }, h("div", content));
  return h("div.scroll", h("table" + (classes || ""),
    h("thead", h("tr", columns.map(([title, kind]) =>
      h("th" + (kind ? "." + kind : ""), { scope: "col" }, title)))),
    h("tbody", rows.map(cells => h("tr", cells.map(cell))))));
}

function placeText(item) {
  return item.file ? item.file + (item.line ? ":" + item.line : "") : "no source position";
}
