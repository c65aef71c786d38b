import type { ReportTexts } from "#locale";
import type { Report } from "#report";

type Source = Report["sources"][number];
type Blocklist = Report["blocklists"][number];

/** What a source did. */
export type SourceOutcome = "answered" | "foundNothing" | "failed" | "skipped";

/** Sources with the same outcome and the same fact, such as the reason of a failure, in document order. */
export interface SourceGroup {
  readonly outcome: SourceOutcome;
  readonly fact: string;
  readonly sources: readonly Source[];
}

const OUTCOMES: readonly SourceOutcome[] = ["answered", "foundNothing", "failed", "skipped"];

/** What a blocklist said: lists the address as abusive, lists it as harmless, did not answer, does not list it. */
export const LIST_STATES = ["listed", "benign", "unavailable", "notListed"] as const;
export type ListState = (typeof LIST_STATES)[number];

/**
 * Groups the sources by outcome and fact; groups without a fact come first. Every source is in exactly one group, so
 * that a report with a hundred sources is short and still names each of them.
 */
export function groupSources(report: Report, texts: ReportTexts): readonly SourceGroup[] {
  const found = new Map<SourceOutcome, Map<string, Source[]>>();
  for (const source of report.sources) {
    const [outcome, fact] = outcomeOf(source, texts);
    let facts = found.get(outcome);
    if (facts === undefined) {
      facts = new Map();
      found.set(outcome, facts);
    }
    const group = facts.get(fact);
    if (group === undefined) facts.set(fact, [source]);
    else group.push(source);
  }
  return OUTCOMES.flatMap((outcome) =>
    [...(found.get(outcome) ?? [])]
      .map(([fact, sources]): SourceGroup => ({ outcome, fact, sources }))
      .sort((one, other) => Number(one.fact !== "") - Number(other.fact !== "")),
  );
}

/** Counts the sources in the groups with this outcome. */
export function countSources(groups: readonly SourceGroup[], outcome: SourceOutcome): number {
  return groups.reduce((sum, group) => sum + (group.outcome === outcome ? group.sources.length : 0), 0);
}

function outcomeOf(source: Source, texts: ReportTexts): readonly [SourceOutcome, string] {
  if (!source.ok)
    return source.skipped === undefined ? ["failed", source.error ?? ""] : ["skipped", source.skipped];
  const { detail } = source;
  if (detail === undefined) return ["answered", ""];
  if (detail === texts.noRecord) return ["foundNothing", ""];
  const prefix = texts.joinDetails([texts.noRecord, ""]);
  return detail.startsWith(prefix) ? ["foundNothing", detail.slice(prefix.length)] : ["answered", detail];
}

/** Groups the blocklists by what they said, in document order within each group. */
export function groupBlocklists(report: Report): Readonly<Record<ListState, readonly Blocklist[]>> {
  const groups: Record<ListState, Blocklist[]> = { listed: [], benign: [], unavailable: [], notListed: [] };
  for (const list of report.blocklists) groups[stateOf(list)].push(list);
  return groups;
}

function stateOf(list: Blocklist): ListState {
  if (list.unavailable) return "unavailable";
  if (!list.listed) return "notListed";
  return list.benign ? "benign" : "listed";
}
