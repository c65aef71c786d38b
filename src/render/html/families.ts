import * as v from "valibot";
import { siteTextsOf } from "#locale";
import { BANDS, type Language, type Report, USAGE_TYPES } from "#report";
import { contextOf } from "../report_context.ts";
import { describeScore } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { bandOf } from "./parts.ts";

/** Two origins of this site whose names resolve to one family of addresses each. */
export interface FamilyOrigins {
  readonly ipv4: string;
  readonly ipv6: string;
}

/**
 * Renders the hidden section in which `/static/families.js` shows the visitor's addresses of both families. Without a
 * script nothing shows.
 */
export function renderFamilies(origins: FamilyOrigins | undefined, language: Language): Html | false {
  if (origins === undefined) return false;
  const { families } = siteTextsOf(language);
  return html`<section class="card families" id="families" aria-labelledby="families-title" data-ipv4="${origins.ipv4}" data-ipv6="${origins.ipv6}" data-words="${JSON.stringify(families.script)}" hidden><h2 id="families-title">${families.title}</h2></section>\n`;
}

/** A report in a few words. Without a survey it has no score. */
export const OwnSummarySchema = v.object({
  usageType: v.picklist(USAGE_TYPES),
  usage: v.string(),
  native: v.string(),
  country: v.exactOptional(v.string()),
  countryName: v.exactOptional(v.string()),
  network: v.string(),
  score: v.exactOptional(v.string()),
  band: v.exactOptional(v.picklist([...BANDS, "thin", "none"])),
  verdict: v.string(),
});

/** Summarizes a report for {@link renderFamilies}. */
export function summarizeOwn(report: Report): v.InferOutput<typeof OwnSummarySchema> {
  const context = contextOf(report);
  const { usageType, nativeType, geo, risk, source } = report;
  const { usages, natives } = context.texts;
  return {
    usageType,
    usage: usages[usageType],
    native: natives[nativeType],
    ...(geo?.country === undefined ? {} : { country: geo.country }),
    ...(geo?.countryName === undefined ? {} : { countryName: geo.countryName }),
    network: context.facts.network,
    ...(source === "fresh" ? {} : { score: describeScore(context), band: bandOf(context) }),
    verdict: risk.verdict,
  };
}
