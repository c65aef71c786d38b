import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { type DnsFault, listDnsFaults } from "./dns_faults.ts";
import { breakDns, breakHttp, type FaultSetup, LIVE, openFaultSetup, typeOf } from "./fault_setup.ts";
import { type HttpFault, listHttpFaults } from "./http_faults.ts";
import { judgeReport } from "./judge_report.ts";
import { reportOn, surveyFaults } from "./survey_faults.ts";

/** `PROOF=full` for the long form; a failure prints the seed, which `PROOF_SEED` takes. */
const RUNS = Bun.env.PROOF === "full" ? 300 : 6;
const SEED = Bun.env.PROOF_SEED === undefined ? {} : { seed: Number(Bun.env.PROOF_SEED) };
const LATE_MS = 200;
const LOSS = 0.3;
const HTTP = listHttpFaults(9);
const DNS = listDnsFaults();

/** What happens to one source: nothing, a fault by its index, or lost packets. */
type Fate = { readonly fault: number; readonly isHalf: boolean } | "well" | "lossy";

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 2, arbitrary: fc.constant("well" as const) },
  { weight: 1, arbitrary: fc.constant("lossy" as const) },
  { weight: 4, arbitrary: fc.record({ fault: fc.nat(10_000), isHalf: fc.boolean() }) },
);
const mix = fc.record({
  fates: fc.array(fate, { minLength: LIVE.length, maxLength: LIVE.length }),
  losses: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  surveyMs: fc.constantFrom(300, 700, 1_500),
  poolSize: fc.constantFrom(2, 8, 24, 64),
});

function suffer(at: FaultSetup, fates: readonly Fate[], losses: Iterator<number>): void {
  for (const [place, source] of LIVE.entries()) {
    const own = fates[place] ?? "well";
    if (own === "well") continue;
    const well = at.wellDns.get(source.id) ?? [];
    if (own === "lossy") {
      const isLost = () => (losses.next().value ?? 1) < LOSS;
      if (source.hosts === undefined) breakDns(at, source, () => (isLost() ? "SILENCE" : well), true);
      else breakHttp(at, source.hosts, (reply) => (isLost() ? { fault: "hang" } : reply));
      continue;
    }
    if (source.hosts === undefined) {
      const faults = DNS.filter(({ types }) => types === undefined || types.includes(typeOf(source)));
      const fault: DnsFault | undefined = faults[own.fault % faults.length];
      if (fault !== undefined)
        breakDns(at, source, fault.responder(well), own.isHalf || fault.errors === undefined);
    } else {
      const fault: HttpFault | undefined = HTTP[own.fault % HTTP.length];
      if (fault !== undefined) breakHttp(at, source.hosts, fault.reply);
    }
  }
}

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);
beforeAll(() => process.on("unhandledRejection", onRejection));
afterAll(() => process.off("unhandledRejection", onRejection));

/** What keeps a process alive, counted by kind; and its open files, sockets among them. */
function countResources(): { readonly timers: number; readonly files: number } {
  return {
    timers: process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length,
    files: readdirSync("/proc/self/fd").length,
  };
}

describe("any mix of faults", () => {
  test("ends in time with a valid report that is no better, and leaves nothing behind", async () => {
    const warm = await openFaultSetup();
    await warm.survey(LIVE);
    await warm.close();
    const { runs: wellRuns } = await surveyFaults(() => {});
    const usual = new Map(wellRuns.map((run) => [run.id, run.observation]));
    await fc.assert(
      fc.asyncProperty(mix, async ({ fates, losses, surveyMs, poolSize }) => {
        const stream = losses[Symbol.iterator]();
        const { runs, ms, lagMs, leaked } = await surveyFaults((at) => suffer(at, fates, stream), {
          surveyMs,
          poolSize,
        });
        expect(ms).toBeLessThanOrEqual(surveyMs + LATE_MS + lagMs);
        expect(leaked).toBe(0);
        judgeReport(runs);
        const heard = runs.filter(({ state }) => state === "answered");
        for (const { id, observation } of heard) {
          // Infinite numbers remove only fields that cost no points.
          expect([id, observation?.flags, observation?.listings]).toEqual([
            id,
            usual.get(id)?.flags,
            usual.get(id)?.listings,
          ]);
        }
        // A failed source adds nothing to the answers of the others.
        const purity = reportOn(runs).risk.purity;
        expect(purity).toBeLessThanOrEqual(reportOn(heard).risk.purity);
      }),
      { numRuns: RUNS, ...SEED },
    );
    expect(rejections).toEqual([]);
  });

  test("leaves no timer and no socket open", async () => {
    const before = countResources();
    for (let turn = 0; turn < 5; turn += 1) {
      await surveyFaults(
        (at) =>
          suffer(
            at,
            LIVE.map((_, place) => ({ fault: place * 7 + turn, isHalf: turn % 2 === 0 })),
            [].values(),
          ),
        { surveyMs: 300 },
      );
    }
    let after = countResources();
    for (let turn = 0; turn < 40 && after.files > before.files; turn += 1) {
      await Bun.sleep(100);
      after = countResources();
    }
    expect(after.timers).toBeLessThanOrEqual(before.timers);
    // Connections that are kept for the next query belong to the process.
    expect(after.files).toBeLessThanOrEqual(before.files + 8);
    expect(rejections).toEqual([]);
  });
});
