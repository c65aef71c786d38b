import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import type { Survey } from "#evidence";
import { createTemporaryFolder } from "#kit";
import { assess } from "#lookup";
import { SCORING_VERSION } from "#scoring";
import type { StoredReport } from "#store";
import { ADDRESS, arrange, DAY_MS, openStoreIn, tidy } from "../../lookup/arrange.ts";
import { makeSurvey, SURVEYED_AT } from "../../scoring/surveys.ts";

const OLD_VERSION = 1;

afterEach(tidy);

const SURVEY = makeSurvey(ADDRESS.text, {
  asn_table: { asn: { asn: 64_500, name: "Example VPN" } },
  proxycheck: { flags: { isVpn: true }, vpn: { name: "Example VPN" }, abuse: { score: 40 } },
  vpn_feed: { flags: { isVpn: true } },
  geo_country: { geo: { country: "NO" }, dataDate: "2026-06-01", ageing: true },
  spamcop: "failed",
});

/** A possible conclusion of version 1 from the same survey. */
function concludeAsBefore(survey: Survey = SURVEY): StoredReport {
  const assessment = {
    ...assess(survey),
    scoringVersion: OLD_VERSION,
    purity: 99,
    band: "pristine" as const,
  };
  return { address: ADDRESS.text, surveyedAt: Date.parse(survey.surveyedAt), liveAnswers: 7, assessment };
}

/** Creates a lookup on a real database with one report. */
async function arrangeReport(report: StoredReport, survey: string, startMs = Date.parse(SURVEYED_AT)) {
  const folder = createTemporaryFolder("limpid-rescore-");
  const store = await openStoreIn(folder);
  await store.save(report, survey);
  const setup = await arrange({ store, startMs });
  return {
    ...setup,
    look: () => setup.answer(ADDRESS),
    async write(sql: string, ...args: (string | number)[]) {
      const client = createClient({ url: `file:${join(folder, "a.db")}` });
      await client.execute({ sql, args });
      client.close();
    },
  };
}

/** The answer of the store with this assessment. */
function storedAnswer(assessment: ReturnType<typeof assess>) {
  return { tier: "store", stale: false, assessment, votes: [], liveAnswers: 7 } as const;
}

describe("re-scoring on read", () => {
  test("equals a new scoring, happens once, and queries no source", async () => {
    const report = concludeAsBefore();
    const setup = await arrangeReport(report, JSON.stringify(SURVEY));
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect(await setup.store.find(ADDRESS.text)).toMatchObject({
      ...report,
      assessment: assess(SURVEY),
      votes: [],
    });
    await setup.timeline.advance(600_001);
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect(setup.calls).toMatchObject({ findSurvey: 1, rescore: 1, survey: 0 });
    expect(setup.logged).toEqual([]);
  });

  test("keeps both conclusions from the survey in the history", async () => {
    const setup = await arrangeReport(concludeAsBefore(), JSON.stringify(SURVEY));
    const { assessment } = await setup.look();
    const surveyedAt = Date.parse(SURVEYED_AT);
    expect(await setup.store.history(ADDRESS.text)).toMatchObject([
      { surveyedAt, purity: assessment.purity, band: assessment.band, scoringVersion: SCORING_VERSION },
      { surveyedAt, purity: 99, band: "pristine", scoringVersion: OLD_VERSION },
    ]);
  });

  test("does not change the age of a survey", async () => {
    const now = Date.parse(SURVEYED_AT) + 8 * DAY_MS;
    const setup = await arrangeReport(concludeAsBefore(), JSON.stringify(SURVEY), now);
    expect(await setup.look()).toMatchObject({ tier: "store", stale: true });
  });

  test("needs no further read for the same version, and keeps the conclusion of a newer version", async () => {
    for (const version of [SCORING_VERSION, SCORING_VERSION + 1]) {
      const report = concludeAsBefore();
      const kept = { ...report, assessment: { ...report.assessment, scoringVersion: version } };
      const setup = await arrangeReport(kept, JSON.stringify(SURVEY));
      expect((await setup.look()).assessment).toEqual(kept.assessment);
      expect(setup.calls).toMatchObject({ findSurvey: 0, rescore: 0, survey: 0 });
    }
  });

  test.each([
    ["no JSON", "{"],
    ["another form", '{"runs":[]}'],
    ["an unknown word in it", JSON.stringify(SURVEY).replace('"answered"', '"whispered"')],
    ["another address", JSON.stringify({ ...SURVEY, address: "8.8.4.201" })],
    ["another moment", JSON.stringify({ ...SURVEY, surveyedAt: "2026-10-01T00:00:00.000Z" })],
  ])("serves the old conclusion and says so once when the survey is %s", async (_, survey) => {
    const report = concludeAsBefore();
    const setup = await arrangeReport(report, survey);
    expect(await setup.look()).toEqual(storedAnswer(report.assessment));
    expect((await setup.look()).tier).toBe("cache");
    expect(setup.logged).toEqual(["survey_unusable"]);
    expect(setup.calls).toMatchObject({ findSurvey: 1, rescore: 0, survey: 0 });
  });

  test("scores the survey if the format of the conclusion is no longer readable", async () => {
    const setup = await arrangeReport(concludeAsBefore(), JSON.stringify(SURVEY));
    await setup.write("UPDATE reports SET assessment = ?", '{"purity":99,"grade":"A"}');
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect((await setup.store.find(ADDRESS.text))?.assessment).toEqual(assess(SURVEY));
    expect(setup.calls.survey).toBe(0);
  });

  test("surveys again if neither the conclusion nor the survey is readable", async () => {
    const setup = await arrangeReport(concludeAsBefore(), "{}");
    await setup.write("UPDATE reports SET assessment = '{}'");
    const { tier, assessment } = await setup.look();
    expect(tier).toBe("fresh");
    expect(setup.calls.survey).toBe(1);
    expect(setup.logged).toEqual(["survey_unusable"]);
    expect((await setup.store.find(ADDRESS.text))?.assessment).toEqual(assessment);
  });

  test("answers although the new conclusion cannot be written", async () => {
    const report = concludeAsBefore();
    const { store } = await arrangeReport(report, JSON.stringify(SURVEY));
    const rescore = () => Promise.reject(new Error("attempt to write a readonly database"));
    const setup = await arrange({ store: { ...store, rescore }, startMs: Date.parse(SURVEYED_AT) });
    expect((await setup.answer(ADDRESS)).assessment).toEqual(assess(SURVEY));
    expect(setup.logged).toEqual(["store_unwritable"]);
    expect(await store.find(ADDRESS.text)).toMatchObject({ ...report, votes: [] });
  });
});
