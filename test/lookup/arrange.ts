import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, parseAddress } from "#address";
import type { SourceRun, Survey } from "#evidence";
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
import { createTimeline, type Timeline } from "./timeline.ts";

export const DAY_MS = 86_400_000;
export const ADDRESS = readAddress("8.8.4.200");
export const OTHER = readAddress("2a00:1450::77");

export const migrations = join(import.meta.dir, "../../drizzle");
const open: (() => Promise<void>)[] = [];

/** Closes and removes what {@link arrange} has opened. */
export async function tidy(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

export function readAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}

export function makeRun(id: string, state: SourceRun["state"], local = false): SourceRun {
  return {
    id,
    name: `The ${id}`,
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

export const HEARD = [makeRun("a", "answered"), makeRun("b", "empty"), makeRun("t", "answered", true)];
export const UNHEARD = [makeRun("a", "failed"), makeRun("t", "answered", true)];

/** Whoever asks: counts its asks and what it was given back. */
export interface Asker {
  readonly admit: () => Promise<Admission>;
  readonly asked: number;
  givenBack: number;
}

export const REFUSAL = { code: "verification_required", reason: "client_day", limit: 5 } as const;

/** The limits of an admission that is charged, and of one that was refunded. */
export const CHARGED = [limitOf("new-ip"), limitOf("open-minute"), limitOf("open-day")];
export const REFUNDED = [limitOf("new-ip")];

function limitOf(policy: "new-ip" | "open-minute" | "open-day") {
  return { policy, quota: 5, windowSeconds: 60, remaining: 4, resetSeconds: 60 } as const;
}

export function makeAsker(verdict: "admit" | "deny" = "admit", wait?: () => Promise<void>): Asker {
  const asker = {
    asked: 0,
    givenBack: 0,
    async admit(): Promise<Admission> {
      asker.asked += 1;
      await wait?.();
      if (verdict === "deny") return { admitted: false, refusal: REFUSAL, limits: [], remaining: 0 };
      return { admitted: true, limits: CHARGED, remaining: 4 };
    },
  };
  return asker;
}

/** The admissions of a lookup whose callers each bring an asker; `clientOf` gives the client that stands for one. */
export function createAskerAdmissions(): Pick<Admissions, "request" | "refund"> & {
  readonly clientOf: (asker: Asker) => LookupRequest["client"];
} {
  const askers: Asker[] = [];
  const payers = new Map<Admitted, Asker>();
  return {
    clientOf: (asker) => ({ key: String(askers.push(asker) - 1), exempt: false }),
    async request({ client }) {
      const asker = askers[Number(client.key)];
      if (asker === undefined) throw new Error(`Cannot admit unknown client "${client.key}"`);
      const admission = await asker.admit();
      if (!admission.admitted) return admission;
      const own = { ...admission };
      payers.set(own, asker);
      return own;
    },
    refund(admission) {
      const payer = payers.get(admission);
      if (payer !== undefined) payer.givenBack += 1;
      payers.delete(admission);
      return REFUNDED;
    },
  };
}

/** One caller: what it sees and gets. */
export interface Caller {
  readonly asker: Asker;
  /** Without the caller's own admission. */
  readonly seen: SurveyEvent[];
  readonly leave: () => void;
  /** Its result, or "left". */
  readonly result: Promise<LookupResult | "left">;
  readonly state: () => LookupResult["kind"] | "left" | "waiting";
}

export interface Arranged extends Lookups {
  readonly timeline: Timeline;
  readonly store: Store;
  readonly calls: Record<"survey" | "everyone" | "special" | "find" | "save" | "readVotes", number>;
  readonly logged: string[];
  readonly call: (
    address?: Address,
    options?: { readonly refresh?: boolean; readonly asker?: Asker; readonly watch?: LookupRequest["watch"] },
  ) => Caller;
  /** Looks up and insists on an answer. */
  readonly answer: (address?: Address, refresh?: boolean) => Promise<Answer>;
  /** From now on surveys end only when released: addresses under survey, in order. */
  readonly hold: () => void;
  readonly held: () => readonly string[];
  /** Lets the source of a held survey end, and then the survey. */
  readonly release: (address?: string) => Promise<void>;
  readonly breakStore: (broken?: boolean) => void;
  /** From now on the store answers nothing, not even that it cannot. */
  readonly stallStore: () => void;
}

/** A lookup over a real database, with every call counted, time in hand, and surveys that end when told to. */
export async function arrange(
  options: {
    readonly live?: boolean;
    readonly maxSurveys?: number;
    readonly maxWaiting?: number;
    readonly maxWaitMs?: number;
    /** What the surveys hear, one after another; the last again and again. */
    readonly runs?: readonly (readonly SourceRun[])[];
    /** Shared with an earlier one. */
    readonly store?: Store;
    /** Whether the store is also asked for answers at once. */
    readonly atOnce?: boolean;
    /** Called whenever votes alone are about to be read. */
    readonly onReadVotes?: () => void;
  } = {},
): Promise<Arranged> {
  const timeline = createTimeline();
  const store = options.store ?? (await openStoreOfOurOwn());
  const calls = { survey: 0, everyone: 0, special: 0, find: 0, save: 0, readVotes: 0 };
  const logged: string[] = [];
  const held: { readonly address: string; readonly release: () => void }[] = [];
  let isHolding = false;
  let isBroken = false;
  let isStalled = false;
  const runs = options.runs ?? [HEARD];

  function reach<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isStalled) return new Promise(() => {});
    return isBroken ? Promise.reject(new Error("disk is gone")) : work();
  }

  const admissions = createAskerAdmissions();
  const { lookup, findKnown, findKnownNow, noteVotes, load, flush } = createLookup({
    store: {
      find(address) {
        calls.find += 1;
        return reach(() => store.find(address));
      },
      findSurvey: (address) => reach(() => store.findSurvey(address)),
      save(report, survey) {
        calls.save += 1;
        return reach(() => store.save(report, survey));
      },
      rescore: (report) => reach(() => store.rescore(report)),
      ratings: {
        read(address) {
          calls.readVotes += 1;
          options.onReadVotes?.();
          return reach(() => store.ratings.read(address));
        },
      },
    },
    async survey(address, { everyone, watch }) {
      const heard = runs[Math.min(calls.survey, runs.length - 1)] ?? [];
      calls.survey += 1;
      if (everyone) calls.everyone += 1;
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
      ? { findNow: (address: string) => (isBroken ? undefined : store.findNow?.(address)) }
      : {}),
    now: timeline.now,
    after: timeline.after,
    live: options.live ?? true,
    staleMs: 7 * DAY_MS,
    cacheEntries: 100,
    cacheMs: 600_000,
    maxSurveys: options.maxSurveys ?? 8,
    maxWaiting: options.maxWaiting ?? 8,
    maxWaitMs: options.maxWaitMs ?? 15_000,
    log: (_, event) => logged.push(event),
  });

  function call(address = ADDRESS, wish: Parameters<Arranged["call"]>[1] = {}): Caller {
    const asker = wish.asker ?? makeAsker();
    const seen: SurveyEvent[] = [];
    const leaving = new AbortController();
    let state: ReturnType<Caller["state"]> = "waiting";
    const result = lookup(
      {
        address,
        refresh: wish.refresh ?? false,
        client: admissions.clientOf(asker),
        watch:
          wish.watch ??
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
    return { asker, seen, result, leave: () => leaving.abort(), state: () => state };
  }

  return {
    lookup,
    findKnown,
    findKnownNow,
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
    breakStore(broken = true) {
      isBroken = broken;
    },
    stallStore() {
      isStalled = true;
    },
  };
}

async function openStoreOfOurOwn(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-lookup-"));
  const store = await openStore({ url: `file:${join(folder, "a.db")}`, migrations });
  open.push(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

function makeSurveyOf(address: Address, runs: readonly SourceRun[], now: number): Survey {
  return { address: address.text, version: address.version, surveyedAt: new Date(now).toISOString(), runs };
}
