import type { Assessment } from "#report";
import type { StoredReport } from "#store";
import ASSESSMENT from "../fixtures/stored_assessment.json";

/** A report whose only factor is `broadcast`: registered and located in different countries. */
export function makeReport(address: string, surveyedAt: number, purity = 97): StoredReport {
  const assessment: Assessment = {
    ...structuredClone(ASSESSMENT as unknown as Assessment),
    address,
    version: address.includes(":") ? 6 : 4,
    surveyedAt: new Date(surveyedAt).toISOString(),
    purity,
  };
  return { address, surveyedAt, liveAnswers: 3, assessment };
}
