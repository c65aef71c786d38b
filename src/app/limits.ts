import { randomBytes } from "node:crypto";
import type { Log } from "#common";
import type { Config } from "#config";
import type { HttpContext } from "#http";
import { createAdmissions, createClientNames, createLookupWindow } from "#limits";
import type { Lookups } from "#lookup";
import type { Metrics } from "#metrics";
import type { Store } from "#store";
import type { UpstreamClient } from "#upstream";
import {
  createAltchaVerification,
  createPasses,
  createTurnstileVerification,
  type Verification,
} from "#verification";
import { readSecret } from "./data_directory.ts";

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const SITEVERIFY_MAX_BYTES = 16_384;

interface LimitsPorts {
  readonly store: Pick<Store, "challenges" | "ratings">;
  readonly noteVotes: Lookups["noteVotes"];
  readonly openSession: UpstreamClient["openSession"];
}

/** The dependencies of the HTTP interface that limit clients: rate limits, allowance, verification and votes. */
export type Limits = Pick<
  HttpContext,
  "lookupWindow" | "admissions" | "verification" | "passes" | "clientNames" | "votes"
>;

/** The admissions of a service and the parts that its other limits also need. */
export type OpenedAdmissions = ReturnType<typeof openAdmissions>;

interface LimitsContext {
  readonly now: () => number;
  readonly log: Log;
  readonly metrics?: Metrics;
}

/**
 * Opens the rate limits and the admissions of a full service over its database.
 * @throws {ExitError} when the secret in the data directory cannot be read or created.
 */
export function openAdmissions(
  config: Config,
  store: Pick<Store, "admissions">,
  { now, log, metrics }: LimitsContext,
) {
  let isCounted = true;
  metrics?.attach({ isCounted: () => isCounted });
  if (config.secret === undefined && !config.database.url.startsWith("file:"))
    log("warn", "secret_not_shared");
  const secret = config.secret ?? readSecret(config.dataDirectory, log);
  const clientNames = createClientNames(secret);
  const lookupWindow = createLookupWindow(config.lookupsPerMinute);
  const admissions = createAdmissions({
    repository: store.admissions,
    names: clientNames,
    limits: config,
    now,
    onOutage(error) {
      isCounted = false;
      log("error", "allowance_uncounted", { message: String(error) });
    },
    onRecovery() {
      isCounted = true;
      log("info", "allowance_counted");
    },
    ...(metrics === undefined ? {} : { onDecision: metrics.admitted }),
  });
  return { secret, lookupWindow, clientNames, admissions };
}

/** Completes the limits of a full service: adds the verification, the passes and the votes to its admissions. */
export function openLimits(
  config: Config,
  ports: LimitsPorts,
  { now, metrics }: LimitsContext,
  { secret, ...admissions }: OpenedAdmissions,
): Limits {
  const { store, noteVotes } = ports;
  const verification = openVerification(config, ports, secret, now);
  return {
    ...admissions,
    verification: {
      ...verification,
      async verify(subject, payload) {
        const result = await verification.verify(subject, payload);
        metrics?.verified(result);
        return result;
      },
    },
    passes: createPasses({ secret, now, randomBytes }),
    votes: {
      async save(vote) {
        await store.ratings.saveVote(vote);
        metrics?.voted();
      },
      async read(address) {
        const votes = await store.ratings.read(address);
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
    lookupWindow: createLookupWindow(config.lookupsPerMinute),
    admissions: { remaining: () => 0 },
    verification: {
      describeWidget: () => ({ kind: "altcha" }),
      createChallenge: () => Promise.resolve(undefined),
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
    votes: {
      save: () => Promise.reject(new TypeError("Cannot keep a rating: a mirror has none")),
      read: () => Promise.resolve([]),
    },
  };
}

function openVerification(
  { verifier }: Pick<Config, "verifier">,
  { store, openSession }: Pick<LimitsPorts, "store" | "openSession">,
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
  openSession: LimitsPorts["openSession"],
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
