import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import type { HttpContext } from "#http";
import {
  type Admissions,
  type ClientLimits,
  type ClientNames,
  createAdmissions,
  createClientLimits,
  createClientNames,
} from "#limits";
import type { Metrics } from "#metrics";
import {
  createAltchaVerification,
  createPasses,
  createTurnstileVerification,
  type Verification,
} from "#verification";
import type { Log } from "../log.ts";
import type { Service } from "./open_service.ts";
import { readSecret } from "./read_secret.ts";

/** Distinct clients remembered by each per-minute limit. */
export const MAX_CLIENTS = 1_000_000;

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const SITEVERIFY_MAX_BYTES = 16_384;

type Kept = Pick<Service, "noteVotes" | "openSession"> & {
  readonly store: Pick<Service["store"], "permits" | "challenges" | "votes">;
};

/** Who may ask: everything that the shell asks before it asks the lookup. */
export type OpenGate = Pick<
  HttpContext,
  "clientLimits" | "admissions" | "verification" | "passes" | "clientNames" | "votes"
>;

/** The limits of clients over one database and one secret. */
export interface OpenLimits {
  readonly secret: string;
  readonly clientLimits: ClientLimits;
  readonly clientNames: ClientNames;
  readonly admissions: Admissions;
}

interface GateEdge {
  readonly now: () => number;
  readonly log: Log;
  readonly metrics?: Metrics;
}

/**
 * Builds the limits of clients.
 * @throws {ExitError} when the secret in the data directory cannot be read or made.
 */
export function openLimits(
  config: Config,
  store: Pick<Service["store"], "permits">,
  { now, log, metrics }: GateEdge,
): OpenLimits {
  let isCounted = true;
  metrics?.attach({ isCounted: () => isCounted });
  if (config.secret === undefined && !config.database.url.startsWith("file:"))
    log("warn", "secret_not_shared");
  const secret = config.secret ?? readSecret(config.dataDirectory, log);
  const clientNames = createClientNames(secret);
  const clientLimits = createClientLimits({ ...config, maxKeys: MAX_CLIENTS });
  const admissions = createAdmissions({
    windows: clientLimits,
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
  });
  return { secret, clientLimits, clientNames, admissions };
}

/** Builds what the HTTP interface needs of limits, verification and votes. */
export function openGate(
  config: Config,
  service: Kept,
  edge: GateEdge,
  { secret, ...limits }: OpenLimits = openLimits(config, service.store, edge),
): OpenGate {
  const { store, noteVotes } = service;
  const { now } = edge;
  return {
    ...limits,
    verification: openVerification(config, service, secret, now),
    passes: createPasses({ secret, now, randomBytes }),
    votes: {
      cast: (vote, mostVoters) => store.votes.cast(vote, mostVoters),
      async read(address) {
        const votes = await store.votes.read(address);
        noteVotes(address, votes);
        return votes;
      },
    },
  };
}

function openVerification(
  { verifier }: Pick<Config, "verifier">,
  { store, openSession }: Pick<Kept, "store" | "openSession">,
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
    siteverify: (form, signal) => askSiteverify(openSession, form, signal),
  });
}

async function askSiteverify(
  openSession: Kept["openSession"],
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
        // A refusal is an answer too: it says why.
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
