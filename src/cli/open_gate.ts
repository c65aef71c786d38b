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
import type { Log } from "../log.ts";
import type { Service } from "./open_service.ts";
import { readSecret } from "./read_secret.ts";

/** Distinct clients remembered by each per-minute limit. */
export const MAX_CLIENTS = 1_000_000;

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const SITEVERIFY = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const SITEVERIFY_MAX_BYTES = 16_384;

type Kept = Pick<Service, "noteVotes" | "openSession"> & {
  readonly store: Pick<Service["store"], "admissions" | "challenges" | "ratings">;
};

/** Who may ask: everything that the shell asks before it asks the lookup. */
export type OpenGate = Pick<
  HttpDeps,
  "gate" | "admissions" | "verification" | "passes" | "clientNames" | "ballots"
>;

/**
 * Builds the limits, the human check and the votes over one database and one secret.
 * @throws {ExitError} when the secret in the data directory cannot be read or made.
 */
export function openGate(
  config: Config,
  service: Kept,
  { now, log, metrics }: { readonly now: () => number; readonly log: Log; readonly metrics?: Metrics },
): OpenGate {
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
      permits: store.admissions,
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
      cast: (ballot, mostVoters) => store.ratings.saveVote(ballot, mostVoters),
      async read(address) {
        const votes = await store.ratings.read(address);
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
