import { describe, expect, test } from "bun:test";
import { checkPolicyOf, PLAIN_POLICY, policyOf } from "../../src/http/policy.ts";

describe("policyOf()", () => {
  test("lets a page load scripts only where it names one of ours", () => {
    expect(policyOf('<script type="application/json" id="service-report">{}</script>')).toBe(PLAIN_POLICY);
    expect(policyOf('&lt;script src="/static/x.js"&gt;')).toBe(PLAIN_POLICY);
    expect(policyOf('<script src="https://evil.test/static/x.js"></script>')).toBe(PLAIN_POLICY);
    expect(policyOf('<script type="module" src="/static/report.js"></script>')).toContain(
      "; script-src 'self'; connect-src 'self'; worker-src 'self'",
    );
  });

  test("never lets anything inline run, or anything of others but Turnstile on its own page", () => {
    const policies = [PLAIN_POLICY, policyOf('<script src="/static/a.js">'), checkPolicyOf("altcha")];
    for (const policy of [...policies, checkPolicyOf("turnstile")]) {
      expect(policy).toStartWith("default-src 'none'; ");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:|blob:/);
    }
    for (const policy of policies) expect(policy).not.toContain("//");
  });
});
