import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openFor } from "#kit";
import { createTurnstileVerification, type Verification, type VerificationSubject } from "#verification";
import { runs } from "../kit/runs.ts";
import { openTestDatabase } from "../limits/test_admissions.ts";

const SUBJECT: VerificationSubject = { address: "192.0.2.1", action: "refresh" };
const CHECK_MS = 600_000;

const database = openFor("each", openTestDatabase);
let forms: Readonly<Record<string, string>>[];

beforeEach(() => {
  forms = [];
});

function open(
  answer: unknown,
  changed: Partial<Parameters<typeof createTurnstileVerification>[0]> = {},
): Verification {
  return createTurnstileVerification({
    siteKey: "1x-site",
    secretKey: "1x-secret",
    secret: "a secret of the tests",
    challenges: database.store.challenges,
    now: database.clock.now,
    siteverify: async (form) => {
      forms.push(form);
      return typeof answer === "function" ? answer() : answer;
    },
    ...changed,
  });
}

function tokenOf(verification: Verification, subject = SUBJECT): string {
  const invitation = verification.describeWidget(subject);
  return invitation.kind === "turnstile" ? invitation.token : "";
}

/** The answer of siteverify for a solved check. */
function success(cdata: string, changed: Record<string, unknown> = {}) {
  return {
    success: true,
    "error-codes": [],
    challenge_ts: "2026-01-15T12:00:00.000Z",
    hostname: "limpid.example",
    action: "refresh",
    cdata,
    metadata: { interactive: false },
    ...changed,
  };
}

describe("Verification by Turnstile", () => {
  test("describes its widget with the site key and a token that fits in cdata, and has no challenge", async () => {
    const verification = open(undefined);
    const invitation = verification.describeWidget(SUBJECT);
    expect(invitation).toMatchObject({ kind: "turnstile", siteKey: "1x-site" });
    expect(tokenOf(verification)).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
    expect(await verification.createChallenge(SUBJECT)).toBeUndefined();
  });

  test("accepts a solved check once, in any process, and sends no client address", async () => {
    const cdata = tokenOf(open(undefined));
    expect(await open(success(cdata)).verify(SUBJECT, "0.token")).toBe("passed");
    expect(forms).toEqual([{ secret: "1x-secret", response: "0.token" }]);
    expect(await open(success(cdata)).verify(SUBJECT, "0.token")).toBe("replayed");
    expect(
      await open({ success: false, "error-codes": ["timeout-or-duplicate"] }).verify(SUBJECT, "0.token"),
    ).toBe("replayed");
    expect(await open(success(cdata)).verify(SUBJECT, "0.another")).toBe("passed");
  });

  test("expires after 10 minutes by our own clock", async () => {
    const verification = open(success(tokenOf(open(undefined))));
    database.clock.advance(CHECK_MS - 1);
    expect(await verification.verify(SUBJECT, "0.a")).toBe("passed");
    database.clock.advance(1);
    expect(await verification.verify(SUBJECT, "0.b")).toBe("expired");
  });

  test.each<[string, unknown, string]>([
    [
      "another address",
      () => success(tokenOf(open(undefined), { ...SUBJECT, address: "192.0.2.2" })),
      "failed",
    ],
    [
      "another action's token",
      () => success(tokenOf(open(undefined), { ...SUBJECT, action: "lookup" })),
      "failed",
    ],
    ["another action", () => success(tokenOf(open(undefined)), { action: "lookup" }), "failed"],
    ["no action", () => success(tokenOf(open(undefined)), { action: null }), "failed"],
    ["no cdata", () => success("", { cdata: undefined }), "failed"],
    ["foreign cdata", () => success("v1-9999999999999-AAAA"), "failed"],
    ["another secret's token", () => success(tokenOf(open(undefined, { secret: "another" }))), "failed"],
    ["a longer end", () => success(tokenOf(open(undefined)).replace(/-\d+-/, "-9999999999999-")), "failed"],
    ["invalid", { success: false, "error-codes": ["invalid-input-response"] }, "failed"],
    ["no reason", { success: false }, "failed"],
    ["too late", { success: false, "error-codes": ["timeout-or-duplicate"] }, "expired"],
    ["internal error", { success: false, "error-codes": ["internal-error"] }, "unavailable"],
    ["wrong secret key", { success: false, "error-codes": ["invalid-input-secret"] }, "unavailable"],
    ["a text", "success", "unavailable"],
    ["nothing", undefined, "unavailable"],
    ["a list", [], "unavailable"],
    ["success as text", { success: "true" }, "unavailable"],
    ["success as number", { success: 1 }, "unavailable"],
    ["wrong shape", { success: true, action: 5 }, "unavailable"],
    ["a failure of the way", () => Promise.reject(new Error("HTTP 502")), "unavailable"],
  ])("opens nothing for %s", async (_, answer, result) => {
    expect(await open(answer).verify(SUBJECT, "0.token")).toBe(result as "failed");
  });

  test("does not wait for ever, also when `siteverify` ignores the signal", async () => {
    const siteverify = () => new Promise<never>(() => {});
    expect(await open(undefined, { siteverify, timeoutMs: 5 }).verify(SUBJECT, "0.token")).toBe(
      "unavailable",
    );
  });

  test("sends no text that cannot be a token", async () => {
    const verification = open(success(tokenOf(open(undefined))));
    for (const payload of ["", " ", "a b", "a\n", "ü", "x".repeat(2049), "x".repeat(5_000_000)]) {
      expect(await verification.verify(SUBJECT, payload)).toBe("failed");
    }
    expect(forms).toEqual([]);
  });

  test("is unavailable and accepts nothing while uses cannot be saved", async () => {
    const challenges = { use: () => Promise.reject(new Error("no database")) };
    const cdata = tokenOf(open(undefined));
    expect(await open(success(cdata), { challenges }).verify(SUBJECT, "0.token")).toBe("unavailable");
    const late = { success: false, "error-codes": ["timeout-or-duplicate"] };
    expect(await open(late, { challenges }).verify(SUBJECT, "0.token")).toBe("unavailable");
  });

  test("fails when any character of the widget's token is changed", async () => {
    const token = tokenOf(open(undefined));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        async (at, character) => {
          fc.pre(token[at] !== character);
          const changed = `${token.slice(0, at)}${character}${token.slice(at + 1)}`;
          expect(await open(success(changed)).verify(SUBJECT, "0.token")).toBe("failed");
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
