import type { ReportTexts } from "#locale";
import type { Report, SkipReason } from "#report";
import type { ReportContext } from "./report_context.ts";
import type { Field } from "./report_fields.ts";

/** What a source did. A list that will soon be there is pending, one that nothing downloads absent: neither has failed. */
export type SourceOutcome = keyof ReportTexts["sourceStates"];

/** Reasons why a source cannot be asked here, so that it is not part of the coverage. */
const UNUSABLE: readonly SkipReason[] = ["no_key", "noncommercial", "no_contact", "version", "settled"];

/** Sources with the same outcome and the same fact, such as the reason of a failure, in document order. */
export interface SourceGroup {
  readonly outcome: SourceOutcome;
  readonly fact: string;
  readonly sources: Report["sources"];
}

/** Divides what is unknown: the sources without an answer, which stand with the sources, and what no address can tell. */
export function divideUnknowns({ unknowns }: Report) {
  const missing = unknowns.find(({ id }) => id === "unheard_sources");
  const limits = unknowns.filter((one) => one !== missing);
  return { missing, limits: limits.map(({ label, detail }): Field => [label, detail]) };
}

/**
 * Groups the sources by outcome and fact; groups without a fact come first. Every source is in exactly one group, so
 * that a report with a hundred sources is short and still names each of them.
 */
export function groupOutcomes({ report, texts }: ReportContext): readonly SourceGroup[] {
  const prefix = texts.joinDetails([texts.noRecord, ""]);
  const { sourceDetails: details } = texts;
  const groups = new Map<string, SourceGroup & { readonly sources: Report["sources"] }>();
  for (const source of report.sources) {
    const { ok, detail = "", error = "", skipped } = source;
    const isEmpty = ok && (detail === texts.noRecord || detail.startsWith(prefix));
    const isDownloading = details["not downloaded yet"] === error;
    const isPending = isDownloading || details["not compiled yet"] === error;
    const unasked = details["not on this machine"] === error ? "absent" : isPending ? "pending" : "failed";
    const missing = skipped === undefined ? unasked : "skipped";
    const outcome = isEmpty ? "foundNothing" : ok ? "answered" : missing;
    const failure = isDownloading ? "" : (skipped ?? error);
    const fact = isEmpty ? detail.slice(prefix.length) : ok ? detail : failure;
    const group = groups.get(`${outcome} ${fact}`);
    if (group === undefined) groups.set(`${outcome} ${fact}`, { outcome, fact, sources: [source] });
    else group.sources.push(source);
  }
  const outcomes = Object.keys(texts.sourceStates);
  const rankOf = ({ outcome, fact }: SourceGroup) => outcomes.indexOf(outcome) * 2 + (fact === "" ? 0 : 1);
  return [...groups.values()].sort((one, other) => rankOf(one) - rankOf(other));
}

/** Lists the sources that the operator has turned off. */
export function listTurnedOff({ report: { sources }, texts }: ReportContext): Report["sources"] {
  return sources.filter(({ skipped }) => skipped === texts.skips.turned_off);
}

/** Counts the sources in each state. A list that is being downloaded has not failed. */
export function countSources(context: ReportContext) {
  const counts = { answered: 0, foundNothing: 0, failed: 0, pending: 0, absent: 0, skipped: 0 };
  for (const { outcome, sources } of groupOutcomes(context)) counts[outcome] += sources.length;
  const { answered: found, foundNothing } = counts;
  return { ...counts, found, answered: found + foundNothing };
}

/** Words how many sources are in each state, and why some were not asked if the operator has turned some off. */
export function describeCounts(context: ReportContext): string {
  const { texts } = context;
  const counts = texts.sourceCount(countSources(context));
  return listTurnedOff(context).length === 0 ? counts : texts.withDetail(counts, explainUnasked(context));
}

/** Says how many of the sources that were not asked are turned off, and that the others are not usable; "" for none. */
export function explainUnasked(context: ReportContext): string {
  const { report, texts, page } = context;
  const off = listTurnedOff(context).length;
  const { length: unusable } = report.sources.filter(({ skipped }) =>
    UNUSABLE.some((reason) => skipped?.startsWith(texts.skips[reason])),
  );
  const isAll = unusable === countSources(context).skipped;
  return texts.joinDetails([
    ...(off > 0 ? [page.turnedOff(off)] : []),
    ...(unusable > 0 ? [isAll ? page.unusable : page.someUnusable(unusable)] : []),
  ]);
}
