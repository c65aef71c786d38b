import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import { createClientLimits, createClientNames } from "#limits";
import { MAX_CLIENTS, type OpenGate } from "./open_gate.ts";

/**
 * Who may ask a mirror: everybody, as often a minute as anywhere. Nothing new can be asked of it and nothing is taken
 * in, so there is no allowance, no human check and no vote.
 */
export function openMirrorGate(config: Config): OpenGate {
  return {
    clientLimits: createClientLimits({ ...config, maxKeys: MAX_CLIENTS }),
    admissions: {
      remaining: () => 0,
    },
    verification: {
      kind: "altcha",
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
    // For the log alone, which nobody compares with another process's.
    clientNames: createClientNames(randomBytes(32).toString("hex")),
    votes: { cast: () => Promise.resolve(false), read: () => Promise.resolve([]) },
  };
}
