// The growth of both sides on logarithmic axes: measured points, fitted curves, held-out rung, gap.

function shapeValue(model, n, power) {
  const log = Math.log2(Math.max(n, 1));
  switch (model) {
  case "constant": return 0;
  case "log n": return log;
  case "n": return n;
  case "n log n": return n * log;
  case "n^2": return n * n;
  case "n^3": return n * n * n;
  case "n^p": return n ** power;
  case "2^n": return 2 ** (power * n);
  default: return NaN;
  }
}

// The fitted cost at a size; NaN when there is no model.
function fitted(curve, n) {
  const [intercept, factor, power, linear = 0] = curve.coefficients;
  return curve.coefficients.length < 2
    ? NaN : intercept + linear * n + factor * shapeValue(curve.model, n, power);
}

function powerOfTen(value) {
  const names = ["", "k", "M", "G", "T", "P"];
  const exponent = Math.round(Math.log10(value));
  const name = names[Math.floor(exponent / 3)];
  return name === undefined ? "1e" + exponent : 10 ** (exponent % 3) + (name ? "\u00a0" + name : "");
}

// Powers of `base` in [low, high], thinned to at most `most`.
function ticks(low, high, base, most) {
  const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
  const last = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const out = [];
  for (let k = last; k >= first; k -= step)
    out.unshift(base ** k);
  return out;
}

function logScale(low, high, from, to) {
  const span = Math.log(high / low) || 1;
  return value => from + (to - from) * Math.log(value / low) / span;
}

// Extent of the data; a cost of 0 is drawn at 1, which a logarithmic axis can show.
function chartFrame(sides, width) {
  const points = sides.flatMap(side => side.curve.points).filter(p => p.size > 0);
  const sizes = points.map(p => p.size);
  const costs = points.map(p => Math.max(1, p.cost));
  const low = Math.min(...sizes), high = Math.max(...sizes);
  const bottom = Math.min(...costs) / 1.6, top = Math.max(...costs) * 2.2;
  const height = Math.round(Math.min(400, Math.max(280, width * 0.62)));
  const box = { left: 52, right: width - 18, top: 10, bottom: height - 46 };
  const pad = (high / low) ** 0.05 || 1;
  return { width, height, box, low, high, bottom, top,
    x: logScale(low / (low === high ? 2 : pad), high * (low === high ? 2 : pad), box.left, box.right),
    y: logScale(bottom, top, box.bottom, box.top) };
}

function drawAxes(frame, unit, costUnit) {
  const { box, x, y } = frame;
  const out = [];
  for (const value of ticks(frame.bottom, frame.top, 10, 7)) {
    out.push(s("line", { class: "grid", x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
    out.push(s("text", { x: box.left - 8, y: y(value) + 4, "text-anchor": "end" }, powerOfTen(value)));
  }
  for (const value of ticks(frame.low, frame.high, 2, Math.max(3, Math.floor(frame.width / 85)))) {
    out.push(s("line", { class: "axis", x1: x(value), x2: x(value), y1: box.bottom, y2: box.bottom + 5 }));
    out.push(s("text", { x: x(value), y: box.bottom + 19, "text-anchor": "middle" },
      sizeText(value, unit, true)));
  }
  out.push(s("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  out.push(s("text", { x: (box.left + box.right) / 2, y: frame.height - 6, "text-anchor": "middle" },
    unit === "bytes" ? "size of the input" : "size (" + unit + ")"));
  out.push(s("text", { x: box.left + 6, y: box.top + 8 }, "cost (" + costUnit + ")"));
  return out;
}

// Solid where it was fitted, dotted from there to the held-out rung.
function drawCurve(frame, side) {
  const fit = side.curve.points.filter(p => !p.held_out && p.size > 0).map(p => p.size);
  if (!fit.length)
    return [];
  const end = Math.max(...side.curve.points.map(p => p.size));
  const path = (from, to) => {
    const parts = [];
    for (let i = 0; i <= 64; ++i) {
      const n = from * (to / from) ** (i / 64);
      const cost = fitted(side.curve, n);
      if (known(cost) && cost >= frame.bottom && cost <= frame.top)
        parts.push((parts.length ? "L" : "M") + frame.x(n).toFixed(1) + " " + frame.y(cost).toFixed(1));
    }
    return parts.join("");
  };
  const low = Math.min(...fit), high = Math.max(...fit);
  const out = [s("path", { class: "fit " + side.mark, d: path(low, high) })];
  if (end > high)
    out.push(s("path", { class: "fit beyond " + side.mark, d: path(high, end) }));
  return out;
}

function pointTitle(point, side, unit) {
  return side.name + ", " + sizeText(point.size, unit) + ": " + (point.censored ? "more than " : "") +
    exact(point.cost) + (point.held_out ? " (held out)" : "");
}

// Slow is round and fast is square, so that colour is not needed; censored points are arrows up.
function drawPoints(frame, side, unit) {
  return side.curve.points.filter(p => p.size > 0).map(point => {
    const x = frame.x(point.size), y = frame.y(Math.max(1, point.cost));
    const kind = "dot " + side.mark + (point.held_out || point.censored ? " open" : "");
    const title = s("title", {}, pointTitle(point, side, unit));
    if (point.censored)
      return s("path", { class: kind, d: `M${x - 5} ${y + 3}L${x} ${y - 6}L${x + 5} ${y + 3}Z` }, title);
    if (side.mark === "s")
      return s("circle", { class: kind, cx: x, cy: y, r: 4.5 }, title);
    return s("rect", { class: kind, x: x - 4, y: y - 4, width: 8, height: 8, rx: 1 }, title);
  });
}

function drawHeldOut(frame, sides) {
  const held = sides.flatMap(side => side.curve.points).filter(p => p.held_out && p.size > 0);
  if (!held.length)
    return [];
  const x = frame.x(Math.max(...held.map(p => p.size)));
  const { box } = frame;
  return [s("rect", { class: "held", x: x - 15, y: box.top, width: 30, height: box.bottom - box.top, rx: 4 }),
    s("text", { x: x + 11, y: box.bottom - 8, "text-anchor": "end" }, "held out")];
}

function costAt(curve, size) {
  const point = curve.points.find(p => p.size === size);
  return point ? Math.max(1, point.cost) : NaN;
}

function drawGap(frame, finding) {
  const { ratio, size } = finding.gap;
  const slow = costAt(finding.slow, size), fast = costAt(finding.fast, size);
  if (!known(slow) || !known(fast) || !known(ratio))
    return [];
  const x = frame.x(size), top = frame.y(slow) + 9, bottom = frame.y(fast) - 9;
  if (bottom - top < 14)
    return [];
  return [s("line", { class: "gap", x1: x, x2: x, y1: top, y2: bottom }),
    s("text", { class: "label gap", x: x - 9, y: (top + bottom) / 2 + 5, "text-anchor": "end" },
      times(ratio))];
}

// Next to the curve a third of the way from its left end: outside of the space between the two.
function drawLabels(frame, sides) {
  return sides.map(side => {
    const points = side.curve.points.filter(p => p.size > 0);
    if (!points.length)
      return null;
    const upper = side.mark === "s";
    const point = points[Math.floor((points.length - 1) * (upper ? 0.55 : 0.6))];
    const x = frame.x(point.size), y = frame.y(Math.max(1, point.cost));
    return s("text", { class: "label " + side.mark, x: upper ? x - 12 : x + 6, y: upper ? y - 8 : y + 24,
      "text-anchor": upper ? "end" : "start" }, side.name + " side" +
      (side.curve.model && side.curve.model !== "unknown" ? ": " + raised(side.curve.model) : ""));
  });
}

// SVG text has no <sup>; the few powers that models have exist as characters.
function raised(model) {
  return model.replace("^2", "\u00b2").replace("^3", "\u00b3").replace("^p", "\u1d56").replace("^n", "\u207f");
}

function drawChart(figure, finding, data) {
  const sides = [{ name: "fast", mark: "f", curve: finding.fast },
    { name: "slow", mark: "s", curve: finding.slow }];
  const width = Math.max(280, figure.clientWidth || 640);
  const frame = chartFrame(sides, width);
  const label = "Cost over size, both axes logarithmic; the numbers are in the table.";
  figure.replaceChildren(s("svg", { viewBox: `0 0 ${width} ${frame.height}`, role: "img", "aria-label": label },
    drawHeldOut(frame, sides), drawAxes(frame, data.size_unit, data.cost_unit),
    sides.map(side => drawCurve(frame, side)), drawGap(frame, finding),
    sides.map(side => drawPoints(frame, side, data.size_unit)), drawLabels(frame, sides)));
}

// Drawn at the width it has, and again when that changes: text keeps its size on small windows.
function chart(finding, data) {
  const figure = h("figure.chart");
  const sizes = [...finding.slow.points, ...finding.fast.points].map(p => p.size).filter(n => n > 0);
  if (new Set(sizes).size < 2)
    return null;
  let drawn = 0;
  // Not inside the observer: drawing changes the height, which it would have to report again.
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (Math.abs(figure.clientWidth - drawn) < 2)
      return;
    drawn = figure.clientWidth;
    drawChart(figure, finding, data);
  })).observe(figure);
  return figure;
}
