import { type Prefix, parsePrefix } from "#address";
import { createGate } from "#gate";
import { createApp, describeInterface, type HttpDeps } from "#http";
import { createClock } from "#kit";
import type { Lookup, LookupResult } from "#lookup";
import type { Assessment, Tier } from "#report";
import { describeMethod } from "#scoring";
import { conform } from "./conform.ts";

export const BASE_URL = "https://limpid.test";
export const document = describeInterface(BASE_URL);

/** A known address as the lookup hands it out. */
export function assessmentOf(address: string, version: 4 | 6 = 4): Assessment {
  return {
    address,
    version,
    surveyedAt: "2026-02-03T04:05:06.000Z",
    scoringVersion: 1,
    usage: "business",
    native: "native",
    flags: {
      isProxy: false,
      isVpn: false,
      isTor: false,
      isHosting: true,
      isMobile: false,
      isRelay: false,
      isBogon: false,
      isSearchEngineBot: false,
    },
    agreement: { isHosting: 2 },
    geo: { country: "SE" },
    purity: 85,
    band: "clean",
    confidence: "medium",
    verdict: { id: "hosting", data: { heard: 2, planned: 3 } },
    factors: [
      { id: "hosting", category: "network", points: 15, data: { families: ["a", "b"], agreement: 2 } },
    ],
    scenarios: [{ id: "ai", score: 70, level: "good", reasons: [{ id: "hosting", data: {} }] }],
    listings: [{ zone: "bl.test", label: "Test list", listed: false, benign: false, unavailable: true }],
    abuse: [],
    sources: [
      { id: "a", name: "Source A", kind: "free", state: "answered", ms: 12 },
      { id: "b", name: "Source B", kind: "commercial", state: "failed", ms: 900, error: "timeout" },
    ],
    unknowns: [{ id: "exclusivity", data: {} }],
  };
}

export interface Call {
  readonly address: string;
  readonly refresh: boolean;
}

export interface ShellOptions {
  /** What the lookup does; by default every address is known to the cache. */
  readonly lookup?: Lookup;
  readonly tier?: Tier;
  readonly peer?: string;
  readonly exempt?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly limits?: { readonly lookups?: number; readonly fresh?: number };
  readonly ready?: HttpDeps["ready"];
}

/** An app over injected functions, and a way to ask it that holds every answer against the description. */
export function openShell(options: ShellOptions = {}) {
  const clock = createClock();
  const calls: Call[] = [];
  const logs: { level: string; event: string; fields?: Record<string, unknown> }[] = [];
  const known = new Map<string, Assessment>();
  let ids = 0;
  let peer = options.peer ?? "203.0.113.9";

  const fromCache: Lookup = async (address): Promise<LookupResult> => {
    const assessment = known.get(address.text) ?? assessmentOf(address.text, address.version);
    known.set(address.text, assessment);
    return { kind: "answer", answer: { tier: options.tier ?? "cache", stale: false, assessment } };
  };
  const lookup = options.lookup ?? fromCache;
  const deps: HttpDeps = {
    lookup: (address, wish, signal) => {
      calls.push({ address: address.text, refresh: wish.refresh });
      return lookup(address, wish, signal);
    },
    gate: createGate({
      lookupsPerMinute: options.limits?.lookups ?? 30,
      newPerMinute: options.limits?.fresh ?? 10,
      refreshPerMinute: 5,
      maxKeys: 1000,
    }),
    clientRules: { trustedProxies: prefixes(options.trustedProxies), exempt: prefixes(options.exempt) },
    method: describeMethod([
      { name: "Source A", family: "alpha", kind: "free", matters: ["lists"], weight: 1 },
    ]),
    baseUrl: BASE_URL,
    version: "9.9.9",
    now: clock.now,
    ready:
      options.ready ??
      (async () => ({ ready: true, checks: { store: { ok: true, detail: "/secret/place" } } })),
    log: (level, event, fields) => logs.push({ level, event, ...(fields === undefined ? {} : { fields }) }),
    newRequestId: () => `request-${++ids}`,
    staticFiles: (name) =>
      name === "report.css"
        ? { body: "body { color: green }\n".repeat(100), contentType: "text/css; charset=utf-8" }
        : undefined,
    peer: () => peer,
  };
  const app = createApp(deps);

  return {
    app,
    deps,
    clock,
    calls,
    logs,
    from(address: string) {
      peer = address;
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

function prefixes(texts: readonly string[] = []): Prefix[] {
  return texts.map((text) => {
    const prefix = parsePrefix(text);
    if (prefix === undefined) throw new Error(`Cannot parse prefix "${text}"`);
    return prefix;
  });
}
