import { describe, expect, test } from "bun:test";
import {
  allowOtherSites,
  PLAIN_POLICY,
  policyOfPage,
  policyOfVerification,
  securityHeaders,
} from "../../../src/http/plugins/security_headers.ts";

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

test("securityHeaders() sets the same three headers on every answer, with the plain policy by default", () => {
  expect(securityHeaders()).toEqual({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": PLAIN_POLICY,
  });
  expect(securityHeaders("default-src 'self'")["content-security-policy"]).toBe("default-src 'self'");
});

test("allowOtherSites() allows scripts of any site to read the body and the limit headers", () => {
  const headers = new Headers();
  allowOtherSites(headers);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toContain("RateLimit");
});
