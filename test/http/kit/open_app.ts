import { expect } from "bun:test";
import { join } from "node:path";
import { type Address, isBogon, type Prefix, parseAddress, parsePrefix } from "#address";
import { createPngPainter } from "#app";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import { createApp, describeApp, type History, type HttpContext } from "#http";
import { cleanUpLater, createClock, createTemporaryFolder, MIGRATIONS, writeEmptyDatabase } from "#kit";
import { type Admissions, createAdmissions, createClientNames, createLookupWindow } from "#limits";
import {
  type Answer,
  createTableClassifier,
  type Lookup,
  type LookupRequest,
  type LookupResult,
  type TableClassifier,
  type TableFacts,
} from "#lookup";
import type { Assessment, Tier } from "#report";
import { describeMethod } from "#scoring";
import { createTableSurvey, NO_SETTINGS, SOURCES, type TableSurvey } from "#sources";
import { openStore, type Store } from "#store";
import { createAltchaVerification, createPasses } from "#verification";
import ASSESSMENT from "../../fixtures/http/assessment.json";
import { conform } from "./conform.ts";

export const BASE_URL = "https://limpid.test";
export const SECRET = "a secret of the tests";

const project = join(import.meta.dir, "../../..");
const drawPng = createPngPainter({ packages: join(project, "node_modules"), fonts: join(project, "fonts") });

/** The assessment of a known address, as the lookup returns it. */
export function assessmentOf(address: string, version: 4 | 6 = 4): Assessment {
  return { ...structuredClone(ASSESSMENT as unknown as Assessment), address, version };
}

/** The answer of the database about an address; `change` changes its assessment, `more` the answer. */
export function answerOf(
  { text, version }: { readonly text: string; readonly version?: 4 | 6 },
  change: Partial<Assessment> = {},
  more: Partial<Answer> = {},
): Answer {
  const assessment = { ...assessmentOf(text, version), ...change };
  return { tier: "store", stale: false, assessment, votes: NO_VOTES, liveAnswers: 3, ...more };
}

/** A lookup with this answer, that met these limits. */
export function answered(answer: Answer, limits: LookupResult["limits"] = []): LookupResult {
  return { kind: "answer", limits, answer };
}

/** The tables of the tests know the special-purpose addresses only, as those of a mirror do. */
async function assessBogon(address: Address): Promise<Assessment> {
  const assessment = assessmentOf(address.text, address.version);
  return { ...assessment, flags: { ...assessment.flags, isBogon: isBogon(address) } };
}

/** The tables and lists that ship with the program. */
const SEED = join(project, "seed");
let shipped: TableSurvey | undefined;

function openClassifier(now: () => number, change?: Partial<TableFacts>): TableClassifier {
  shipped ??= createTableSurvey(SOURCES, {
    datasets: openDatasets({ directory: SEED }),
    settings: { ...NO_SETTINGS, off: new Set(FEEDS.map(({ id }) => id)) },
    now,
  });
  const classifier = createTableClassifier(shipped);
  if (change === undefined) return classifier;
  return { ...classifier, classify: (address) => ({ ...classifier.classify(address), ...change }) };
}

export interface Call {
  readonly address: string;
  readonly refresh: boolean;
}

/** A lookup for tests; it also receives the admissions of the app. */
export type TestLookup = (
  request: LookupRequest,
  signal: AbortSignal,
  admissions: Admissions,
) => Promise<LookupResult>;

/** Parts of the context that an app takes as they are; by default it knows no address and no network. */
type Passed = Partial<
  Pick<
    HttpContext,
    | "findKnown"
    | "findKnownSync"
    | "live"
    | "assessTables"
    | "networks"
    | "baseUrl"
    | "every"
    | "ready"
    | "contact"
    | "mirror"
    | "watched"
    | "metrics"
  >
>;

export interface AppOptions extends Passed {
  /** The lookup; by default it answers every address from the cache. */
  readonly lookup?: TestLookup;
  readonly history?: Partial<History>;
  /** What the tables say about every address; by default they are the tables that ship with the program. */
  readonly tableFacts?: Partial<TableFacts>;
  readonly sitemap?: readonly string[];
  readonly tier?: Tier;
  readonly peer?: string;
  readonly exempt?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly limits?: {
    readonly lookups?: number;
    readonly fresh?: number;
    readonly refreshes?: number;
    readonly openPerDay?: number;
    readonly openPerMinute?: number;
    readonly openDailyTotal?: number;
  };
  /** Start of the clock, in milliseconds since the epoch. */
  readonly startMs?: number;
  readonly verification?: Partial<HttpContext["verification"]>;
}

/** The default limits. */
const LIMITS: HttpContext["limits"] = {
  lookupsPerMinute: 30,
  newPerMinute: 10,
  refreshPerMinute: 5,
  openPerDay: 5,
  openPerMinute: 15,
  openDailyTotal: 500,
};

/** Creates an app with injected functions. `ask` sends a request and checks the answer against the description. */
export function openApp(options: AppOptions = {}) {
  const { history, tableFacts, sitemap = [], exempt, trustedProxies, verification, ...rest } = options;
  const { lookup: ownLookup, tier = "cache", peer: firstPeer, limits: ownLimits, startMs, ...passed } = rest;
  const clock = createClock(startMs);
  const store = openLazily();
  const calls: Call[] = [];
  const logs: { level: string; event: string; fields?: Record<string, unknown> }[] = [];
  const known = new Map<string, Assessment>();
  let ids = 0;
  let peer = firstPeer ?? "203.0.113.9";

  const fromCache: Lookup = async ({ address }): Promise<LookupResult> => {
    const assessment = known.get(address.text) ?? assessmentOf(address.text, address.version);
    known.set(address.text, assessment);
    return answered(answerOf(address, assessment, { tier, assessment }));
  };
  const lookup = ownLookup ?? fromCache;
  const { lookups, fresh, refreshes, ...open } = ownLimits ?? {};
  const limits = {
    ...LIMITS,
    ...(lookups === undefined ? {} : { lookupsPerMinute: lookups }),
    ...(fresh === undefined ? {} : { newPerMinute: fresh }),
    ...(refreshes === undefined ? {} : { refreshPerMinute: refreshes }),
    ...open,
  };
  const lookupWindow = createLookupWindow(limits.lookupsPerMinute, 1000);
  const clientNames = createClientNames(SECRET);
  const passes = createPasses({ secret: SECRET, now: clock.now, randomBytes });
  const admissions = createAdmissions({
    repository: store.admissions,
    names: clientNames,
    limits,
    now: clock.now,
    onOutage: (error) => logs.push({ level: "error", event: "outage", fields: { error } }),
  });
  const deps: HttpContext = {
    lookup: (request, signal) => {
      calls.push({ address: request.address.text, refresh: request.refresh });
      return lookup(request, signal, admissions);
    },
    findKnown: async () => undefined,
    history: { history: async () => [], ...history },
    live: true,
    limits,
    replyCacheBytes: 128 * 1024 * 1024,
    lookupWindow,
    admissions,
    verification: {
      ...createAltchaVerification({
        secret: SECRET,
        challenges: store.challenges,
        now: clock.now,
        cost: { iterations: 10, leastTries: 2, mostTries: 5 },
      }),
      ...verification,
    },
    passes,
    clientNames,
    votes: { save: store.ratings.saveVote, read: store.ratings.read },
    delistUrls: new Map(),
    clientRules: { trustedProxies: prefixes(trustedProxies), exempt: prefixes(exempt) },
    method: describeMethod([
      { name: "Source A", family: "alpha", kind: "free", matters: ["lists"], weight: 1 },
    ]),
    baseUrl: BASE_URL,
    version: "9.9.9",
    now: clock.now,
    ready: async () => ({ ready: true, checks: { store: { ok: true, detail: "/secret/place" } } }),
    log: (level, event, fields) => logs.push({ level, event, ...(fields === undefined ? {} : { fields }) }),
    newRequestId: () => `request-${++ids}`,
    every: () => () => {},
    staticFiles: (name) =>
      name === "report.css"
        ? { body: "body { color: green }\n".repeat(100), contentType: "text/css; charset=utf-8" }
        : undefined,
    drawPng,
    classifier: openClassifier(clock.now, tableFacts),
    assessTables: assessBogon,
    sitemapAddresses: sitemap.flatMap((text) => parseAddress(text) ?? []),
    peer: () => peer,
    ...passed,
  };
  const app = createApp(deps);

  return {
    app,
    deps,
    store,
    clock,
    /** Returns a Cookie header with a valid pass. */
    newPass: () => ({ cookie: `limpid_pass=${passes.issue().cookie}` }),
    calls,
    logs,
    from(address: string) {
      peer = address;
    },
    /** Lets a minute pass, and begins to count calls, log lines and requests again. */
    forget() {
      clock.advance(60_000);
      calls.length = 0;
      logs.length = 0;
      ids = 0;
    },
    async ask(target: string, init: RequestInit = {}): Promise<Response> {
      const request = new Request(`http://localhost${target}`, init);
      // Elysia's types name another library's Response; at run time it is Bun's.
      const response = (await app.handle(request)) as Response;
      await conform(document, request, response.clone());
      return response;
    },
  };
}

const shared = new Map<AppOptions | undefined, ReturnType<typeof openApp>>();

/**
 * The app with these options (the same object) that the tests of a file share: an app costs more than its answer. A
 * minute has passed since the last use, so that no client is limited. The test changes no state but that of the clock.
 */
export function openShared(options?: AppOptions): ReturnType<typeof openApp> {
  if (shared.size === 0) cleanUpLater(() => shared.clear());
  const testApp = shared.get(options) ?? openApp(options);
  shared.set(options, testApp);
  testApp.forget();
  return testApp;
}

/** Disconnects the client of a request when its lookups wait, and expects that they are aborted and nothing is logged. */
export async function leave(target: string, init: RequestInit = {}): Promise<Response> {
  const signals: AbortSignal[] = [];
  const { app, logs } = openApp({
    lookup: (_request, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const leaving = new AbortController();
  const answer = app.handle(new Request(`http://localhost${target}`, { ...init, signal: leaving.signal }));
  while (signals.length === 0) await Bun.sleep(1);
  leaving.abort();
  const response = await answer;
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  expect(logs).toEqual([]);
  return response;
}

/** A lookup where every address is unknown: each request needs a survey. */
export const surveying: TestLookup = async ({ address, client, passId, refresh }, _signal, admissions) => {
  const admission = await admissions.request({
    client,
    kind: refresh ? "refresh" : "new-ip",
    ...(passId === undefined ? {} : { passId }),
  });
  const { limits } = admission;
  if (!admission.admitted) return { kind: "refused", refusal: admission.refusal, limits };
  return answered(answerOf(address, {}, { tier: "fresh" }), limits);
};

export const NO_VOTES: readonly never[] = [];

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** The parts of a real store. The first use opens its file. */
function openLazily(): Pick<Store, "admissions" | "challenges" | "ratings"> {
  let opening: Promise<Store> | undefined;
  const open = async () => {
    const path = join(createTemporaryFolder("limpid-http-"), "limpid.db");
    await writeEmptyDatabase(path);
    return openStore({ url: `file:${path}`, migrations: MIGRATIONS });
  };
  const store = () => {
    if (opening !== undefined) return opening;
    opening = open();
    cleanUpLater(async () => (await opening)?.close());
    return opening;
  };
  return {
    admissions: {
      admit: async (now, charges) => (await store()).admissions.admit(now, charges),
      refund: async (charges) => (await store()).admissions.refund(charges),
      read: async (now, charges) => (await store()).admissions.read(now, charges),
    },
    challenges: { use: async (id, expiresAt, now) => (await store()).challenges.use(id, expiresAt, now) },
    ratings: {
      saveVote: async (vote) => (await store()).ratings.saveVote(vote),
      read: async (address) => (await store()).ratings.read(address),
    },
  };
}

function prefixes(texts: readonly string[] = []): Prefix[] {
  return texts.map((text) => {
    const prefix = parsePrefix(text);
    if (prefix === undefined) throw new Error(`Cannot parse prefix "${text}"`);
    return prefix;
  });
}

const SERVICE = { baseUrl: BASE_URL, limits: LIMITS };

/** The description of the app for programs, as `/openapi.json` answers it. */
export const openapi = describeApp(openApp().app, SERVICE, "programs");

/** The description of the app with its pages, as `/docs` shows it. */
export const document = describeApp(openApp().app, SERVICE);
