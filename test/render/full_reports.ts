/** Reports of every kind of address, with the sources that a service without keys would ask. */
import type { Listing, SourceRun, Survey } from "#evidence";
import { localize } from "#locale";
import { assess } from "#lookup";
import type { Assessment, Language, Report } from "#report";
import { SOURCES } from "#sources";
import GOLDEN_SOURCES from "../fixtures/golden_sources.json";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";

/** The other sources, which an archetype does not mention: they are absent, found nothing, or many failed. */
export type Filling = "none" | "heard" | "failing";

/** An archetype's report; filled, every one of the fixed sources is in it. */
export function fullReport(name: ArchetypeId, language: Language, filling: Filling = "heard"): Report {
  return reportOf(assess(fillSurvey(ARCHETYPES[name], filling)), language);
}

/** A fresh report on an assessment; `change` changes what else is known of it. */
export function reportOf(
  assessment: Assessment,
  language: Language,
  change: Partial<Parameters<typeof localize>[1]> = {},
): Report {
  const prefix = language === "en" ? "/en" : "";
  const reportUrl = `https://limpid.example${prefix}/ip/${assessment.address}`;
  return localize(assessment, { language, tier: "fresh", stale: false, reportUrl, ...change });
}

/** A survey with every one of the fixed sources in it, unless `filling` is "none". */
export function fillSurvey(survey: Survey, filling: Filling): Survey {
  const sources = new Map<string, (typeof SOURCES)[number]>(SOURCES.map((source) => [source.id, source]));
  const rename = (run: SourceRun): SourceRun => {
    const { name = run.name, zone = run.zone } = sources.get(run.id) ?? {};
    const { listings, ...said } = run.observation ?? {};
    const labelOf = ({ meanings }: Listing) =>
      // This list joins several, and the label says which has the address.
      `${zone?.label ?? name}${run.id === "spamhaus_dqs" ? ` (${meanings.includes("policy") ? "PBL" : "XBL"})` : ""}`;
    return {
      ...run,
      name,
      ...(zone === undefined ? {} : { zone }),
      ...(listings && {
        observation: { ...said, listings: listings.map((one) => ({ ...one, label: labelOf(one) })) },
      }),
    };
  };
  const spoken = survey.runs.filter((run) => run.state !== "empty").map(rename);
  const known = new Set(spoken.map((run) => run.id));
  if (filling === "none") return { ...survey, runs: survey.runs.map(rename) };
  // The list is fixed, so that a new source changes no golden file.
  const others = GOLDEN_SOURCES.filter((id) => !known.has(id)).flatMap((own, index): SourceRun | [] => {
    const source = SOURCES.find(({ id }) => id === own);
    if (source === undefined) return [];
    const { id, name, kind, family, matters, weight, zone } = source;
    const run = {
      ...{ id, name, kind, family, matters, weight, local: source.local === true },
      ...(zone === undefined ? {} : { zone }),
    };
    if (source.secret === "required") return { ...run, state: "skipped", skipped: "no_key", ms: 0 };
    if (source.noncommercial === true) return { ...run, state: "skipped", skipped: "noncommercial", ms: 0 };
    if (filling === "failing" && source.local !== true && index % 3 !== 0)
      return { ...run, state: "failed", error: index % 2 === 0 ? "timeout" : "refused", ms: 900 + index * 7 };
    return { ...run, state: "empty", ms: source.local === true ? 0 : 5 + index * 3 };
  });
  return { ...survey, runs: [...spoken, ...others] };
}
