import { beforeAll, describe, expect, test } from "bun:test";
import type { SourceRun } from "#evidence";
import { createClock, findFreePort } from "#kit";
import type { Source } from "#sources";
import GOLDEN_SOURCES from "../../fixtures/golden_sources.json";
import { createMutator } from "./create_mutator.ts";
import { type DnsFault, listDnsFaults } from "./dns_faults.ts";
import {
  breakDns,
  breakHttp,
  createMemory,
  LIVE,
  OVER_DNS,
  OVER_HTTP,
  openFaultSetup,
  SURVEY_MS,
  typeOf,
} from "./fault_setup.ts";
import { type FaultRow, isKept, matchGoldenPart, renderPart, tell } from "./fault_table.ts";
import { type HttpFault, listHttpFaults } from "./http_faults.ts";
import { judgeReport } from "./judge_report.ts";
import { type FaultySurvey, reportOn, surveyFaults } from "./survey_faults.ts";

const BOOTSTRAP = "data.iana.org";
const LATE_MS = 100;
const SURVEY_LATE_MS = 200;
const TURNS = 3;
const LOSS = 0.3;
const LOSS_TURNS = 6;
/** Longer than a lost self-test is remembered, for any number of losses. */
const PATIENCE_MS = 300_000;
const SIDE_BY_SIDE = 4;
/** Twice what all answers may hold at most, and as much for the kernel's buffers. */
const MOST_BYTES = 128 * 1_048_576;
const MOST_GROWTH_BYTES = 256 * 1_048_576;

/** Something that can be broken by itself: RDAP asks two different hosts one after the other. */
interface Unit {
  readonly name: "HTTP" | "RDAP bootstrap" | "RDAP registry";
  readonly source: Source;
  readonly hosts: readonly string[];
}

const UNITS: readonly Unit[] = OVER_HTTP.flatMap((source): Unit[] => {
  const hosts = source.hosts ?? [];
  if (source.id !== "rdap") return [{ name: "HTTP", source, hosts }];
  return [
    { name: "RDAP bootstrap", source, hosts: [BOOTSTRAP] },
    { name: "RDAP registry", source, hosts: hosts.filter((host) => host !== BOOTSTRAP) },
  ];
});
const DNS_CLASSES = [
  ["lists", (source: Source) => source.zone !== undefined],
  ["Tor DNSEL", (source: Source) => source.id === "tor_dnsel"],
  ["Team Cymru", (source: Source) => source.id === "team_cymru"],
  ["reverse DNS", (source: Source) => source.id === "reverse_dns"],
] as const;

/** A listener that must never get a connection. */
let knocks = 0;
const canary = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open: () => {
      knocks += 1;
    },
    data() {},
  },
});
canary.unref();

let well: ReadonlyMap<string, SourceRun>;

beforeAll(async () => {
  const { runs } = await surveyFaults(() => {});
  well = new Map(runs.map((run) => [run.id, run]));
  expect(runs.filter(({ state }) => state !== "answered")).toEqual([]);
});

/** One fault, played by these sources in one survey. */
interface Play {
  readonly broken: readonly Source[];
  readonly outcome: FaultySurvey;
}

/** What must be true with any fault. */
function judge({ broken, outcome }: Play, fault: HttpFault | DnsFault): void {
  const { runs, ms, lagMs, sentBytes, grownBytes, leaked } = outcome;
  const isBroken = new Set(broken.map(({ id }) => id));
  expect(runs.map(({ id }) => id)).toEqual(LIVE.map(({ id }) => id));
  for (const run of runs) {
    const limitMs = LIVE.find(({ id }) => id === run.id)?.timeoutMs ?? 0;
    expect([run.id, run.ms <= limitMs + LATE_MS + lagMs]).toEqual([run.id, true]);
    const { state, error, observation, skipped } = run;
    const usual = well.get(run.id);
    if (!isBroken.has(run.id)) {
      // If the machine was so late that packets expired, no source is at fault.
      if (lagMs > 500 && state === "failed" && (error === "timeout" || error === "unavailable")) continue;
      expect([run.id, state, observation]).toEqual([run.id, "answered", usual?.observation]);
      continue;
    }
    if (state === "answered") {
      // The fault does no harm, or there was nothing to harm.
      expect([run.id, withoutLosses(observation, usual?.observation)]).toEqual([run.id, usual?.observation]);
      continue;
    }
    expect([run.id, observation]).toEqual([run.id, undefined]);
    if (state === "skipped") expect([run.id, skipped]).toEqual([run.id, "zone_retired"]);
    else expect([run.id, state, fault.errors]).toEqual([run.id, "failed", expect.arrayContaining([error])]);
    expect((run.detail ?? "").length).toBeLessThanOrEqual(120);
  }
  expect(ms).toBeLessThanOrEqual(SURVEY_MS + SURVEY_LATE_MS + lagMs);
  expect(leaked).toBe(0);
  expect(sentBytes).toBeLessThan(MOST_BYTES);
  expect(grownBytes).toBeLessThan(MOST_GROWTH_BYTES);
  judgeReport(runs);
}

/** `1e999` removes numbers such as the AS number, and nothing that costs points. */
function withoutLosses(observation: SourceRun["observation"], usual: SourceRun["observation"]) {
  if (observation === undefined || usual === undefined) return observation;
  const { asn, sharing, abuse } = usual;
  const attacks = Object.keys(abuse?.attacks ?? {});
  const isAsMuch = attacks.every((type) => observation.abuse?.attacks?.[type] !== undefined);
  return {
    ...observation,
    ...(asn === undefined || observation.asn?.name !== asn.name ? {} : { asn }),
    ...(sharing === undefined ? {} : { sharing }),
    ...(abuse === undefined || !isAsMuch ? {} : { abuse }),
  };
}

function word({ state, error }: SourceRun): string {
  return state === "failed" ? `failed: ${error}` : state === "skipped" ? "skipped: retired" : state;
}

/** The document is about the fixed sources; what must hold for every source is judged before. */
function wordsOf(plays: readonly Play[], isMine: (source: Source) => boolean): string {
  const words = plays.flatMap(({ broken, outcome }) =>
    broken
      .filter((source) => isMine(source) && GOLDEN_SOURCES.includes(source.id))
      .flatMap(({ id }) => {
        const run = outcome.runs.find((one) => one.id === id);
        return run === undefined ? [] : [{ id, word: word(run) }];
      }),
  );
  return words.length === 0 ? "–" : tell(words);
}

async function playHttp(fault: HttpFault): Promise<FaultRow> {
  const halves = [0, 1].map((half) => UNITS.filter((_, at) => at % 2 === half));
  const plays = await inTurn(halves, fault, async (units) => {
    const outcome = await surveyFaults((at) => {
      for (const { hosts } of units) breakHttp(at, hosts, fault.reply);
    });
    return { units, broken: units.map(({ source }) => source), outcome };
  });
  for (const play of plays) judge(play, fault);
  const cell = (name: Unit["name"]) =>
    wordsOf(
      plays.map(({ units, outcome }) => ({
        outcome,
        broken: units.filter((unit) => unit.name === name).map(({ source }) => source),
      })),
      () => true,
    );
  return { fault: fault.name, cells: [cell("HTTP"), cell("RDAP bootstrap"), cell("RDAP registry")] };
}

async function playDns(fault: DnsFault, isHalf: boolean): Promise<FaultRow> {
  const mine = OVER_DNS.filter(
    (source) =>
      (fault.types === undefined || fault.types.includes(typeOf(source))) &&
      (!isHalf || source.selfTest !== undefined || fault.errors === undefined),
  );
  const plays = await inTurn([0, 1], fault, async (half) => {
    const broken = mine.filter((_, at) => at % 2 === half);
    const outcome = await surveyFaults((at) => {
      for (const source of broken) {
        breakDns(at, source, fault.responder(at.wellDns.get(source.id) ?? []), isHalf);
      }
    });
    return { broken, outcome };
  });
  for (const play of plays) judge(play, fault);
  return {
    fault: isHalf ? `${fault.name}, except for the self-test` : fault.name,
    cells: DNS_CLASSES.map(([, isMine]) => wordsOf(plays, isMine)),
  };
}

/** One after the other, because they measure time; those that only wait run at the same time. */
async function inTurn<Half, Result>(
  halves: readonly Half[],
  { isSlow }: { readonly isSlow?: true },
  play: (half: Half) => Promise<Result>,
): Promise<readonly Result[]> {
  if (isSlow === true) return Promise.all(halves.map(play));
  const results: Result[] = [];
  for (const half of halves) results.push(await play(half));
  return results;
}

/**
 * Slow faults run a few at a time, because more lose packets. A row that differs from the document runs again, because
 * a busy machine can turn any answer into a timeout.
 */
async function playAll<Fault extends { readonly isSlow?: true }>(
  faults: readonly Fault[],
  play: (fault: Fault) => Promise<FaultRow>,
): Promise<readonly FaultRow[]> {
  const rows = new Map<Fault, FaultRow>();
  const playWell = async (fault: Fault) => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const row = await play(fault);
      rows.set(fault, row);
      if (isKept(row)) return;
    }
  };
  const slow = faults.filter(({ isSlow }) => isSlow === true);
  for (let at = 0; at < slow.length; at += SIDE_BY_SIDE) {
    await Promise.all(slow.slice(at, at + SIDE_BY_SIDE).map(playWell));
  }
  for (const fault of faults.filter(({ isSlow }) => isSlow !== true)) await playWell(fault);
  return faults.flatMap((fault) => rows.get(fault) ?? []);
}

describe("a survey under faults", () => {
  test("of HTTP answers: is what docs/proofs/faults.md says", async () => {
    const rows = await playAll(listHttpFaults(canary.port), playHttp);
    expect(knocks).toBe(0);
    matchGoldenPart(
      renderPart({
        title: "HTTP answers",
        columns: ["HTTP sources", "RDAP, its bootstrap", "RDAP, the registry"],
        rows,
      }),
    );
  });

  test("of DNS answers: is what docs/proofs/faults.md says", async () => {
    const faults = listDnsFaults();
    const rows = await playAll(
      faults.flatMap((fault) => {
        const isSplit = fault.types === undefined || fault.types.includes("A");
        // A list that answers its self-test like the query counts as retired, with a harmless fault too.
        const whole = {
          fault,
          isHalf: false,
          ...(fault.isSlow === undefined ? {} : { isSlow: fault.isSlow }),
        };
        if (!isSplit || fault.isWhole === true) return [whole];
        return fault.errors === undefined
          ? [{ ...whole, isHalf: true }]
          : [whole, { ...whole, isHalf: true }];
      }),
      ({ fault, isHalf }) => playDns(fault, isHalf),
    );
    matchGoldenPart(
      renderPart({
        title: "DNS answers",
        columns: DNS_CLASSES.map(([name]) => name),
        rows,
      }),
    );
  });

  test("of 30 % of the DNS packets: gets most answers, marks no other source as failed, and gets the rest on the next try", async () => {
    const { random } = createMutator(30);
    const at = await openFaultSetup();
    try {
      for (const source of OVER_DNS) {
        breakDns(at, source, () => (random() < LOSS ? "SILENCE" : (at.wellDns.get(source.id) ?? [])), true);
      }
      for (const [name, reply] of [
        [/^2\.0\.0\.127\./, ["127.0.0.2"]],
        [/^1\.0\.0\.127\./, "NXDOMAIN"],
      ] as const) {
        at.dns.on(name, "A", () => (random() < LOSS ? "SILENCE" : reply));
      }
      const clock = createClock();
      const memory = createMemory(clock.now);
      const heard = new Set<string>();
      for (let turn = 0; turn < LOSS_TURNS; turn += 1) {
        const runs = await at.survey(LIVE, memory);
        for (const { id, state, error, observation } of runs) {
          if (state === "answered") {
            heard.add(id);
            expect([id, observation]).toEqual([id, well.get(id)?.observation]);
          } else {
            expect([id, state, OVER_DNS.some((source) => source.id === id)]).toEqual([id, "failed", true]);
            expect(["timeout", "unavailable"]).toContain(error ?? "");
          }
        }
        judgeReport(runs);
        if (turn === 0) expect(heard.size).toBeGreaterThan(OVER_HTTP.length + OVER_DNS.length / 3);
        clock.advance(PATIENCE_MS);
      }
      expect(LIVE.filter(({ id }) => !heard.has(id))).toEqual([]);
    } finally {
      await at.close();
    }
  });

  test("of everything at once: says that no source answered", async () => {
    const nobody = `127.0.0.1:${await findFreePort()}`;
    const { runs, ms } = await surveyFaults(() => {}, { gatewayUrl: `http://${nobody}`, dnsAddress: nobody });
    // A datagram without a receiver is lost without an error.
    expect(runs.filter(({ state }) => state !== "failed")).toEqual([]);
    expect([...new Set(runs.map(({ error }) => error))].sort()).toEqual(["refused", "timeout"]);
    expect(ms).toBeLessThan(SURVEY_MS);
    judgeReport(runs);
    expect(reportOn(runs).risk.confidence).toBe("low");
  });
});
