import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { type Address, parseAddress } from "#address";
import type { Survey } from "#evidence";
import { createClock, createTemporaryFolder, MIGRATIONS, writeEmptyDatabase } from "#kit";
import { ADMIT_ALL } from "#limits";
import { type Answer, assess, createLookup } from "#lookup";
import { SCORING_VERSION } from "#scoring";
import { openStore, type Store, type StoredReport } from "#store";
import { makeSurvey, SURVEYED_AT } from "../../scoring/surveys.ts";

const ADDRESS = parseAddress("8.8.4.200") ?? expect.unreachable();
const OLD_VERSION = 1;
const DAY_MS = 86_400_000;
const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

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
  return {
    address: ADDRESS.text,
    surveyedAt: Date.parse(survey.surveyedAt),
    liveAnswers: 7,
    assessment,
  };
}

/** Creates a lookup on a real database with one report, and counts every call. */
async function arrange(report: StoredReport, survey: string, now = Date.parse(SURVEYED_AT)) {
  const folder = createTemporaryFolder("limpid-rescore-");
  const url = `file:${join(folder, "a.db")}`;
  await writeEmptyDatabase(join(folder, "a.db"));
  const store = await openStore({ url, migrations: MIGRATIONS });
  stores.push(store);
  await store.save(report, survey);
  const calls = { findSurvey: 0, rescore: 0, survey: 0 };
  const logged: string[] = [];
  const clock = createClock(now);
  let isReadOnly = false;
  const ask = async (address: Address): Promise<Survey> => {
    calls.survey += 1;
    return { ...SURVEY, address: address.text, surveyedAt: new Date(clock.now()).toISOString() };
  };
  const { lookup } = createLookup({
    store: {
      find: store.find,
      save: store.save,
      ratings: store.ratings,
      findSurvey(address) {
        calls.findSurvey += 1;
        return store.findSurvey(address);
      },
      async rescore(anew) {
        calls.rescore += 1;
        if (isReadOnly) throw new Error("attempt to write a readonly database");
        await store.rescore(anew);
      },
    },
    survey: ask,
    surveySpecial: ask,
    admissions: ADMIT_ALL,
    now: clock.now,
    live: true,
    staleMs: 7 * DAY_MS,
    cacheEntries: 10,
    cacheBytes: 16_000_000,
    cacheMs: 1000,
    maxSurveys: 4,
    maxWaiting: 4,
    maxWaitMs: 1000,
    log: (_, event) => logged.push(event),
  });
  return {
    store,
    calls,
    logged,
    clock,
    async look(): Promise<Answer> {
      const client = { key: "192.0.2.1", exempt: false };
      const result = await lookup({ address: ADDRESS, refresh: false, client }, new AbortController().signal);
      return result.kind === "answer" ? result.answer : expect.unreachable(result.kind);
    },
    async write(sql: string, ...args: (string | number)[]) {
      const client = createClient({ url });
      await client.execute({ sql, args });
      client.close();
    },
    forbidWriting: () => {
      isReadOnly = true;
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
    const setup = await arrange(report, JSON.stringify(SURVEY));
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect(await setup.store.find(ADDRESS.text)).toEqual({
      ...report,
      assessment: assess(SURVEY),
      votes: [],
    });
    setup.clock.advance(1001);
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect(setup.calls).toEqual({ findSurvey: 1, rescore: 1, survey: 0 });
    expect(setup.logged).toEqual([]);
  });

  test("keeps both conclusions from the survey in the history", async () => {
    const setup = await arrange(concludeAsBefore(), JSON.stringify(SURVEY));
    const { assessment } = await setup.look();
    const surveyedAt = Date.parse(SURVEYED_AT);
    expect(await setup.store.history(ADDRESS.text)).toMatchObject([
      { surveyedAt, purity: assessment.purity, band: assessment.band, scoringVersion: SCORING_VERSION },
      { surveyedAt, purity: 99, band: "pristine", scoringVersion: OLD_VERSION },
    ]);
  });

  test("does not change the age of a survey", async () => {
    const now = Date.parse(SURVEYED_AT) + 8 * DAY_MS;
    const setup = await arrange(concludeAsBefore(), JSON.stringify(SURVEY), now);
    expect(await setup.look()).toMatchObject({ tier: "store", stale: true });
  });

  test("needs no further read for the same version, and keeps the conclusion of a newer version", async () => {
    for (const version of [SCORING_VERSION, SCORING_VERSION + 1]) {
      const report = concludeAsBefore();
      const kept = { ...report, assessment: { ...report.assessment, scoringVersion: version } };
      const setup = await arrange(kept, JSON.stringify(SURVEY));
      expect((await setup.look()).assessment).toEqual(kept.assessment);
      expect(setup.calls).toEqual({ findSurvey: 0, rescore: 0, survey: 0 });
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
    const setup = await arrange(report, survey);
    expect(await setup.look()).toEqual(storedAnswer(report.assessment));
    expect((await setup.look()).tier).toBe("cache");
    expect(setup.logged).toEqual(["survey_unusable"]);
    expect(setup.calls).toEqual({ findSurvey: 1, rescore: 0, survey: 0 });
  });

  test("scores the survey if the format of the conclusion is no longer readable", async () => {
    const setup = await arrange(concludeAsBefore(), JSON.stringify(SURVEY));
    await setup.write("UPDATE reports SET assessment = ?", '{"purity":99,"grade":"A"}');
    expect(await setup.look()).toEqual(storedAnswer(assess(SURVEY)));
    expect((await setup.store.find(ADDRESS.text))?.assessment).toEqual(assess(SURVEY));
    expect(setup.calls.survey).toBe(0);
  });

  test("surveys again if neither the conclusion nor the survey is readable", async () => {
    const setup = await arrange(concludeAsBefore(), "{}");
    await setup.write("UPDATE reports SET assessment = '{}'");
    expect((await setup.look()).tier).toBe("fresh");
    expect(setup.calls.survey).toBe(1);
    expect(setup.logged).toEqual(["survey_unusable"]);
    expect((await setup.store.find(ADDRESS.text))?.assessment).toEqual(assess(SURVEY));
  });

  test("answers although the new conclusion cannot be written", async () => {
    const report = concludeAsBefore();
    const setup = await arrange(report, JSON.stringify(SURVEY));
    setup.forbidWriting();
    expect((await setup.look()).assessment).toEqual(assess(SURVEY));
    expect(setup.logged).toEqual(["store_unwritable"]);
    expect(await setup.store.find(ADDRESS.text)).toEqual({ ...report, votes: [] });
  });
});
