import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import { createClientNames, createGate } from "#gate";
import { MAX_CLIENTS, type OpenGate } from "./open_gate.ts";

/**
 * Who may ask a mirror: everybody, as often a minute as anywhere. Nothing new can be asked of it and nothing is taken
 * in, so there is no allowance, no human check and no vote.
 */
export function openMirrorGate(config: Config): OpenGate {
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
    // For the log alone, which nobody compares with another process's.
    clientNames: createClientNames(randomBytes(32).toString("hex")),
    ballots: {
      cast: () => Promise.reject(new TypeError("Cannot keep a rating: a mirror has none")),
      read: () => Promise.resolve([]),
    },
  };
}
