import { rememberBy } from "#common";
import { COLOURS, displayWidth, sanitize } from "#render";
import { SCENARIOS, wordsOf } from "#report";
import type { BatchFacts, BatchItem, RowWriter } from "./rows.ts";

/** Width of an IPv4 address. Columns behind a longer IPv6 address move to the right. */
const ADDRESS_CELLS = 15;
const COUNT_CELLS = 8;
const MAX_INPUT_CELLS = 48;

/** The columns before the address. All are ASCII. */
const COLUMNS: readonly (readonly [name: string, cells: number, read: (facts: BatchFacts) => string])[] = [
  ["usage", 11, ({ usage }) => usage],
  ...SCENARIOS.map(
    (id) =>
      [
        id.slice(0, 3),
        3,
        ({ scenarios }: BatchFacts) => String(scenarios.find((one) => one.id === id)?.score ?? "-"),
      ] as const,
  ),
  ["cc", 2, ({ country }) => (country !== undefined && /^[A-Z]{2}$/.test(country) ? country : "-")],
];

const VERDICT_CELLS = 14;

/**
 * Creates the writer of a table for people: one line for each row, purity and band first, then the six use cases, the
 * country, the address, what it is, the AS, and the line of the input if it has more than the address. With low confidence
 * `?` follows the purity, and the band is `-`. Unknown text is sanitized, so that no line of an input controls the terminal.
 */
export function createTableWriter(hasCounts: boolean, isColoured: boolean): RowWriter {
  const countHead = hasCounts ? `${"count".padStart(COUNT_CELLS)}  ` : "";
  const names = COLUMNS.map(([name, cells]) => pad(name, cells)).join(" ");
  const title = `${countHead}${"purity".padEnd(VERDICT_CELLS)} ${names} ${"address".padEnd(ADDRESS_CELLS)} is`;
  const nothing = COLUMNS.map(([, cells]) => pad("-", cells)).join(" ");

  let hasThin = false;
  const beforeAddress = rememberBy((facts: BatchFacts) => {
    const isScored = facts.scenarios.some(({ level }) => level !== "not_applicable");
    const isThin = isScored && facts.confidence === "low";
    hasThin ||= isThin;
    const score = String(facts.purity).padStart(3);
    const known = isThin ? `${score}? -` : `${score} ${facts.band}`;
    const verdict = (isScored ? known : "  - -").padEnd(VERDICT_CELLS);
    const shown =
      !isColoured || isThin || !isScored
        ? verdict
        : `${COLOURS.before[facts.band]}${verdict}${COLOURS.after}`;
    return `${shown} ${COLUMNS.map(([, cells, read]) => pad(read(facts), cells)).join(" ")}`;
  });
  const behindAddress = rememberBy((facts: BatchFacts) => {
    const words = wordsOf(facts).filter((word) => word !== facts.usage);
    const network = facts.asn === undefined ? "" : ` AS${facts.asn}`;
    return `${words.join(",") || "-"}${network}`;
  });

  function start({ count }: BatchItem): string {
    return hasCounts ? `${String(count ?? "").padStart(COUNT_CELLS)}  ` : "";
  }

  return {
    head: `${isColoured ? `${COLOURS.before.strong}${title}${COLOURS.after}` : title}\n`,
    start,
    foot: () => (hasThin ? "? not enough data\n" : ""),
    row(item, result) {
      const address = (item.address?.text ?? "-").padEnd(ADDRESS_CELLS);
      if (typeof result === "string") {
        const verdict = `  - ${result}`.padEnd(VERDICT_CELLS);
        return `${start(item)}${verdict} ${nothing} ${address} -${inputOf(item)}\n`;
      }
      const { facts } = result;
      return `${start(item)}${beforeAddress(facts)} ${address} ${behindAddress(facts)}${inputOf(item)}\n`;
    },
  };
}

/** The line of the input, cut, if it says more than the address. */
function inputOf({ input, address, count }: BatchItem): string {
  if (count !== undefined || input === address?.text) return "";
  let text = "";
  let cells = 0;
  for (const character of sanitize(input.slice(0, MAX_INPUT_CELLS))) {
    cells += displayWidth(character);
    if (cells > MAX_INPUT_CELLS) break;
    text += character;
  }
  return `  ${text}`;
}

function pad(text: string, cells: number): string {
  return cells <= 3 ? text.padStart(cells) : text.padEnd(cells);
}
