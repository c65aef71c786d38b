import type { Report } from "#report";

export type ListState = "listed" | "benign" | "unavailable" | "notListed";
type Entry = Report["blocklists"][number];

/** The lists by what they said: accusing, benign, not heard, not listed; document order within each. */
export function sortBlocklists(report: Report): Readonly<Record<ListState, readonly Entry[]>> {
  const sorted: Record<ListState, Entry[]> = { listed: [], benign: [], unavailable: [], notListed: [] };
  for (const entry of report.blocklists) sorted[stateOf(entry)].push(entry);
  return sorted;
}

function stateOf(entry: Entry): ListState {
  if (entry.unavailable) return "unavailable";
  if (!entry.listed) return "notListed";
  return entry.benign ? "benign" : "listed";
}
