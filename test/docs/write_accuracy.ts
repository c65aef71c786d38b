import { formatCount, methodTextsOf } from "#locale";
import { describeMethod } from "#scoring";
import { fillDocument, type Row } from "./fill_document.ts";

/** Writes the figures of the document on how often the verdicts are right. `/method` shows the same figures. */
export function writeAccuracy(): string {
  const texts = methodTextsOf("en");
  const { accuracy } = describeMethod([]);
  const { measured, sets, independent, shipped } = accuracy;
  const nameItem = (id: string) => texts.independentItems[id] ?? id;
  const tables = {
    independent: () =>
      independent.rows.map(({ id, ...row }) => [nameItem(id), formatCount(row.rows), row.tables, row.lists]),
    shipped: () => shipped.map(({ id, rows, ...row }) => [nameItem(id), formatCount(rows), row.tables]),
    rates: () => texts.measuredRows(measured),
  };
  return fillDocument("docs/accuracy.md", {
    ...tables,
    // `found TABLE ITEM`: the figures of an item as cells of another table.
    found: ({ options: [table, id = ""] }) => {
      const rows: readonly Row[] = tables[table as keyof typeof tables]();
      const row = rows.find(([item]) => item === nameItem(id));
      return (row ?? ["", `no figure ${id} in ${table}`]).slice(1).join(" | ");
    },
    measured: () => texts.independent(accuracy),
    own: () => texts.ownShipped(accuracy),
    outside: () => texts.ownMeasurement(accuracy),
    names: () => texts.hostNames(accuracy),
    calibration: () => texts.calibration(measured.calibrationError),
    sets: ({ told }) =>
      sets.map(({ id, rows, leftOut }) => {
        const set = `\`${id}\``;
        return [set, told(set)[1] ?? "", formatCount(rows), formatCount(leftOut)];
      }),
  });
}
