import type { Assessment } from "#report";
import type { StoredReport } from "#store";

/** A report whose only factor is `broadcast`: registered and located in different countries. */
export function makeReport(address: string, surveyedAt: number, purity = 97): StoredReport {
  const assessment: Assessment = {
    address,
    version: address.includes(":") ? 6 : 4,
    surveyedAt: new Date(surveyedAt).toISOString(),
    scoringVersion: 1,
    usage: "residential",
    native: "native",
    flags: {
      isProxy: false,
      isVpn: false,
      isTor: false,
      isHosting: false,
      isMobile: false,
      isRelay: false,
      isBogon: false,
      isSearchEngineBot: false,
    },
    agreement: {},
    purity,
    band: "pristine",
    confidence: "high",
    coverage: { total: 0.58, network: 1, anonymity: 1, lists: 0.5, abuse: 0.5, exposure: 0 },
    verdict: { id: "no_signals", data: { heard: 3, planned: 3 } },
    factors: [
      { id: "broadcast", category: "location", points: 3, data: { registered: "DE", located: "FR" } },
    ],
    scenarios: [],
    listings: [],
    abuse: [],
    sources: [],
    unknowns: [],
  };
  return { address, surveyedAt, liveAnswers: 3, assessment };
}
