import { describe, expect, test } from "bun:test";
import { localizeProblem, pageTextsOf } from "#locale";
import { renderProblemPage } from "#render";
import { LANGUAGES, PROBLEM_CODES } from "#report";
import { problemPage } from "../pages.ts";
import { findUnbalanced, textOfPage } from "../read_page.ts";

describe.each([...LANGUAGES])("renderProblemPage() in %s", (language) => {
  const words = pageTextsOf(language);

  test.each([...PROBLEM_CODES])(
    "shows the message of %s, its code, a link to the home page, and the search field where it helps",
    (code) => {
      const page = problemPage(code, 400, language);
      const text = textOfPage(page);
      const { error, hint } = localizeProblem(code, language, {});
      expect(findUnbalanced(page)).toEqual([]);
      const heading = { not_found: words.notFound, invalid_ip: words.enterAddress }[code as string];
      expect(page).toContain(`<title>${heading ?? error.replace(/[.。]$/, "")} - limpid</title>`);
      // The hints of these are for programs: the page has a form and links instead.
      if (code === "invalid_ip" || code === "not_found") expect(text).not.toContain(hint ?? "");
      else expect(text).toContain(hint ?? "");
      expect(text).toContain(`400 ${code}`);
      const isSearchable = ["invalid_ip", "invalid_parameter", "not_found", "not_in_mirror"].includes(code);
      expect(page.includes('id="lookup-form"')).toBe(isSearchable);
      expect(page).toContain(`<a href="${language === "en" ? "/en" : "/"}">${words.goHome}</a>`);
      expect(page).toContain('content="noindex"');
    },
  );

  test("shows the input, what is wrong with it below the field, and what the field accepts", () => {
    const typed = "<300.1.1.1>";
    const { error } = localizeProblem("invalid_ip", language, { input: typed });
    const page = renderProblemPage({ error, code: "invalid_ip" }, 400, language, { typed });
    expect(page).toContain("“&lt;300.1.1.1&gt;”");
    expect(page).toMatch(/<\/button><\/div>\n<p class="cause" id="cause">/);
    expect(textOfPage(page)).toContain(words.fieldHint);
    expect(page).toContain('aria-describedby="cause ip-hint" aria-invalid="true"');
    expect(problemPage("invalid_ip", 400, language)).not.toContain("aria-invalid");
  });

  test("keeps what was typed in the search field", () => {
    const problem = { error: "x", code: "invalid_ip" } as const;
    const page = renderProblemPage(problem, 400, language, { typed: '"><b>300.1.1.1' });
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;300.1.1.1"');
    expect(textOfPage(page)).toContain(words.mistakes.other);
  });

  test.each([
    ["300.1.1.1", "tooLarge"],
    ["81.2.69", "parts"],
    ["010.1.1.1", "zeros"],
    ["2001:db8::12345", "longGroup"],
    ["2001:db8:1:2", "groups"],
    ["2001::db8::1", "gaps"],
    ["192.0.2.7:80", "more"],
    ["AS4294967296", "asn"],
    ["1.2.3.4-1.2.3.9", "range"],
    ["1.2.3.*", "range"],
    ["https://example.com/a", "domain"],
    ["abc", "other"],
  ] as const)("says what is wrong with %s", (typed, name) => {
    const [before = "", after = ""] = words.mistakes[name].split(/\{\w+\}/);
    expect(words.mistake(typed)).toStartWith(before);
    expect(words.mistake(typed)).toEndWith(after);
  });

  test("shows the start of an unknown path as plain text", () => {
    const { error, hint } = localizeProblem("not_found", language, {});
    const requested = `/<b>\u202e${"a".repeat(200)}`;
    const page = renderProblemPage({ error, code: "not_found", hint }, 404, language, { requested });
    expect(textOfPage(page)).toContain(words.notFound);
    expect(page).toContain(`>/&lt;b&gt;\\u{202e}${"a".repeat(95)}…</code>`);
  });

  test("says how long to wait, with and without script", () => {
    const page = problemPage("rate_limited", 429, language, { retryAfterSeconds: 34 });
    expect(page).toMatch(
      /<p class="note" id="wait" data-seconds="34" data-words="[^"]+"><time datetime="PT34S">/,
    );
    expect(page).toContain(`<a class="button" href="">${words.tryAgain}</a>`);
    const text = textOfPage(page);
    expect(text.match(/34/g)).toHaveLength(1);
    expect(text).toContain(localizeProblem("rate_limited", language, { retryAfterSeconds: 34 }).hint ?? "?");
    const bare = renderProblemPage({ error: "x", code: "overloaded" }, 503, language, {
      retryAfterSeconds: 7,
    });
    expect(textOfPage(bare)).toContain(words.waitFor(7));
    expect(problemPage("internal", 500, language)).not.toContain('id="wait"');
  });

  test("links the URL of a problem only when it is http or https", () => {
    const show = (reportUrl: string) => problemPage("not_in_mirror", 404, language, {}, reportUrl);
    const url = "https://limpid.example/ip/203.0.113.7";
    expect(show(url)).toContain(`<a href="${url}" rel="nofollow">`);
    expect(show("javascript:alert(1)")).toContain('<a href="#" rel="nofollow">');
    expect(show("javascript:alert(1)")).not.toContain('href="javascript');
  });
});
