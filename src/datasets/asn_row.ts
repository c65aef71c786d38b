import type { AsnRow } from "./datasets.ts";

/** Longest name kept. */
const MAX_NAME = 200;

/** The value text of an AS: its number, a blank, its name made safe (no control characters, bounded). */
export function formatAsnRow(row: AsnRow): string {
  const name = row.name
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return `${row.asn} ${name}`;
}

/** Reads what {@link formatAsnRow} wrote. @throws RangeError when it is anything else. */
export function parseAsnRow(text: string): AsnRow {
  const blank = text.indexOf(" ");
  const digits = text.slice(0, Math.max(blank, 0));
  if (!/^[1-9][0-9]{0,9}$/.test(digits)) throw new RangeError(`Cannot read "${text}" as an AS`);
  return { asn: Number(digits), name: text.slice(blank + 1) };
}
