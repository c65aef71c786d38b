import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { localizeProblem } from "#locale";
import { type Data, LANGUAGES, type Language, PROBLEM_CODES, type ProblemCode, ProblemSchema } from "#report";
import LOCALE from "../fixtures/locale.json";

describe("localizeProblem", () => {
  test("has a text and a hint for every code in both languages", () => {
    for (const language of LANGUAGES) {
      for (const code of PROBLEM_CODES) {
        const said = localizeProblem(code, language, {});
        expect(v.parse(ProblemSchema, { ...said, code })).toEqual({ ...said, code });
        expect(said.error).not.toBe("");
        expect(said.hint, `${language} ${code}`).not.toBeEmpty();
      }
    }
  });

  test("distinguishes a refresh from a used-up allowance", () => {
    for (const language of LANGUAGES) {
      const refresh = localizeProblem("verification_required", language, { reason: "refresh" });
      const allowance = localizeProblem("verification_required", language, { reason: "allowance" });
      expect(refresh.error).not.toBe(allowance.error);
    }
  });

  test("has a different sentence and a hint for each reason, in both languages", () => {
    const reasons = {
      verification_required: ["client_day", "total_day", "refresh"],
      forbidden: ["feedback", "failed", "expired", "replayed", "unavailable", "cross_site"],
      rate_limited: ["lookups_per_minute", "new_per_minute", "refresh_per_minute"],
    } as const;
    for (const language of LANGUAGES) {
      for (const code of ["verification_required", "forbidden", "rate_limited"] as const) {
        const said = reasons[code].map((reason) => localizeProblem(code, language, { reason, limit: 5 }));
        expect(new Set(said.map(({ error }) => error)).size, `${language} ${code}`).toBe(said.length);
        for (const { error, hint } of said) {
          expect(`${error}${hint}`).not.toMatch(/\bsafe\b|安全/i);
          if (language === "zh") expect(error).toMatch(/\p{Script=Han}/u);
          else expect(`${error}${hint}`).toMatch(/^[\x20-\x7e]+$/);
        }
      }
    }
    const { hint } = localizeProblem("verification_required", "en", { reason: "client_day", limit: 5 });
    expect(hint).toContain("reportUrl");
    expect(localizeProblem("open_rate_limited", "zh", { limit: 15 }).error).toContain("15");
  });

  test.each(LOCALE.problems as unknown as [ProblemCode, Language, Data, "error" | "hint", string][])(
    "names what was sent and when to come back: %s in %s about %j",
    (code, language, data, part, text) => {
      expect(localizeProblem(code, language, data)[part]).toBe(text);
    },
  );

  test("stays one short line without control or bidi characters for any input", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.constantFrom(...PROBLEM_CODES),
        fc.constantFrom(...LANGUAGES),
        (text, code, language) => {
          const said = localizeProblem(code, language, {
            input: text,
            value: text,
            parameter: text,
            allowed: [text],
            requestId: text,
            __proto__: text,
          });
          for (const line of [said.error, said.hint ?? ""]) {
            expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
            expect(line.length).toBeLessThan(260);
          }
        },
      ),
    );
    expect(localizeProblem("invalid_ip", "en", { input: "\u001b[31m\u202ex\r\ny" }).error).toBe(
      '"?[31m?x??y" is not a valid IP address.',
    );
  });
});
