import { formatCount, methodTextsOf } from "#locale";
import type { Rate, Share } from "#report";
import { describeMethod } from "#scoring";

/** Writes the document on how often the verdicts are right, from the figures that `/method` shows. */
export function writeAccuracy(): string {
  const texts = methodTextsOf("en");
  const { accuracy } = describeMethod([]);
  const { measured, sets, independent, shipped } = accuracy;
  const rates = [...measured.flags, ...measured.types].filter(
    ({ recall, alarms }) => recall.of + alarms.of > 0,
  );
  const cells = ({ id, recall, precision, alarms }: Rate) => [
    id,
    tell(recall),
    tell(precision),
    tell(alarms),
  ];
  return `# ${texts.accuracyTitle}

${texts.accuracyLead}

${texts.notMeasurable}

\`limpid evaluate FILE\` prints the same figures for your own addresses: lines of an address or prefix, a tab, and its truth,
such as \`tor\`, \`vpn,hosting\`, \`residential\`, \`listed\` or \`clean\`. With \`--stored\` it judges by the stored reports.

## ${texts.independent(accuracy)}

${table(
  [texts.measuredItem, texts.rows, texts.byTables, texts.byLists],
  independent.rows.map(({ id, rows, tables, lists }) => [
    texts.independentItems[id] ?? id,
    formatCount(rows),
    tables,
    lists,
  ]),
)}

## ${texts.ownShipped(accuracy)}

${texts.ownShippedLead}

${table(
  [texts.measuredItem, texts.rows, texts.byTables],
  shipped.map(({ id, rows, tables }) => [texts.independentItems[id] ?? id, formatCount(rows), tables]),
)}

## ${texts.ownMeasurement(accuracy)}

${texts.ownLead}

${table([texts.measuredItem, texts.found, texts.rightWhenSaid, texts.falseAlarms], rates.map(cells))}

${table(
  [texts.measuredItem, texts.isTrue],
  [
    ...measured.bands.map(({ band, bad }) => [texts.bandIsBad(band), tell(bad)]),
    ...measured.agreement.map(({ sources, right }) => [texts.sourcesAgree(sources), tell(right)]),
  ],
)}

${texts.hostNames(accuracy)}

${texts.calibration(measured.calibrationError)}

${table(
  ["Set", texts.rows, "Left out"],
  sets.map(({ id, rows, leftOut }) => [id, formatCount(rows), formatCount(leftOut)]),
)}
`;
}

function tell({ of, share, low, high }: Share): string {
  const percent = (value: number) => (100 * value).toFixed(1);
  return of === 0 ? "–" : `${percent(share)}% (${percent(low)}–${percent(high)}) of ${formatCount(of)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
