import { formatCount } from "#locale";
import { nameOf } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import type { MethodContext } from "./method_rules.ts";
import { renderCard, renderTable, renderWide } from "./parts.ts";

/** The figures that the page shows at once. The others are folded. */
const FIRST = ["hosting", "vpn", "vpn_outside", "tor", "proxy", "ordinary_exit", "ordinary_hosting"];

/** How right the verdicts are: independent figures, what cannot be measured, and the project's own measurement. */
export function renderAccuracy({ method: { accuracy }, texts }: MethodContext): Html {
  const { measured, independent, sets, shipped } = accuracy;
  const nameItem = (id: string) => nameOf(texts.independentItems, id);
  const renderIndependent = (isFirst: boolean) =>
    renderFigures(
      // Each table has a name of its own.
      `${texts.independent(accuracy)}${isFirst ? "" : ` · ${texts.more}`}`,
      [texts.measuredItem, texts.rows, texts.byTables, texts.byLists],
      independent.rows
        .filter(({ id }) => FIRST.includes(id) === isFirst)
        .map(({ id, rows, tables, lists }) => [nameItem(id), formatCount(rows), tables, lists]),
    );
  // The folded table has its interval.
  const vpn = measured.flags.find(({ id }) => id === "vpn")?.recall;
  const outside =
    vpn === undefined || vpn.of === 0
      ? []
      : [[nameItem("vpn_outside"), formatCount(vpn.of), `${Number((100 * vpn.share).toFixed(1))}%`]];
  return renderCard(
    texts.accuracyTitle,
    html`<p>${texts.accuracyLead}</p>
<ul class="hints">${texts.accuracyKey.map((text) => html`<li>${text}</li>\n`)}</ul>
${renderIndependent(true)}
${renderFigures(
  texts.ownShipped(accuracy),
  [texts.measuredItem, texts.rows, texts.byTables],
  shipped
    .map(({ id, rows, tables }) => [nameItem(id === "tor" ? "tor_shipped" : id), formatCount(rows), tables])
    .toSpliced(1, 0, ...outside),
  html`<p>${texts.ownShippedLead}</p>\n`,
)}
<p>${texts.notMeasurable}</p>
<details><summary>${texts.table}</summary>
<div class="inside">${renderIndependent(false)}
${renderFigures(
  texts.ownMeasurement(accuracy),
  [texts.measuredItem, texts.rows, texts.isTrue],
  texts.measuredRows(measured),
)}
<p>${texts.ownLead}</p>
<p>${texts.hostNames(accuracy)}</p>
<p>${texts.calibration(measured.calibrationError)}</p>
<p class="quiet">${texts.setsUsed} ${sets.map(({ id, rows, leftOut }) => `${id} ${formatCount(rows - leftOut)}/${formatCount(rows)}`).join(", ")}</p></div></details>`,
    { id: "accuracy" },
  );
}

/** Renders a table of figures under its title. `before` is what a reader must know first. */
function renderFigures(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  before?: Html,
): Html {
  return html`<h3>${title}</h3>
${before}${renderWide(title, renderTable({ caption: title, heads, rows, figuresFrom: 1 }))}`;
}
