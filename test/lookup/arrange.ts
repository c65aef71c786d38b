import { join } from "node:path";
import type { Address } from "#address";
import type { SourceRun, Survey } from "#evidence";
import { createTemporaryFolder, MIGRATIONS, readAddress, writeEmptyDatabase } from "#kit";
import type { Admission, Admissions, Admitted } from "#limits";
import {
  type Answer,
  createLookup,
  type LookupRequest,
  type LookupResult,
  type Lookups,
  type SurveyEvent,
} from "#lookup";
import { openStore, type Store } from "#store";
import { completeRun } from "../scoring/surveys.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

export const DAY_MS = 86_400_000;
export const ADDRESS = readAddress("8.8.4.200");
export const OTHER = readAddress("2a00:1450::77");

const open: (() => Promise<void>)[] = [];

/** Closes and removes what {@link arrange} has opened. */
export async function tidy(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

export function makeRun(id: string, state: SourceRun["state"], local = false): SourceRun {
  const run = completeRun({ id, name: `The ${id}`, matters: ["anonymity"], local, state, ms: 5 });
  if (state === "failed") return { ...run, error: "timeout" };
  return state === "answered" ? { ...run, observation: {} } : run;
}

export const ANSWERED = [makeRun("a", "answered"), makeRun("b", "empty"), makeRun("t", "answered", true)];
export const UNANSWERED = [makeRun("a", "failed"), makeRun("t", "answered", true)];

/** A client: counts its admission requests and its refunds. */
export interface Requester {
  readonly admit: () => Promise<Admission>;
  readonly requests: number;
  refunds: number;
}

export const REFUSAL = { code: "verification_required", reason: "client_day", limit: 5 } as const;

/** The limits of an admission that is charged, and of one that was refunded. */
export const CHARGED = [limitOf("new-ip"), limitOf("open-minute"), limitOf("open-day")];
export const REFUNDED = [limitOf("new-ip")];

function limitOf(policy: "new-ip" | "open-minute" | "open-day") {
  return { policy, quota: 5, windowSeconds: 60, remaining: 4, resetSeconds: 60 } as const;
}

export function makeRequester(verdict: "admit" | "deny" = "admit", wait?: () => Promise<void>): Requester {
  const requester = {
    requests: 0,
    refunds: 0,
    async admit(): Promise<Admission> {
      requester.requests += 1;
      await wait?.();
      if (verdict === "deny") return { admitted: false, refusal: REFUSAL, limits: [], remaining: 0 };
      return { admitted: true, limits: CHARGED, remaining: 4 };
    },
  };
  return requester;
}

/** The admissions of a lookup whose callers each have an requester; `clientOf` returns the client of an requester. */
export function createRequesterAdmissions(): Pick<Admissions, "request" | "refund"> & {
  readonly clientOf: (requester: Requester) => LookupRequest["client"];
} {
  const requesters: Requester[] = [];
  const charged = new Map<Admitted, Requester>();
  return {
    clientOf: (requester) => ({ key: String(requesters.push(requester) - 1), exempt: false }),
    async request({ client }) {
      const requester = requesters[Number(client.key)];
      if (requester === undefined) throw new Error(`Cannot admit unknown client "${client.key}"`);
      const admission = await requester.admit();
      if (!admission.admitted) return admission;
      const own = { ...admission };
      charged.set(own, requester);
      return own;
    },
    refund(admission) {
      const chargedRequester = charged.get(admission);
      if (chargedRequester !== undefined) chargedRequester.refunds += 1;
      charged.delete(admission);
      return REFUNDED;
    },
  };
}

/** One caller: its events and its result. */
export interface Caller {
  readonly requester: Requester;
  /** The events, except `admitted`. */
  readonly seen: SurveyEvent[];
  readonly leave: () => void;
  /** Its result, or "left". */
  readonly result: Promise<LookupResult | "left">;
  readonly state: () => LookupResult["kind"] | "left" | "waiting";
}

export interface Arranged extends Lookups {
  readonly timeline: Timeline;
  readonly store: Store;
  readonly calls: Record<
    "survey" | "askAll" | "special" | "find" | "findSurvey" | "save" | "rescore" | "readVotes",
    number
  >;
  readonly logged: string[];
  readonly call: (
    address?: Address,
    options?: {
      readonly refresh?: boolean;
      readonly requester?: Requester;
      readonly watch?: LookupRequest["watch"];
    },
  ) => Caller;
  /** Looks up; throws when the result is not an answer. */
  readonly answer: (address?: Address, refresh?: boolean) => Promise<Answer>;
  /** From now on, surveys end only when they are released. Returns the surveyed addresses, in order. */
  readonly hold: () => void;
  readonly held: () => readonly string[];
  /** Ends the source of a held survey, and then the survey. */
  readonly release: (address?: string) => Promise<void>;
  readonly breakStore: () => void;
  /** Mends the store, and moves the clock. */
  readonly mendStore: (ms?: number) => Promise<void>;
  /** From now on, calls of the store never settle. */
  readonly stallStore: () => void;
}

/** A lookup over a real database that counts every call, with a clock of the test and surveys that the test ends. */
export async function arrange(
  options: {
    readonly live?: boolean;
    /** Surveys end only when they are released, from the first one on. */
    readonly hold?: boolean;
    readonly maxSurveys?: number;
    readonly maxWaiting?: number;
    readonly maxWaitMs?: number;
    /** The number of live sources that answer in each survey; the last number repeats. */
    readonly runs?: readonly (readonly SourceRun[])[];
    /** The store of an earlier lookup. */
    readonly store?: Store;
    /** Start of the clock, in milliseconds since the epoch. */
    readonly startMs?: number;
    /** Whether the lookup also uses `findSync` of the store. */
    readonly atOnce?: boolean;
    /** Called before each read of votes only. */
    readonly onReadVotes?: () => void;
  } = {},
): Promise<Arranged> {
  const timeline = createTimeline(options.startMs);
  const store = options.store ?? (await openStoreIn(createTemporaryFolder("limpid-lookup-")));
  const calls = {
    ...{ survey: 0, askAll: 0, special: 0, readVotes: 0 },
    ...{ find: 0, findSurvey: 0, save: 0, rescore: 0 },
  };
  const logged: string[] = [];
  const held: { readonly address: string; readonly release: () => void }[] = [];
  let isHolding = options.hold ?? false;
  let isBroken = false;
  let isStalled = false;
  const runs = options.runs ?? [ANSWERED];

  function reach<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isStalled) return new Promise(() => {});
    return isBroken ? Promise.reject(new Error("disk is gone")) : work();
  }

  const admissions = createRequesterAdmissions();
  const { lookup, findKnown, findKnownSync, noteVotes, load, flush } = createLookup({
    store: {
      find(address) {
        calls.find += 1;
        return reach(() => store.find(address));
      },
      findSurvey(address) {
        calls.findSurvey += 1;
        return reach(() => store.findSurvey(address));
      },
      save(report, survey) {
        calls.save += 1;
        return reach(() => store.save(report, survey));
      },
      rescore(report) {
        calls.rescore += 1;
        return reach(() => store.rescore(report));
      },
      ratings: {
        read(address) {
          calls.readVotes += 1;
          options.onReadVotes?.();
          return reach(() => store.ratings.read(address));
        },
      },
    },
    async survey(address, { askAll, watch }) {
      const heard = runs[Math.min(calls.survey, runs.length - 1)] ?? [];
      calls.survey += 1;
      if (askAll) calls.askAll += 1;
      watch({ kind: "started", sources: heard.map(({ id, name }) => ({ id, name })) });
      if (isHolding) {
        await new Promise<void>((release) => held.push({ address: address.text, release }));
      }
      for (const { id, name, state, ms } of heard) watch({ kind: "source", id, name, state, ms });
      return makeSurveyOf(address, heard, timeline.now());
    },
    async surveySpecial(address) {
      calls.special += 1;
      return makeSurveyOf(address, [makeRun("special_purpose", "answered", true)], timeline.now());
    },
    admissions,
    ...(options.atOnce === true
      ? { findSync: (address: string) => (isBroken ? undefined : store.findSync?.(address)) }
      : {}),
    now: timeline.now,
    after: timeline.after,
    live: options.live ?? true,
    staleMs: 7 * DAY_MS,
    cacheEntries: 100,
    cacheBytes: 16_000_000,
    cacheMs: 600_000,
    maxSurveys: options.maxSurveys ?? 8,
    maxWaiting: options.maxWaiting ?? 8,
    maxWaitMs: options.maxWaitMs ?? 15_000,
    log: (level, event) => level !== "debug" && logged.push(event),
  });

  function call(address = ADDRESS, callOptions: Parameters<Arranged["call"]>[1] = {}): Caller {
    const requester = callOptions.requester ?? makeRequester();
    const seen: SurveyEvent[] = [];
    const leaving = new AbortController();
    let state: ReturnType<Caller["state"]> = "waiting";
    const result = lookup(
      {
        address,
        refresh: callOptions.refresh ?? false,
        client: admissions.clientOf(requester),
        watch:
          callOptions.watch ??
          ((event) => {
            if (event.kind !== "admitted") seen.push(event);
          }),
      },
      leaving.signal,
    ).then(
      (ended) => {
        state = ended.kind;
        return ended;
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) throw error;
        state = "left";
        return "left" as const;
      },
    );
    return { requester, seen, result, leave: () => leaving.abort(), state: () => state };
  }

  return {
    lookup,
    findKnown,
    findKnownSync,
    noteVotes,
    load,
    flush,
    timeline,
    store,
    calls,
    logged,
    call,
    async answer(address, refresh = false) {
      const result = await call(address, { refresh }).result;
      if (result === "left" || result.kind !== "answer") throw new Error("Cannot read an answer");
      return result.answer;
    },
    hold() {
      isHolding = true;
    },
    held: () => held.map(({ address }) => address),
    async release(address) {
      const at = address === undefined ? 0 : held.findIndex((one) => one.address === address);
      const [one] = held.splice(at, 1);
      if (one === undefined) throw new Error("Cannot release: no survey is held");
      one.release();
      await timeline.advance(0);
    },
    breakStore() {
      isBroken = true;
    },
    async mendStore(ms = 0) {
      isBroken = false;
      await timeline.advance(ms);
    },
    stallStore() {
      isStalled = true;
    },
  };
}

/** Opens a new database in this folder, which {@link tidy} closes. */
export async function openStoreIn(folder: string): Promise<Store> {
  await writeEmptyDatabase(join(folder, "a.db"));
  const store = await openStore({ url: `file:${join(folder, "a.db")}`, migrations: MIGRATIONS });
  open.push(async () => {
    await store.close();
  });
  return store;
}

function makeSurveyOf(address: Address, runs: readonly SourceRun[], now: number): Survey {
  return { address: address.text, version: address.version, surveyedAt: new Date(now).toISOString(), runs };
}
