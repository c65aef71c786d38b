import * as v from "valibot";
import { createKeyedHash, deriveKey } from "#limits";
import type { ChallengeRepository } from "#store";
import {
  CHALLENGE_MS,
  CLOCK_SKEW_MS,
  VERIFICATION_ACTIONS,
  type Verification,
  type VerificationResult,
  type VerificationSubject,
} from "./verification.ts";

const ALGORITHM = "PBKDF2/SHA-256";

/** Characters of a payload: more than four times as many as the widget sends. */
const MAX_PAYLOAD = 8192;

/** The work of one challenge: iterations of each key derivation, and the bounds of the random number of derivations. */
export interface AltchaCost {
  readonly iterations: number;
  readonly leastTries: number;
  readonly mostTries: number;
}

/**
 * 7.5 to 12.5 million iterations of PBKDF2-SHA-256, shared by the workers that the browser starts. A core of a server
 * does about 8 million a second. Eight cores of a common phone, estimated at 1 to 2 million each, take about a second;
 * four cores take two seconds.
 */
export const ALTCHA_COST: AltchaCost = { iterations: 10_000, leastTries: 750, mostTries: 1250 };

const hex = (length: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${length}}$`)));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The fields of the widget's payload that are used; others are ignored. */
const PayloadSchema = v.object({
  challenge: v.object({
    parameters: v.object({
      algorithm: v.literal(ALGORITHM),
      cost: count,
      data: v.object({
        action: v.picklist(VERIFICATION_ACTIONS),
        address: v.pipe(v.string(), v.maxLength(64)),
        expires: count,
      }),
      keyLength: v.literal(32),
      keyPrefix: hex(32),
      keySignature: hex(64),
      nonce: hex(32),
      salt: hex(32),
    }),
    signature: hex(64),
  }),
  solution: v.object({ counter: v.pipe(count, v.maxValue(2 ** 32 - 1)), derivedKey: hex(64) }),
});

type Payload = v.InferOutput<typeof PayloadSchema>;

/**
 * Creates the verification by proof of work: ALTCHA, version 2 of its challenges (https://altcha.org/docs/v2/). The
 * signed data of a challenge contains its subject and its expiry time. Creating a challenge costs one key derivation,
 * on another thread; checking any solution costs two HMACs.
 */
export function createAltchaVerification(options: {
  readonly secret: string;
  readonly challenges: ChallengeRepository;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default {@link ALTCHA_COST}. */
  readonly cost?: AltchaCost;
}): Verification {
  const { secret, challenges, now, cost = ALTCHA_COST } = options;
  const signatureSecret = deriveKey(secret, "altcha challenge 1").toString("hex");
  const keySecret = deriveKey(secret, "altcha key 1").toString("hex");
  const uses = createKeyedHash(secret, "altcha use 1");

  async function check(subject: VerificationSubject, text: string): Promise<VerificationResult> {
    const payload = readPayload(text);
    if (payload === undefined) return "failed";
    const { challenge, solution } = payload;
    const { verifySolution, derivePbkdf2 } = await loadAltcha();
    // The expiry time is in `data`, because the library compares its own field with the system clock.
    const { verified } = await verifySolution({
      challenge,
      solution,
      deriveKey: derivePbkdf2,
      hmacSignatureSecret: signatureSecret,
      hmacKeySignatureSecret: keySecret,
    });
    if (!verified) return "failed";
    const { data } = challenge.parameters;
    if (data.address !== subject.address || data.action !== subject.action) return "failed";
    const at = now();
    if (at >= data.expires) return "expired";
    const id = `altcha:${uses.of([challenge.signature]).toString("base64url")}`;
    return (await challenges.use(id, data.expires + CLOCK_SKEW_MS, at)) ? "passed" : "replayed";
  }

  return {
    describeWidget: () => ({ kind: "altcha" }),
    async createChallenge({ address, action }) {
      const { createChallenge, randomInt, derivePbkdf2 } = await loadAltcha();
      return createChallenge({
        algorithm: ALGORITHM,
        cost: cost.iterations,
        counter: randomInt(cost.mostTries, cost.leastTries),
        deriveKey: derivePbkdf2,
        data: { action, address, expires: now() + CHALLENGE_MS },
        hmacSignatureSecret: signatureSecret,
        hmacKeySignatureSecret: keySecret,
      });
    },
    async verify(subject, payload) {
      try {
        return await check(subject, payload);
      } catch {
        return "unavailable";
      }
    },
  };
}

/** Loads the library at the first challenge, because loading would make the start about 10 ms longer. */
async function loadAltcha() {
  const [altcha, { deriveKey: derivePbkdf2 }] = await Promise.all([
    import("altcha-lib"),
    import("altcha-lib/algorithms/pbkdf2"),
  ]);
  return { ...altcha, derivePbkdf2 };
}

/** Reads JSON in base64; undefined when it is not a payload. */
function readPayload(text: string): Payload | undefined {
  if (text.length > MAX_PAYLOAD || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    const parsed = v.safeParse(PayloadSchema, JSON.parse(Buffer.from(text, "base64").toString("utf8")));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
