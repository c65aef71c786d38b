import { describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import * as fc from "fast-check";
import type { Vote } from "#report";
import { StoreError } from "#store";
import { makeReport } from "../../../store/make_report.ts";
import { BACKENDS, setUpBackend } from "../backend.ts";

const DAY = 20_468;
const ADDRESS = "203.0.113.7";

function vote(rest: Partial<Vote> = {}): Vote {
  return { address: ADDRESS, scenario: "ai", voter: "v1", day: DAY, rating: 5, ...rest };
}

describe.each(BACKENDS)("Store.ratings on %s", (kind) => {
  const { backend, store } = setUpBackend(kind);

  test("saveVote() adds up voters, days and scenarios, each address for itself", async () => {
    const { ratings } = store;
    const cast = [
      vote(),
      vote({ voter: "v2", rating: 2 }),
      vote({ day: DAY + 1, rating: 1 }),
      vote({ scenario: "email", rating: 3 }),
      vote({ address: "2001:db8::1", rating: 4 }),
    ];
    for (const one of cast) await ratings.saveVote(one);
    expect(await ratings.read(ADDRESS)).toEqual([
      { scenario: "ai", count: 3, sum: 8 },
      { scenario: "email", count: 1, sum: 3 },
    ]);
    expect(await ratings.read("2001:db8::1")).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
    expect(await ratings.read("203.0.113.8")).toEqual([]);
  });

  test("saveVote() of 40 at once through two stores keeps one of a voter, and each of 40 voters", async () => {
    const other = await backend.open();
    const castAll = (scenario: string, nameOf: (n: number) => string) =>
      Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? store : other).ratings.saveVote(vote({ scenario, voter: nameOf(n), rating: 3 })),
        ),
      );
    await castAll("ai", () => "v");
    await castAll("email", (n) => `v${n}`);
    expect(await other.ratings.read(ADDRESS)).toEqual([
      { scenario: "ai", count: 1, sum: 3 },
      { scenario: "email", count: 40, sum: 120 },
    ]);
  });

  test("find() reads the sums of its own address with the report", async () => {
    const report = makeReport(ADDRESS, 5);
    await store.save(report, "{}");
    await store.ratings.saveVote(vote({ address: "203.0.113.8", rating: 1 }));
    expect((await store.find(ADDRESS))?.votes).toEqual([]);
    await store.ratings.saveVote(vote({ scenario: "email", rating: 4 }));
    await store.ratings.saveVote(vote({ rating: 2 }));
    expect(await store.find(ADDRESS)).toMatchObject({
      ...report,
      votes: [
        { scenario: "ai", count: 1, sum: 2 },
        { scenario: "email", count: 1, sum: 4 },
      ],
    });
  });

  test("votes outlive every change of the report, and a restart", async () => {
    await store.ratings.saveVote(vote());
    await store.save(makeReport(ADDRESS, 5), "{}");
    await store.rescore({
      ...makeReport(ADDRESS, 5),
      assessment: { ...makeReport(ADDRESS, 5).assessment, scoringVersion: 2 },
    });
    await store.save(makeReport(ADDRESS, 6), "{}");
    const client = createClient({ url: backend.url });
    await client.execute("DELETE FROM reports");
    await client.execute("DELETE FROM history");
    client.close();
    await backend.sqld?.restart();
    const again = await backend.open();
    await again.save(makeReport(ADDRESS, 7), "{}");
    expect((await again.find(ADDRESS))?.votes).toEqual([{ scenario: "ai", count: 1, sum: 5 }]);
  });

  test("saveVote() keeps sums that equal the votes, whatever is cast", async () => {
    let run = 0;
    const one = fc.record({
      scenario: fc.constantFrom("ai", "email"),
      voter: fc.constantFrom("v1", "v2", "v3", "v4"),
      day: fc.constantFrom(DAY, DAY + 1),
      rating: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 20 }), async (cast) => {
        run += 1;
        const address = `2001:db8::${run}`;
        const kept = new Map<string, { scenario: string; rating: number }>();
        for (const { scenario, voter, day, rating } of cast) {
          await store.ratings.saveVote({ address, scenario, voter, day, rating });
          kept.set(`${scenario} ${day} ${voter}`, { scenario, rating });
        }
        const sums = ["ai", "email"].flatMap((scenario) => {
          const ratings = [...kept.values()].filter((entry) => entry.scenario === scenario);
          if (ratings.length === 0) return [];
          return [
            { scenario, count: ratings.length, sum: ratings.reduce((sum, { rating }) => sum + rating, 0) },
          ];
        });
        expect(await store.ratings.read(address)).toEqual(sums);
      }),
      { numRuns: kind === "file" ? 60 : 20 },
    );
  });

  test("takes words for text, and fails as a StoreError", async () => {
    const words = [`'); DROP TABLE ratings; --`, "__proto__", '"\\\n汉'];
    for (const scenario of words) {
      await store.ratings.saveVote(vote({ address: scenario, scenario, voter: scenario }));
      expect(await store.ratings.read(scenario)).toEqual([{ scenario, count: 1, sum: 5 }]);
    }
    const client = createClient({ url: backend.url });
    await client.execute("DROP TABLE ratings");
    await client.execute("DROP TABLE vote_sums");
    client.close();
    const works = [store.ratings.saveVote(vote()), store.ratings.read(ADDRESS), store.find(ADDRESS)];
    for (const failure of await Promise.all(works.map((work) => work.catch((error: unknown) => error)))) {
      expect(failure).toBeInstanceOf(StoreError);
    }
  });
});
