import { describe, expect, test } from "bun:test";
import { type Address, parseAddress } from "#address";
import type { SourceRun, Survey } from "#evidence";
import { createClock } from "#kit";
import { type Answer, createLookup, type LookupResult } from "#lookup";
import type { StoredReport } from "#store";

const ADDRESS = read("8.8.4.200");
const OTHER = read("2a00:1450::77");
const DAY_MS = 86_400_000;

function read(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}

function makeRun(id: string, state: SourceRun["state"], local = false): SourceRun {
  return {
    id,
    name: id,
    kind: "free",
    family: id,
    matters: ["anonymity"],
    weight: 1,
    local,
    state,
    ms: 5,
    ...(state === "failed" ? { error: "timeout" as const } : {}),
    ...(state === "answered" ? { observation: {} } : {}),
  };
}

/** A lookup over a real map in place of the database, with every call counted. */
function arrange(
  options: { live?: boolean; maxSurveys?: number; runs?: readonly SourceRun[][]; stored?: StoredReport } = {},
) {
  const clock = createClock();
  const rows = new Map<string, StoredReport>();
  if (options.stored !== undefined) rows.set(options.stored.address, options.stored);
  const calls = { survey: 0, everyone: 0, special: 0, find: 0, save: 0, admit: 0 };
  const gates: (() => void)[] = [];
  let hold = false;
  let broken = false;
  const logged: string[] = [];
  const runs = options.runs ?? [
    [makeRun("a", "answered"), makeRun("b", "empty"), makeRun("t", "answered", true)],
  ];

  async function survey(address: Address, chosen: readonly SourceRun[]): Promise<Survey> {
    if (hold) await new Promise<void>((resolve) => gates.push(resolve));
    return {
      address: address.text,
      version: address.version,
      surveyedAt: new Date(clock.now()).toISOString(),
      runs: chosen,
    };
  }

  const lookup = createLookup({
    store: {
      async find(address) {
        calls.find += 1;
        if (broken) throw new Error("disk is gone");
        return rows.get(address);
      },
      async findSurvey() {
        throw new Error("nobody asks for a survey of this version");
      },
      async save(report) {
        calls.save += 1;
        if (broken) throw new Error("disk is gone");
        rows.set(report.address, report);
      },
      async rescore() {
        throw new Error("nothing here is of another version");
      },
    },
    survey(address, { everyone }) {
      calls.survey += 1;
      if (everyone) calls.everyone += 1;
      return survey(address, runs[Math.min(calls.survey - 1, runs.length - 1)] ?? []);
    },
    surveySpecial(address) {
      calls.special += 1;
      return survey(address, [makeRun("special_purpose", "answered", true)]);
    },
    now: clock.now,
    live: options.live ?? true,
    staleMs: 7 * DAY_MS,
    cacheEntries: 100,
    cacheMs: 600_000,
    maxSurveys: options.maxSurveys ?? 64,
    log: (_, event) => logged.push(event),
  });
  const admit = () => {
    calls.admit += 1;
    return { admitted: true } as const;
  };
  return {
    clock,
    rows,
    calls,
    logged,
    lookup: (address = ADDRESS, refresh = false, signal = new AbortController().signal) =>
      lookup(address, { refresh, admit }, signal),
    raw: lookup,
    holdSurveys: () => {
      hold = true;
    },
    releaseSurveys: () => {
      hold = false;
      for (const release of gates.splice(0)) release();
    },
    breakStore: () => {
      broken = true;
    },
  };
}

function answerOf(result: LookupResult): Answer {
  if (result.kind !== "answer") throw new Error(`Cannot read an answer from "${result.kind}"`);
  return result.answer;
}

describe("createLookup()", () => {
  test("answers fresh, then from the cache, then from the store when memory has forgotten", async () => {
    const world = arrange();
    expect(answerOf(await world.lookup()).tier).toBe("fresh");
    expect(answerOf(await world.lookup()).tier).toBe("cache");
    world.clock.advance(600_001);
    expect(answerOf(await world.lookup()).tier).toBe("store");
    expect(answerOf(await world.lookup()).tier).toBe("cache");
    expect(world.calls).toMatchObject({ survey: 1, save: 1, find: 2, admit: 1 });
  });

  test("keeps addresses apart", async () => {
    const world = arrange();
    expect(answerOf(await world.lookup(ADDRESS)).assessment.address).toBe("8.8.4.200");
    expect(answerOf(await world.lookup(OTHER)).assessment.address).toBe("2a00:1450::77");
    expect(answerOf(await world.lookup(ADDRESS)).assessment.address).toBe("8.8.4.200");
    expect(world.calls.survey).toBe(2);
  });

  test("says stale once a stored report is past the threshold, and still asks nobody", async () => {
    const world = arrange();
    await world.lookup();
    world.clock.advance(7 * DAY_MS);
    expect(answerOf(await world.lookup())).toMatchObject({ tier: "store", stale: false });
    world.clock.advance(1);
    expect(answerOf(await world.lookup())).toMatchObject({ stale: true });
    world.clock.advance(400 * DAY_MS);
    expect(answerOf(await world.lookup())).toMatchObject({ tier: "store", stale: true });
    expect(world.calls.survey).toBe(1);
  });

  test("shares one survey among everyone who asks meanwhile, and only the first pays", async () => {
    const world = arrange();
    world.holdSurveys();
    const waiting = Array.from({ length: 100 }, () => world.lookup());
    await Bun.sleep(0);
    world.releaseSurveys();
    const answers = (await Promise.all(waiting)).map(answerOf);
    expect(answers.every((answer) => answer.tier === "fresh")).toBe(true);
    expect(world.calls).toMatchObject({ survey: 1, save: 1, admit: 1 });
  });

  test("does not store what no live source stood behind, and forgets it after 30 seconds", async () => {
    const failed = [makeRun("a", "failed"), makeRun("t", "answered", true)];
    const world = arrange({ runs: [failed] });
    const first = answerOf(await world.lookup());
    expect(first).toMatchObject({ tier: "fresh" });
    expect(first.assessment.confidence).toBe("low");
    expect(world.calls.save).toBe(0);
    world.clock.advance(29_000);
    expect(answerOf(await world.lookup()).tier).toBe("cache");
    world.clock.advance(1001);
    expect(answerOf(await world.lookup()).tier).toBe("fresh");
    expect(world.calls).toMatchObject({ survey: 2, save: 0 });
  });

  test("stores what the tables say when live sources are off, and asks again once they are on", async () => {
    const tables = [makeRun("t", "answered", true)];
    const off = arrange({ live: false, runs: [tables] });
    await off.lookup();
    expect(off.calls.save).toBe(1);
    off.clock.advance(600_001);
    expect(answerOf(await off.lookup()).tier).toBe("store");

    const stored = off.rows.get(ADDRESS.text);
    if (stored === undefined) throw new Error("Cannot find the stored report");
    const on = arrange({ stored });
    expect(answerOf(await on.lookup()).tier).toBe("fresh");
    expect(on.calls.survey).toBe(1);
  });

  test("answers special-purpose space from the tables without store, cache or admission", async () => {
    const world = arrange();
    const answer = answerOf(await world.lookup(read("192.168.1.1")));
    expect(answer.tier).toBe("fresh");
    expect(answer.assessment).toMatchObject({ purity: 50, confidence: "low", flags: { isBogon: true } });
    await world.lookup(read("192.168.1.1"), true);
    expect(world.calls).toEqual({ survey: 0, everyone: 0, special: 2, find: 0, save: 0, admit: 0 });
  });

  test("denies the caller that would start a survey without a place, and spends nothing", async () => {
    const world = arrange();
    const deny = () => ({ admitted: false, retryAfterMs: 1500 }) as const;
    const result = await world.raw(ADDRESS, { refresh: false, admit: deny }, new AbortController().signal);
    expect(result).toEqual({ kind: "denied", retryAfterMs: 1500 });
    expect(world.calls.survey).toBe(0);
    await world.lookup();
    const known = await world.raw(ADDRESS, { refresh: false, admit: deny }, new AbortController().signal);
    expect(known.kind).toBe("answer");
  });

  test("sheds a survey beyond its bound and still answers what it knows", async () => {
    const world = arrange({ maxSurveys: 1 });
    await world.lookup(OTHER);
    world.holdSurveys();
    const first = world.lookup(ADDRESS);
    await Bun.sleep(0);
    expect(await world.lookup(read("8.8.4.201"))).toMatchObject({ kind: "overloaded" });
    expect(answerOf(await world.lookup(OTHER)).tier).toBe("cache");
    world.releaseSurveys();
    expect(answerOf(await first).tier).toBe("fresh");
    expect(answerOf(await world.lookup(read("8.8.4.201"))).tier).toBe("fresh");
  });

  test("lets a caller leave without ending the survey for the others", async () => {
    const world = arrange();
    world.holdSurveys();
    const leaving = new AbortController();
    const left = world.lookup(ADDRESS, false, leaving.signal).catch((error: unknown) => error);
    const stayed = world.lookup(ADDRESS);
    await Bun.sleep(0);
    leaving.abort();
    expect(await left).toBeInstanceOf(Error);
    world.releaseSurveys();
    expect(answerOf(await stayed).tier).toBe("fresh");
    expect(world.calls.survey).toBe(1);
  });

  test("refreshes past cache and store, and keeps the old report when the new survey heard less than half", async () => {
    const rich = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "answered")];
    const poor = [makeRun("a", "answered"), makeRun("b", "failed"), makeRun("c", "failed")];
    const fair = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "failed")];
    const world = arrange({ runs: [rich, poor, fair] });
    const first = answerOf(await world.lookup());
    world.clock.advance(1000);
    const kept = answerOf(await world.lookup(ADDRESS, true));
    expect(kept).toMatchObject({ tier: "store", stale: true });
    expect(kept.assessment).toEqual(first.assessment);
    expect(world.logged).toContain("refresh_poorer");
    const replaced = answerOf(await world.lookup(ADDRESS, true));
    expect(replaced).toMatchObject({ tier: "fresh", stale: false });
    expect(replaced.assessment.surveyedAt).not.toBe(first.assessment.surveyedAt);
    expect(answerOf(await world.lookup()).assessment).toEqual(replaced.assessment);
    // A refresh asks the scarce sources too, whatever the free ones say.
    expect(world.calls).toMatchObject({ survey: 3, everyone: 2, save: 2 });
  });

  test("answers when the database cannot be read or written, and says so in the log", async () => {
    const world = arrange();
    world.breakStore();
    expect(answerOf(await world.lookup()).tier).toBe("fresh");
    expect(answerOf(await world.lookup()).tier).toBe("cache");
    expect(world.logged).toEqual(["store_unreadable", "store_unwritable"]);
  });
});
