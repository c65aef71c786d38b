import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { boundObservation, boundText } from "../../src/sources/outcome.ts";

describe("boundText", () => {
  test("removes invisible and bidi characters, and folds blanks", () => {
    expect(boundText("Evil\u202eNet\u2066 \u0007AS\u200b\u{e0041}")).toBe("EvilNet AS");
    expect(boundText("  one\r\n\ttwo\u2028three\u00a0 four ")).toBe("one two three four");
    expect(boundText("\u0000\u001b[31mred")).toBe("[31mred");
  });

  test("cuts at 200 characters without splitting one", () => {
    expect(boundText("x".repeat(5000))).toHaveLength(200);
    expect(Array.from(boundText("😀".repeat(5000)))).toHaveLength(200);
    expect(boundText("😀".repeat(5000)).isWellFormed()).toBe(true);
    expect(boundText("ab", 1)).toBe("a");
  });

  test("leaves clean ASCII unchanged, and treats only clean text as clean", () => {
    const words = fc.string({
      unit: fc.constantFrom("a", "B", "~", "!", " ", "\t", "\u007f", "é"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, (some) => {
        // Invisible characters are not clean ASCII and are removed.
        expect(boundText(some)).toBe(boundText(`\u200b${some}`));
      }),
    );
    expect(boundText("Example Net, Inc. (AS64500)")).toBe("Example Net, Inc. (AS64500)");
  });

  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3000 }),
    fc.string({
      unit: fc.constantFrom("a", " ", "\n", "\u00a0", "\u202e", "\u0000", "\ud83d", "😀"),
      maxLength: 2000,
    }),
  );

  test("gives well-formed, bounded, single-line text that a second call does not change", () => {
    fc.assert(
      fc.property(text, (text) => {
        const bounded = boundText(text);
        expect(bounded.isWellFormed()).toBe(true);
        expect(Array.from(bounded).length).toBeLessThanOrEqual(200);
        expect(bounded).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(boundText(bounded)).toBe(bounded);
      }),
    );
  });
});

describe("boundObservation", () => {
  test("keeps an ordinary observation, deeply frozen", () => {
    const observation = {
      flags: { isProxy: true, isVpn: false },
      exposure: { observed: true, ports: [], vulns: ["CVE-2026-0001"] },
      abuse: { score: 0, attacks: { login_attempt: 3 } },
    };
    const bounded = boundObservation(observation);
    expect(bounded).toEqual(observation);
    expect(bounded).not.toBe(observation);
    expect(Object.isFrozen(bounded)).toBe(true);
    expect(Object.isFrozen(bounded?.exposure?.ports)).toBe(true);
    expect(Object.isFrozen(bounded?.abuse?.attacks)).toBe(true);
  });

  test("leaves out empty values, so that absent means 'not stated'", () => {
    expect(boundObservation({ geo: { country: "\u202e", city: "" } })).toBeUndefined();
    expect(boundObservation({ abuse: { score: Number.NaN, reports: 2 } })).toEqual({ abuse: { reports: 2 } });
    expect(boundObservation({ flags: {}, asn: { asn: 64500, name: " " } })).toEqual({ asn: { asn: 64500 } });
  });

  test("drops a VPN operator with an empty name", () => {
    expect(boundObservation({ vpn: { name: "\u200b", url: "https://example.com" } })).toBeUndefined();
    expect(boundObservation({ vpn: { name: "Example VPN" } })).toEqual({ vpn: { name: "Example VPN" } });
  });

  test("bounds lists, maps and depth", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `host${index}.example.com`);
    const attacks = Object.fromEntries(names.map((name) => [name, 1]));
    const bounded = boundObservation({ reverse: { names }, abuse: { attacks } });
    expect(bounded?.reverse?.names).toHaveLength(256);
    expect(Object.keys(bounded?.abuse?.attacks ?? {})).toHaveLength(256);
  });

  test("does not let a key reach the prototype", () => {
    const attacks = JSON.parse('{"__proto__": 7, "constructor": 1, "__pro\\u200bto__": 2, "ssh": 3}');
    const bounded = boundObservation({ abuse: { attacks } });
    expect(Object.keys(bounded?.abuse?.attacks ?? {})).toEqual(["ssh"]);
    expect(Object.getPrototypeOf(bounded?.abuse?.attacks)).toBe(Object.prototype);
  });
});
