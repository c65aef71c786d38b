import * as v from "valibot";
import type { ChallengeRepository } from "#store";
import { CHECK_MS, USED_MS } from "./check_times.ts";
import { createKeyedHash, deriveKey } from "./keyed_hash.ts";
import { CHECK_ACTIONS, type CheckMatter, type CheckResult, type Verification } from "./verification.ts";

const ALGORITHM = "PBKDF2/SHA-256";

/** More than four times what the widget sends. */
const MAX_PAYLOAD = 8192;

/** A challenge's work: how often a key is derived until it is found, at random, and the iterations of each. */
export interface AltchaCost {
  readonly iterations: number;
  readonly leastTries: number;
  readonly mostTries: number;
}

/**
 * 7.5 to 12.5 million iterations of PBKDF2-SHA-256, spread over the workers that the browser starts. A core of a
 * server does some 8 million a second. Eight cores of an ordinary phone, reckoned at 1 to 2 million each, take about
 * a second, four of them two.
 */
export const ALTCHA_COST: AltchaCost = { iterations: 10_000, leastTries: 750, mostTries: 1250 };

/** What the check stands on. */
export interface AltchaOptions {
  readonly secret: string;
  readonly challenges: ChallengeRepository;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default {@link ALTCHA_COST}. */
  readonly cost?: AltchaCost;
}

const hex = (length: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${length}}$`)));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What the widget sends, as far as this check makes it; other members are passed over. */
const PayloadSchema = v.object({
  challenge: v.object({
    parameters: v.object({
      algorithm: v.literal(ALGORITHM),
      cost: count,
      data: v.object({
        action: v.picklist(CHECK_ACTIONS),
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
  solution: v.object({
    counter: v.pipe(count, v.maxValue(2 ** 32 - 1)),
    derivedKey: hex(64),
  }),
});

type Payload = v.InferOutput<typeof PayloadSchema>;

/**
 * Creates the check by proof of work: ALTCHA, version 2 of its challenges (https://altcha.org/docs/v2/). Matter and
 * end of a challenge are in its signed data; how much work it is, is drawn between bounds. Making one costs one
 * derivation of a key, on another thread; judging one costs two HMACs, whatever was sent.
 */
export function createAltchaVerification(options: AltchaOptions): Verification {
  const { secret, challenges, now, cost = ALTCHA_COST } = options;
  const signatureSecret = deriveKey(secret, "altcha challenge 1").toString("hex");
  const keySecret = deriveKey(secret, "altcha key 1").toString("hex");
  const uses = createKeyedHash(secret, "altcha use 1");

  async function judge(matter: CheckMatter, text: string): Promise<CheckResult> {
    const payload = readPayload(text);
    if (payload === undefined) return "failed";
    const { challenge, solution } = payload;
    const { verifySolution, derivePbkdf2 } = await loadAltcha();
    // The library would read the clock itself if it found an end of its own.
    const { verified } = await verifySolution({
      challenge,
      solution,
      deriveKey: derivePbkdf2,
      hmacSignatureSecret: signatureSecret,
      hmacKeySignatureSecret: keySecret,
    });
    if (!verified) return "failed";
    const { data } = challenge.parameters;
    if (data.address !== matter.address || data.action !== matter.action) return "failed";
    const at = now();
    if (at >= data.expires) return "expired";
    const id = `altcha:${uses.of([challenge.signature]).toString("base64url")}`;
    try {
      return (await challenges.use(id, data.expires + USED_MS, at)) ? "passed" : "replayed";
    } catch {
      return "unavailable";
    }
  }

  return {
    kind: "altcha",
    invite: () => ({ kind: "altcha" }),
    async challenge({ address, action }) {
      const { createChallenge, randomInt, derivePbkdf2 } = await loadAltcha();
      return createChallenge({
        algorithm: ALGORITHM,
        cost: cost.iterations,
        counter: randomInt(cost.mostTries, cost.leastTries),
        deriveKey: derivePbkdf2,
        data: { action, address, expires: now() + CHECK_MS },
        hmacSignatureSecret: signatureSecret,
        hmacKeySignatureSecret: keySecret,
      });
    },
    async verify(matter, text) {
      try {
        return await judge(matter, text);
      } catch {
        return "unavailable";
      }
    },
  };
}

/** With the first check, not with every start: it takes some ten milliseconds. */
async function loadAltcha() {
  const [altcha, { deriveKey: derivePbkdf2 }] = await Promise.all([
    import("altcha-lib"),
    import("altcha-lib/algorithms/pbkdf2"),
  ]);
  return { ...altcha, derivePbkdf2 };
}

/** JSON in base64, or undefined. */
function readPayload(text: string): Payload | undefined {
  if (text.length > MAX_PAYLOAD || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    const parsed = v.safeParse(PayloadSchema, JSON.parse(Buffer.from(text, "base64").toString("utf8")));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
