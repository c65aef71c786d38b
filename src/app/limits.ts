import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import {
  createAdmissions,
  createAltchaVerification,
  createClientNames,
  createGate,
  createPasses,
  createTurnstileVerification,
  type Verification,
} from "#gate";
import type { HttpDeps } from "#http";
import type { Metrics } from "#metrics";
import { readSecret } from "./data_directory.ts";
import type { Log } from "./log.ts";
import type { Service } from "./service.ts";

/** Clients that each per-minute limit remembers. */
const MAX_CLIENTS = 1_000_000;

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const SITEVERIFY_MAX_BYTES = 16_384;

type LimitsService = Pick<Service, "noteVotes" | "openSession"> & {
  readonly store: Pick<Service["store"], "permits" | "challenges" | "votes">;
};

/** The dependencies of the HTTP interface that limit clients: rate limits, allowance, verification and votes. */
export type Limits = Pick<
  HttpDeps,
  "gate" | "admissions" | "verification" | "passes" | "clientNames" | "ballots"
>;

/**
 * Opens the limits of a full service over its database.
 * @throws {ExitError} when the secret in the data directory cannot be read or created.
 */
export function openLimits(
  config: Config,
  service: LimitsService,
  { now, log, metrics }: { readonly now: () => number; readonly log: Log; readonly metrics?: Metrics },
): Limits {
  const { store, noteVotes } = service;
  let isCounted = true;
  metrics?.attach({ isCounted: () => isCounted });
  if (config.secret === undefined && !config.database.url.startsWith("file:"))
    log("warn", "secret_not_shared");
  const secret = config.secret ?? readSecret(config.dataDirectory, log);
  const clientNames = createClientNames(secret);
  const gate = createGate({ ...config, maxKeys: MAX_CLIENTS });
  return {
    gate,
    clientNames,
    admissions: createAdmissions({
      gate,
      permits: store.permits,
      names: clientNames,
      limits: config,
      now,
      newId: () => crypto.randomUUID(),
      after: (ms, then) => void setTimeout(then, ms).unref(),
      onOutage(error) {
        isCounted = false;
        log("error", "allowance_uncounted", { message: String(error) });
      },
      onRecovery() {
        isCounted = true;
        log("info", "allowance_counted");
      },
    }),
    verification: openVerification(config, service, secret, now),
    passes: createPasses({ secret, now, randomBytes }),
    ballots: {
      cast: (ballot) => store.votes.cast(ballot),
      async read(address) {
        const votes = await store.votes.read(address);
        noteVotes(address, votes);
        return votes;
      },
    },
  };
}

/**
 * Opens the limits of a mirror: only the rate limits apply. A mirror starts no survey and stores nothing, so it has no
 * allowance, no verification and no votes.
 */
export function openMirrorLimits(config: Config): Limits {
  return {
    gate: createGate({ ...config, maxKeys: MAX_CLIENTS }),
    admissions: {
      ask: () =>
        Promise.resolve({
          admitted: false,
          refusal: { code: "verification_required", reason: "total_day", limit: 0 },
          limits: [],
          remaining: 0,
        }),
      remaining: () => 0,
    },
    verification: {
      kind: "altcha",
      invite: () => ({ kind: "altcha" }),
      challenge: () => Promise.resolve(undefined),
      verify: () => Promise.resolve("unavailable"),
    },
    passes: {
      issue() {
        throw new TypeError("Cannot issue a pass: a mirror has none");
      },
      read: () => undefined,
    },
    // Only the log uses these names, and no other process needs the same ones.
    clientNames: createClientNames(randomBytes(32).toString("hex")),
    ballots: {
      cast: () => Promise.reject(new TypeError("Cannot keep a rating: a mirror has none")),
      read: () => Promise.resolve([]),
    },
  };
}

function openVerification(
  { verifier }: Pick<Config, "verifier">,
  { store, openSession }: Pick<LimitsService, "store" | "openSession">,
  secret: string,
  now: () => number,
): Verification {
  const { challenges } = store;
  if (verifier.kind === "altcha") return createAltchaVerification({ secret, challenges, now });
  return createTurnstileVerification({
    siteKey: verifier.siteKey,
    secretKey: verifier.secret,
    secret,
    challenges,
    now,
    siteverify: (form, signal) => postSiteverify(openSession, form, signal),
  });
}

async function postSiteverify(
  openSession: LimitsService["openSession"],
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const session = openSession(signal);
  try {
    const { body } = await session.http(
      {
        url: SITEVERIFY,
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
        as: "json",
        // A 400 has a body too: it says why the solution is refused.
        statuses: [400],
        maxBytes: SITEVERIFY_MAX_BYTES,
      },
      signal,
    );
    return body;
  } finally {
    session.close();
  }
}
