import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { createClock } from "#kit";
import { createPasses, PASS_COOKIE, PASS_MS } from "#verification";
import { runs } from "../kit/runs.ts";

const secret = "a secret of the tests";

function open(as = secret) {
  const clock = createClock();
  let fill = 0;
  const randomBytes = (length: number) => {
    fill += 1;
    return new Uint8Array(length).fill(fill);
  };
  return { clock, passes: createPasses({ secret: as, now: clock.now, randomBytes }) };
}

describe("Passes.issue()", () => {
  test("creates a pass of 30 minutes with a random id, as a cookie value that needs no quotes", () => {
    const { clock, passes } = open();
    const { pass, cookie } = passes.issue();
    expect(pass).toEqual({ id: "AQEBAQEBAQEBAQEBAQEBAQ", expiresAt: clock.now() + 1_800_000 });
    expect(PASS_MS).toBe(1_800_000);
    expect(cookie).toMatch(
      new RegExp(`^v1\\.AQEBAQEBAQEBAQEBAQEBAQ\\.${pass.expiresAt}\\.[A-Za-z0-9_-]{43}$`),
    );
    expect(passes.issue().pass.id).toBe("AgICAgICAgICAgICAgICAg");
  });
});

describe("Passes.read()", () => {
  test("accepts a pass until it expires, in every process with the same secret", () => {
    const { clock, passes } = open();
    const { pass, cookie } = passes.issue();
    const header = `${PASS_COOKIE}=${cookie}`;
    const other = createPasses({ secret, now: clock.now, randomBytes: (length) => new Uint8Array(length) });
    expect(passes.read(header)).toEqual(pass);
    expect(other.read(header)).toEqual(pass);
    expect(open("another secret of the tests").passes.read(header)).toBeUndefined();
    clock.advance(PASS_MS - 1);
    expect(passes.read(header)).toEqual(pass);
    clock.advance(1);
    expect(passes.read(header)).toBeUndefined();
  });

  test("finds the pass among other cookies, blanks and duplicates", () => {
    const { passes } = open();
    const { pass, cookie } = passes.issue();
    const own = `limpid_pass=${cookie}`;
    const forged = `limpid_pass=v1.${"A".repeat(22)}.9999999999999.${"A".repeat(43)}`;
    for (const header of [
      `a=b; ${own}`,
      `${own}; a=b`,
      `a=b;${own};c=d`,
      ` \t${own}\t `,
      `;;; ${own};`,
      `limpid_pass=; ${own}`,
      `${forged}; ${forged}; ${forged}; ${own}`,
      `limpid_pass=${"x".repeat(5000)}; ${own}`,
    ]) {
      expect(passes.read(header)).toEqual(pass);
    }
  });

  test("finds no pass elsewhere, or after more duplicates than any browser sends", () => {
    const { passes } = open();
    const { cookie } = passes.issue();
    const forged = `limpid_pass=v1.${"A".repeat(22)}.9999999999999.${"A".repeat(43)}`;
    for (const header of [
      null,
      "",
      ";",
      "limpid_pass",
      "limpid_pass=",
      cookie,
      `xlimpid_pass=${cookie}`,
      `limpid_pass2=${cookie}`,
      `LIMPID_PASS=${cookie}`,
      `limpid_pass =${cookie}`,
      `limpid_pass="${cookie}"`,
      `limpid_pass=${cookie}x`,
      `limpid_pass=${cookie.replace("v1", "v2")}`,
      `a=limpid_pass=${cookie}`,
      `${`${forged}; `.repeat(4)}limpid_pass=${cookie}`,
      `${"a=b; ".repeat(4000)}limpid_pass=${cookie}`,
    ]) {
      expect(passes.read(header)).toBeUndefined();
    }
  });

  test("refuses every change of a single character", () => {
    const { passes } = open();
    const { cookie } = passes.issue();
    const place = fc.nat(cookie.length - 1);
    fc.assert(
      fc.property(
        place,
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        (at, character) => {
          fc.pre(cookie[at] !== character);
          const changed = `${cookie.slice(0, at)}${character}${cookie.slice(at + 1)}`;
          expect(passes.read(`limpid_pass=${changed}`)).toBeUndefined();
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test("refuses values that are signed for another purpose, or with the secret itself", () => {
    const { clock, passes } = open();
    const id = "A".repeat(22);
    const expires = String(clock.now() + 1000);
    const mac = createHmac("sha256", secret)
      .update(JSON.stringify([id, expires]))
      .digest("base64url");
    expect(passes.read(`limpid_pass=v1.${id}.${expires}.${mac}`)).toBeUndefined();
  });

  test("never throws", () => {
    const { passes } = open();
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (junk) => {
        expect(passes.read(junk)).toBeUndefined();
        expect(passes.read(`limpid_pass=${junk}`)).toBeUndefined();
        expect(passes.read(`limpid_pass=v1.${junk}`)).toBeUndefined();
      }),
    );
  });
});
