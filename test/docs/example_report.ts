import { assess } from "#lookup";
import type { Language, Report } from "#report";
import { fillSurvey, reportOf } from "../render/full_reports.ts";
import { ARCHETYPES } from "../scoring/archetypes.ts";

/** The address of documentation that the README shows. The rules judge the survey of an invented public address. */
const ADDRESS = "203.0.113.45";

/** The example report of the documents: a VPN exit as today's rules judge it. All its facts are invented. */
export function exampleReport(language: Language): Report {
  const judged = assess(fillSurvey(ARCHETYPES.vpn, "none"));
  const assessment = {
    ...judged,
    address: ADDRESS,
    asn: { ...judged.asn, asn: 64_500, name: "EXAMPLE-HOSTING", route: "203.0.113.0/24" },
    registry: { ...judged.registry, cidr: "203.0.113.0/24" },
  };
  return reportOf(assessment, language, { tier: "store" });
}
