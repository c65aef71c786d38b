import type { PartialTexts } from "#locale";
import type { Report } from "#report";

type Source = Report["sources"][number];

/** How a source fared. */
export type SourceOutcome = "answered" | "foundNothing" | "failed" | "skipped";

/** Sources of one outcome for which the same fact holds, such as the reason of a failure; document order. */
export interface SourceGroup {
  readonly outcome: SourceOutcome;
  readonly fact: string;
  readonly sources: readonly Source[];
}

const OUTCOMES: readonly SourceOutcome[] = ["answered", "foundNothing", "failed", "skipped"];

/**
 * The sources by outcome and by the fact that holds for them, those without one first. Every source is in
 * exactly one group, so that a report with a hundred of them stays readable and still names each.
 */
export function groupSources(report: Report, texts: PartialTexts): readonly SourceGroup[] {
  const found = new Map<SourceOutcome, Map<string, Source[]>>();
  for (const source of report.sources) {
    const [outcome, fact] = judge(source, texts);
    let facts = found.get(outcome);
    if (facts === undefined) {
      facts = new Map();
      found.set(outcome, facts);
    }
    const known = facts.get(fact);
    if (known === undefined) facts.set(fact, [source]);
    else known.push(source);
  }
  return OUTCOMES.flatMap((outcome) =>
    [...(found.get(outcome) ?? [])]
      .map(([fact, sources]): SourceGroup => ({ outcome, fact, sources }))
      .sort((one, other) => Number(one.fact !== "") - Number(other.fact !== "")),
  );
}

function judge(source: Source, texts: PartialTexts): readonly [SourceOutcome, string] {
  if (!source.ok)
    return source.skipped === undefined ? ["failed", source.error ?? ""] : ["skipped", source.skipped];
  const { detail } = source;
  if (detail === undefined) return ["answered", ""];
  if (detail === texts.noRecord) return ["foundNothing", ""];
  const prefix = texts.joinDetails([texts.noRecord, ""]);
  return detail.startsWith(prefix) ? ["foundNothing", detail.slice(prefix.length)] : ["answered", detail];
}
