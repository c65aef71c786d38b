import { describe, expect, test } from "bun:test";
import {
  acceptsGzip,
  isCurrent,
  PLAIN_POLICY,
  policyOfPage,
  policyOfVerification,
  prefersPage,
  prefersText,
} from "../../../src/http/plugins/headers.ts";
import VALUES from "../../fixtures/http/values.json";

test.each(VALUES.encodings as [string | null, boolean][])("acceptsGzip(%p) is %p", (header, accepted) => {
  const headers = new Headers(header === null ? {} : { "accept-encoding": header });
  expect(acceptsGzip(headers)).toBe(accepted);
});

describe("isCurrent()", () => {
  test.each(VALUES.tags as [string, string, boolean][])(
    "compares %s with %s",
    (ifNoneMatch, etag, current) => {
      expect(isCurrent(new Headers({ "if-none-match": ifNoneMatch }), new Headers({ etag }))).toBe(current);
    },
  );

  test("is false without a header, or without a tag", () => {
    expect(isCurrent(new Headers(), new Headers({ etag: '"a"' }))).toBe(false);
    expect(isCurrent(new Headers({ "if-none-match": "*" }), new Headers())).toBe(false);
  });
});

describe("prefersText() and prefersPage()", () => {
  test.each(VALUES.agents as [Record<string, string>, boolean, boolean][])("%j", (headers, text, page) => {
    const given = new Headers(headers);
    expect(prefersText(given)).toBe(text);
    expect(prefersPage(given)).toBe(page);
  });
});

describe("policyOfPage()", () => {
  test("allows scripts only on a page that names one of this site", () => {
    expect(policyOfPage('<script type="application/json" id="service-report">{}</script>')).toBe(
      PLAIN_POLICY,
    );
    expect(policyOfPage('&lt;script src="/static/x.js"&gt;')).toBe(PLAIN_POLICY);
    expect(policyOfPage('<script src="https://evil.test/static/x.js"></script>')).toBe(PLAIN_POLICY);
    expect(policyOfPage('<script type="module" src="/static/report.js"></script>')).toContain(
      "; script-src 'self'; connect-src 'self'; worker-src 'self'",
    );
  });

  test("lets a page with the switch of the theme alone connect to nothing", () => {
    expect(policyOfPage('<script src="/static/theme.js"></script>')).toBe(
      `${PLAIN_POLICY}; script-src 'self'`,
    );
  });

  test("names the origins of both families on the pages that ask them, and no other", () => {
    const families = { ipv4: "https://v4.example", ipv6: "https://v6.example" };
    const asking = '<script type="module" src="/static/families.js"></script>';
    expect(policyOfPage(asking, families)).toContain(
      "connect-src 'self' https://v4.example https://v6.example;",
    );
    expect(policyOfPage(asking)).toContain("connect-src 'self';");
    expect(policyOfPage('<script type="module" src="/static/report.js"></script>', families)).toContain(
      "connect-src 'self';",
    );
  });

  test("never allows inline scripts, and allows other sites only for Turnstile on the page of the check", () => {
    const policies = [
      PLAIN_POLICY,
      policyOfPage('<script src="/static/a.js">'),
      policyOfVerification("altcha"),
    ];
    for (const policy of [...policies, policyOfVerification("turnstile")]) {
      expect(policy).toStartWith("default-src 'none'; ");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:|blob:/);
    }
    for (const policy of policies) expect(policy).not.toContain("//");
  });
});
