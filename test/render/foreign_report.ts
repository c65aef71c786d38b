import type { Language, Report } from "#report";
import { goldenReport } from "./golden_reports.ts";

/** A report in which every string that is not of a closed vocabulary is one of two foreign ones. */
export function foreignReport(one: string, two: string, language: Language): Report {
  const document = goldenReport("server", language);
  return {
    ...document,
    ip: one,
    vpnOperator: { name: one, url: two, anonymity: one, popularity: two, protocols: [one, two] },
    geo: { country: one, countryName: two, region: two, city: one, timezone: one },
    asn: { name: two, org: one, route: two },
    registry: { rir: one, country: two, netName: one, org: two, cidr: one },
    risk: {
      ...document.risk,
      label: two,
      verdict: one,
      factors: [
        { id: "x", label: one, category: two, points: 63.25, detail: two },
        { id: "y", label: two, category: one, points: -0.25, detail: one },
      ],
    },
    scenarios: [
      { id: "ai", label: one, score: 100, level: "good", levelLabel: two, reason: one, reasons: [one] },
      {
        id: "email",
        label: two,
        score: null,
        level: "restricted",
        levelLabel: one,
        reason: two,
        reasons: [two],
      },
    ],
    scenarioApplicable: false,
    scenarioNote: two,
    blocklists: [
      { zone: two, label: one, listed: true, benign: false, unavailable: false },
      { zone: one, label: two, listed: true, benign: true, unavailable: false },
      { zone: one, label: two, listed: false, benign: false, unavailable: true },
    ],
    // A letter in front, because the key `__proto__` alone would set the prototype of the fixture.
    abuse: [{ source: one, score: 7, attacks: { total: 1, byType: { [`x${two}`]: 1 } } }],
    exposure: { observed: true, ports: [22], vulns: [one, two] },
    sources: [
      { name: two, kind: "free", ok: false, ms: 123456789, error: one },
      { name: one, kind: "commercial", ok: false, ms: 0, skipped: two },
      { name: one, kind: "commercial", ok: true, ms: 4, detail: two },
    ],
    unknowns: [{ id: "x", label: two, detail: one }],
    reportUrl: `https://limpid.example/${one}`,
  };
}
