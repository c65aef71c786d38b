import { afterEach, describe, expect, test } from "bun:test";
import type { Observation, SourceRun } from "#evidence";
import { BANDS } from "#report";
import { ADDRESS, arrange, DAY_MS, makeRun, tidy } from "../../lookup/arrange.ts";

afterEach(tidy);

const CLEAN = { isProxy: false, isVpn: false, isTor: false, isHosting: false } as const;

/** Sources on every kind of evidence, all without a finding, so that confidence is high. */
const OTHERS: readonly SourceRun[] = [
  {
    ...makeRun("other_vendor", "answered"),
    matters: ["network", "anonymity", "abuse"],
    weight: 3,
    observation: { flags: CLEAN, usage: "business" },
  },
  { ...makeRun("list", "empty"), matters: ["lists"], zone: { id: "list", label: "List" } },
];

function vendor(state: SourceRun["state"], observation?: Observation): SourceRun {
  const run = makeRun("vendor", state);
  if (state === "skipped") return { ...run, skipped: "daily_budget" };
  return observation === undefined ? run : { ...run, observation };
}

const ACCUSES: Observation = {
  flags: { isProxy: true, isVpn: true },
  abuse: { attacks: { login_attempt: 50 } },
};

describe("a refresh in which an accusing source is lost", () => {
  test.each([
    ["is over its daily budget", vendor("skipped")],
    ["is down", vendor("failed")],
  ])("keeps purity and band when the source %s, and says so", async (_, lost) => {
    const setup = await arrange({
      runs: [
        [vendor("answered", ACCUSES), ...OTHERS],
        [lost, ...OTHERS],
      ],
    });
    const { assessment: before } = await setup.answer();
    expect(before.confidence).toBe("high");
    await setup.timeline.advance(DAY_MS);
    const { assessment: after } = await setup.answer(ADDRESS, true);
    expect(after.surveyedAt).not.toBe(before.surveyedAt);
    expect(after).toMatchObject({ purity: before.purity, band: before.band, flags: before.flags });
    expect(after.confidence).not.toBe("high");
    expect(after.sources.find(({ id }) => id === "vendor")).toMatchObject({
      state: lost.state,
      carriedFrom: before.surveyedAt.slice(0, 10),
    });
    expect(after.unknowns.find(({ id }) => id === "carried_accusations")?.data).toEqual({
      sources: ["The vendor"],
      since: before.surveyedAt.slice(0, 10),
    });
  });

  test("lets the accusation fade over further refreshes, and ends it when the source answers without it", async () => {
    const accused = [vendor("answered", ACCUSES), ...OTHERS];
    const lost = [vendor("failed"), ...OTHERS];
    const setup = await arrange({
      runs: [accused, lost, lost, lost, lost, accused, [vendor("empty"), ...OTHERS]],
    });
    const purities: number[] = [];
    const look = async (days: number, refresh = true) => {
      await setup.timeline.advance(days * DAY_MS);
      const { assessment } = await setup.answer(ADDRESS, refresh);
      purities.push(assessment.purity);
      return assessment;
    };
    await look(0, false);
    await look(40);
    const faded = await look(7);
    expect(faded.factors.find(({ id }) => id === "carried_fading")).toMatchObject({ data: { days: 7 } });
    await look(14);
    const forgotten = await look(14);
    expect(forgotten.unknowns.map(({ id }) => id)).not.toContain("carried_accusations");
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = purities;
    expect(second).toBe(first);
    expect([second, third, fourth, fifth]).toEqual([second, third, fourth, fifth].toSorted((a, b) => a - b));
    expect(third).toBeGreaterThan(second);
    expect(fifth).toBe(100);
    expect((await look(1)).purity).toBe(first);
    expect(await look(1)).toMatchObject({ purity: 100, confidence: "high" });
  });

  test("keeps the earlier report when the rest improved enough to raise the band", async () => {
    const listed: Observation = {
      listings: [{ zone: "list", label: "List", listed: true, codes: [], meanings: ["abuse"] }],
    };
    const [other, list] = OTHERS;
    if (other === undefined || list === undefined) expect.unreachable();
    const on: SourceRun = { ...list, state: "answered", observation: listed };
    const setup = await arrange({
      runs: [
        [vendor("answered", ACCUSES), other, on],
        [vendor("failed"), other, list],
        [vendor("answered", ACCUSES), other, list],
      ],
    });
    const { assessment: before } = await setup.answer();
    await setup.timeline.advance(DAY_MS);
    const kept = await setup.answer(ADDRESS, true);
    expect(kept).toMatchObject({ tier: "store", stale: true });
    expect(kept.assessment).toEqual(before);
    const { assessment: after } = await setup.answer(ADDRESS, true);
    expect(BANDS.indexOf(after.band)).toBeLessThan(BANDS.indexOf(before.band));
  });
});
