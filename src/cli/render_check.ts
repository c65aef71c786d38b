import { CHECK_STATES, type Check, type CheckState } from "./check.ts";

const WORDS: Readonly<Record<CheckState, string>> = {
  ready: "ready",
  no_key: "no key",
  turned_off: "turned off",
  refused: "refused",
  dead_zone: "dead zone",
  no_quota: "no quota",
  error: "error",
};

/** Select Graphic Rendition of ECMA-48. */
const COLOURS: Readonly<Record<CheckState, number>> = {
  ready: 32,
  no_key: 90,
  turned_off: 90,
  refused: 31,
  dead_zone: 31,
  no_quota: 33,
  error: 31,
};

const HEADINGS = ["source", "kind", "state", "left", "time", "reason"] as const;

/** The table a person reads, with a line of sums below it. */
export function renderCheck(check: Check, options: { readonly colour: boolean }): string {
  const rows = check.sources.map(({ id, kind, state, left, ms, reason }) => ({
    cells: [
      id,
      kind,
      WORDS[state],
      left === undefined ? "" : String(left),
      state === "no_key" || state === "turned_off" ? "" : `${ms} ms`,
      reason ?? "",
    ],
    state,
  }));
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map(({ cells }) => (cells[at] ?? "").length)),
  );
  const lines = [
    alignRow(HEADINGS, widths),
    ...rows.map(({ cells, state }) => {
      const line = alignRow(cells, widths);
      return options.colour ? paint(line, COLOURS[state]) : line;
    }),
  ];
  const counts = CHECK_STATES.map((state) => {
    const count = check.sources.filter((source) => source.state === state).length;
    return count === 0 ? "" : `${count} ${WORDS[state]}`;
  });
  return `${lines.join("\n")}\n\n${counts.filter((text) => text !== "").join(", ")}\n`;
}

/** Numbers stand to the right. */
function alignRow(cells: readonly string[], widths: readonly number[]): string {
  const aligned = cells.map((cell, at) => {
    const isNumber = HEADINGS[at] === "left" || HEADINGS[at] === "time";
    const width = widths[at] ?? 0;
    return isNumber ? cell.padStart(width) : cell.padEnd(width);
  });
  return aligned.join("  ").trimEnd();
}

function paint(text: string, colour: number): string {
  return `\u001b[${colour}m${text}\u001b[0m`;
}
