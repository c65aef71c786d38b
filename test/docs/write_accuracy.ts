import { formatCount, methodTextsOf } from "#locale";
import { describeMethod } from "#scoring";
import { fillDocument } from "./fill_document.ts";

/** Writes the figures of the document on how often the verdicts are right. `/method` shows the same figures. */
export function writeAccuracy(): string {
  const texts = methodTextsOf("en");
  const { accuracy } = describeMethod([]);
  const { measured, sets, independent, shipped } = accuracy;
  const nameItem = (id: string) => texts.independentItems[id] ?? id;
  return fillDocument("docs/accuracy.md", {
    measured: () => texts.independent(accuracy),
    independent: () =>
      independent.rows.map(({ id, ...row }) => [nameItem(id), formatCount(row.rows), row.tables, row.lists]),
    own: () => texts.ownShipped(accuracy),
    shipped: () => shipped.map(({ id, rows, tables }) => [nameItem(id), formatCount(rows), tables]),
    outside: () => texts.ownMeasurement(accuracy),
    rates: () => texts.measuredRows(measured),
    names: () => texts.hostNames(accuracy),
    calibration: () => texts.calibration(measured.calibrationError),
    sets: ({ told }) =>
      sets.map(({ id, rows, leftOut }) => {
        const set = `\`${id}\``;
        return [set, told(set)[1] ?? "", formatCount(rows), formatCount(leftOut)];
      }),
  });
}
