import { describe, expect, test } from "bun:test";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import fc from "fast-check";
import { openFor } from "#kit";
import { createAltchaVerification, type Verification, type VerificationSubject } from "#verification";
import { runs } from "../kit/runs.ts";
import { openTestDatabase } from "../limits/test_admissions.ts";

const COST = { iterations: 50, leastTries: 3, mostTries: 9 };
const SUBJECT: VerificationSubject = { address: "192.0.2.1", action: "lookup" };
const CHECK_MS = 600_000;

const database = openFor("each", openTestDatabase);

function open(changed: Partial<Parameters<typeof createAltchaVerification>[0]> = {}): Verification {
  return createAltchaVerification({
    secret: "a secret of the tests",
    challenges: database.store.challenges,
    now: database.clock.now,
    cost: COST,
    ...changed,
  });
}

/** Does the work of the widget: reads the challenge as JSON, finds the key, and encodes both in base64. */
async function solve(verification: Verification, subject = SUBJECT) {
  const challenge: Challenge = JSON.parse(JSON.stringify(await verification.createChallenge(subject)));
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error("Cannot solve the challenge");
  return { challenge, solution };
}

function pack(payload: unknown): string {
  return Buffer.from(JSON.stringify(payload)).toString("base64");
}

describe("Verification by proof of work", () => {
  test("describes its widget, and creates challenges whose work is between the bounds", async () => {
    const verification = open();
    expect(verification.describeWidget(SUBJECT)).toEqual({ kind: "altcha" });
    const counters = new Set<number>();
    for (let i = 0; i < 60; i++) counters.add((await solve(verification)).solution.counter);
    expect([...counters].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    const { challenge } = await solve(verification);
    expect(challenge).toEqual({
      parameters: {
        algorithm: "PBKDF2/SHA-256",
        cost: 50,
        data: { action: "lookup", address: "192.0.2.1", expires: database.clock.now() + CHECK_MS },
        keyLength: 32,
        keyPrefix: expect.stringMatching(/^[0-9a-f]{32}$/),
        keySignature: expect.stringMatching(/^[0-9a-f]{64}$/),
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("accepts a solution once, in any process", async () => {
    const verification = open();
    const payload = pack(await solve(verification));
    expect(await open().verify(SUBJECT, payload)).toBe("passed");
    expect(await open().verify(SUBJECT, payload)).toBe("replayed");
    expect(await verification.verify(SUBJECT, payload)).toBe("replayed");
    // Another encoding of the same solution is the same solution.
    const { challenge, solution } = JSON.parse(Buffer.from(payload, "base64").toString());
    const other = pack({ solution: { ...solution, time: 1, counter: 1 }, challenge, more: 1 });
    expect(await verification.verify(SUBJECT, other)).toBe("replayed");
  });

  test("expires after 10 minutes, used or not", async () => {
    const verification = open();
    const first = pack(await solve(verification));
    const second = pack(await solve(verification));
    database.clock.advance(CHECK_MS - 1);
    expect(await verification.verify(SUBJECT, first)).toBe("passed");
    database.clock.advance(1);
    expect(await verification.verify(SUBJECT, first)).toBe("expired");
    expect(await verification.verify(SUBJECT, second)).toBe("expired");
    // A process whose clock is behind still refuses a used solution.
    const slow = open({ now: () => database.clock.now() - 5000 });
    expect(await slow.verify(SUBJECT, first)).toBe("replayed");
  });

  test("fails challenges with another secret, without a signature, and with a changed expiry time", async () => {
    const verification = open();
    expect(await verification.verify(SUBJECT, pack(await solve(open({ secret: "another" }))))).toBe("failed");
    const { challenge, solution } = await solve(verification);
    const longer = structuredClone(challenge);
    longer.parameters.data = { ...longer.parameters.data, expires: database.clock.now() + 10 * CHECK_MS };
    expect(await verification.verify(SUBJECT, pack({ challenge: longer, solution }))).toBe("failed");
    const { signature: _, ...unsigned } = challenge;
    expect(await verification.verify(SUBJECT, pack({ challenge: unsigned, solution }))).toBe("failed");
  });

  test("fails without the work: a guessed key, the key of another challenge, an easier challenge", async () => {
    const verification = open();
    const { challenge, solution } = await solve(verification);
    const other = await solve(verification);
    const guess = `${challenge.parameters.keyPrefix}${"0".repeat(32)}`;
    expect(
      await verification.verify(SUBJECT, pack({ challenge, solution: { ...solution, derivedKey: guess } })),
    ).toBe("failed");
    expect(await verification.verify(SUBJECT, pack({ challenge, solution: other.solution }))).toBe("failed");
    const easy = structuredClone(challenge);
    easy.parameters.cost = 1;
    const easySolution = await solveChallenge({ challenge: other.challenge, deriveKey });
    expect(await verification.verify(SUBJECT, pack({ challenge: easy, solution: easySolution }))).toBe(
      "failed",
    );
    expect(await verification.verify(SUBJECT, pack({ challenge, solution }))).toBe("passed");
  });

  test("fails a solution with a flipped bit in any field that is checked", async () => {
    const verification = open();
    const { challenge, solution } = await solve(verification);
    // The number and the time of tries are not checked: only the key is.
    const text = JSON.stringify({ challenge, solution: { counter: 5, derivedKey: solution.derivedKey } });
    const counter = text.indexOf('"counter":5') + '"counter":'.length;
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(6), async (at, bit) => {
        fc.pre(at !== counter);
        const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ (1 << bit))}${text.slice(at + 1)}`;
        expect(await verification.verify(SUBJECT, Buffer.from(changed).toString("base64"))).toBe("failed");
      }),
      { numRuns: runs(2000) },
    );
    expect(await verification.verify(SUBJECT, Buffer.from(text).toString("base64"))).toBe("passed");
  });

  test("fails invalid payloads of any size and depth", async () => {
    const verification = open();
    const { challenge, solution } = await solve(verification);
    const long = pack({ challenge, solution, more: "x".repeat(6000) });
    expect(long.length).toBeGreaterThan(8192);
    const deep = Buffer.from(`${"[".repeat(3000)}${"]".repeat(3000)}`).toString("base64");
    for (const payload of [
      "",
      "=",
      "e30",
      "e30=",
      "bnVsbA==",
      "W10=",
      "not base64!",
      Buffer.from("{").toString("base64"),
      deep,
      long,
      "A".repeat(10_000_000),
      pack({ challenge, solution: null }),
      pack({ challenge: { ...challenge, signature: challenge.signature?.toUpperCase() }, solution }),
      pack({ challenge, solution: { ...solution, counter: 1.5 } }),
      pack({ challenge, solution: { ...solution, derivedKey: 7 } }),
      Buffer.from('{"__proto__":{"challenge":1}}').toString("base64"),
    ]) {
      expect(await verification.verify(SUBJECT, payload)).toBe("failed");
    }
    await fc.assert(
      fc.asyncProperty(fc.json(), async (json) => {
        expect(await verification.verify(SUBJECT, Buffer.from(json).toString("base64"))).toBe("failed");
      }),
    );
    expect(await verification.verify(SUBJECT, pack({ challenge, solution }))).toBe("passed");
  });

  test("is unavailable and accepts nothing while uses cannot be saved", async () => {
    const payload = pack(await solve(open()));
    const broken = open({ challenges: { use: () => Promise.reject(new Error("no database")) } });
    expect(await broken.verify(SUBJECT, payload)).toBe("unavailable");
    expect(await open().verify(SUBJECT, payload)).toBe("passed");
  });
});
