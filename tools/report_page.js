// Puts the page together: head, one card per finding, clusters, reproduction, notes.

const KINDS = { differential: "differential cost", superlinear: "superlinear cost", timeout: "over the cost budget",
  outlier: "dear input" };

function interval(curve) {
  const [low, high] = curve.interval;
  return known(low) && known(high) ? " (95\u00a0%: " + low.toFixed(2) + " to " + high.toFixed(2) + ")" : "";
}

function curveFact(title, side, curve, data) {
  if (!curve.points.length)
    return null;
  const top = curve.points[curve.points.length - 1];
  if (!curve.model || curve.model === "unknown")
    return h("div.is-" + side, h("dt", title), h("dd.big", top.censored ? ">\u2009" : "", short(top.cost)),
      h("dd", "cost at ", sizeText(top.size, data.size_unit), "; too few sizes for a model"));
  return h("div.is-" + side, h("dt", title), h("dd.big", powers(curve.model)),
    known(curve.exponent) ? h("dd", "exponent ", curve.exponent.toFixed(2), interval(curve)) : null);
}

function facts(finding, data) {
  const gap = finding.gap, top = finding.regions[0];
  return h("dl.facts",
    finding.fast.points.length ? h("div.wide", h("dt", "Gap"), h("dd.big", times(gap.ratio)),
      h("dd", "at ", sizeText(gap.size, data.size_unit),
        known(gap.growth) ? [", growing as ", powers("n^" + gap.growth.toFixed(2))] : null)) : null,
    curveFact("Slow side", "slow", finding.slow, data),
    curveFact("Fast side", "fast", finding.fast, data),
    top ? h("div.wide", h("dt", "Responsible"), h("dd.name", top.function || "unnamed function"),
      h("dd", (top.kind || "region") + " at " + placeText(top))) : null);
}

function fitLine(name, side, curve) {
  if (!curve.points.length)
    return null;
  return h("li", h("b." + side, name), curve.formula ? [": cost(n) = ", powers(curve.formula)] : ": no model",
    h("span.soft", known(curve.heldout_error)
      ? "; predicts the held-out size within " + percent(curve.heldout_error) : "; no size was held out"));
}

function ladder(finding, data) {
  const sizes = [...new Set([...finding.slow.points, ...finding.fast.points].map(p => p.size))].sort((a, b) => a - b);
  const at = (curve, size) => curve.points.find(p => p.size === size);
  const cost = point => point ? (point.censored ? ">\u2009" : "") + exact(point.cost) : "\u2013";
  const hasFast = finding.fast.points.length > 0;
  const rows = sizes.map(size => {
    const slow = at(finding.slow, size), fast = at(finding.fast, size);
    const held = (slow && slow.held_out) || (fast && fast.held_out);
    const ratio = slow && fast && fast.cost ? (slow.censored ? ">\u2009" : "") + times(slow.cost / fast.cost) : "\u2013";
    return [[held ? [h("span.tag", "held out"), " "] : null, sizeText(size, data.size_unit, true)],
      h("span.slow", cost(slow)), ...(hasFast ? [h("span.fast", cost(fast)), ratio] : [])];
  });
  const columns = [["Size", "num"], ["Slow cost", "num"], ...(hasFast ? [["Fast cost", "num"], ["Ratio", "num"]] : [])];
  const censored = [...finding.slow.points, ...finding.fast.points].some(p => p.censored);
  return h("div", table(columns, rows),
    censored ? h("p.soft.small", "> stopped at the cost budget: a lower bound.") : null);
}

function growthSection(finding, data) {
  const drawing = chart(finding, data);
  if (!drawing)
    return section("Cost", null, ladder(finding, data));
  return section("Growth", null, h("div.growth",
    h("div", drawing, h("ul.fits", fitLine("Slow", "slow", finding.slow),
      fitLine("Fast", "fast", finding.fast))), ladder(finding, data)));
}

function inputsSection(finding, data) {
  const pattern = patterns(finding), pair = pairSection(finding, data);
  if (!pattern && !pair)
    return null;
  return section("Inputs", pattern
    ? "The marked part is repeated; the more often, the larger the input." : null, pattern, pair);
}

function findingCard(finding, index, all) {
  const data = finding.size_unit ? { ...all, size_unit: finding.size_unit } : all;
  const many = data.findings.length > 1;
  return h("article.card", { id: "finding-" + (index + 1), "aria-labelledby": "title-" + (index + 1) },
    h("p.eyebrow", h("span", many ? "Finding " + (index + 1) + " of " + data.findings.length : "Finding"),
      h("span", KINDS[finding.kind] || finding.kind), h("code", finding.id)),
    h("h2", { id: "title-" + (index + 1) }, powers(finding.message)), facts(finding, data),
    growthSection(finding, data), codeSection(finding), inputsSection(finding, data),
    sharesSection(finding), treeSection(finding), validationSection(finding));
}

function pageHead(data) {
  const count = data.findings.length;
  const runs = data.clusters.reduce((sum, cluster) => sum + cluster.runs, 0);
  return [h("header.top", h("span.brand", "Perfidy"), h("h1", data.target || "target"),
    h("p", count === 0 ? "nothing found" : count === 1 ? "1 finding" : count + " findings",
      runs ? " in " + exact(runs) + " runs" : null)),
  count < 2 ? null : h("nav", { "aria-label": "Findings" }, h("ol.contents.card",
    data.findings.map((finding, i) => h("li", h("a", { href: "#finding-" + (i + 1) },
      h("b", finding.fast.points.length ? times(finding.gap.ratio) : "\u2013"), h("span", powers(finding.message)))))))];
}

function clustersCard(data) {
  if (!data.clusters.length)
    return null;
  const columns = [["Cluster", ""], ["Classes", "num"], ["Runs", "num"], ["Model", "num"], ["Exponent", "num"],
    ["Cost at largest common size", "num"]];
  return h("article.card", h("h2", "Clusters"),
    h("p.lead", "Classes of inputs whose cost functions cannot be told apart, cheapest first."),
    table(columns, data.clusters.map(c => [h("b", c.name), exact(c.classes), exact(c.runs), powers(c.model),
      known(c.exponent) ? c.exponent.toFixed(2) : "n/a", [short(c.cost_at_top), h("span.soft", " at ", sizeText(c.top_size, data.size_unit))]]), ".fold"));
}

function endCards(data) {
  const commands = data.reproduce.map(clean).join("\n");
  const lines = h("pre.commands", { tabindex: 0 });
  lines.textContent = commands;
  const stats = Object.entries(data.stats);
  return [commands ? h("article.card", h("h2", "Reproduce"), lines, h("div.buttons", copyButton("Copy", commands))) : null,
    clustersCard(data),
    data.notes.length || stats.length ? h("article.card", h("h2", "Notes"),
      h("ul.notes", data.notes.map(note => h("li", note))),
      stats.length ? h("p.stats", stats.map(([name, value]) =>
        h("span", name + ": " + (known(value) && value % 1 ? short(value) : exact(value))))) : null) : null];
}

function nothingFound(data) {
  return h("article.card", h("h2", "No differential performance bug found"),
    h("p.lead", "Inputs of the same size cost about the same in all runs seen."));
}

const data = JSON.parse(document.getElementById("data").textContent);
add(document.getElementById("page"), [pageHead(data),
  h("main", data.findings.length ? data.findings.map((f, i) => findingCard(f, i, data)) : nothingFound(data),
    endCards(data))]);
