import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { crowdsecCti } from "../../../src/sources/live/crowdsec_cti.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const anyReputation = fc.constantFrom("malicious", "suspicious", "known", "safe", "benign", "unknown");
const behaviors = fc.array(
  fc.constantFrom("ssh:bruteforce", "http:scan", "tcp:scan").map((name) => ({ name })),
);

describe("crowdsecCti", () => {
  test("waits a day when the monthly quota is used up, and gives no time after a burst", () => {
    expect(quota({ message: "Limit Exceeded" }).retryAfterMs).toBe(86_400_000);
    expect(quota({ message: "request quota exceeded" }).retryAfterMs).toBe(86_400_000);
    expect(quota({ message: "Too Many Requests" }).retryAfterMs).toBeUndefined();
    expect(quota(undefined).retryAfterMs).toBeUndefined();
  });

  test("never accuses a safe address, a false alarm, or an address with old reports only", () => {
    const total = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        anyReputation,
        behaviors,
        total,
        fc.boolean(),
        (reputation, seen, overall, isFalseAlarm) => {
          const abuse = read({
            reputation,
            behaviors: seen,
            scores: { overall: { total: overall } },
            classifications: { false_positives: isFalseAlarm ? [{ name: "seo:crawler" }] : [] },
          })?.abuse;
          if (reputation === "unknown") expect(abuse).toBeUndefined();
          else if (isFalseAlarm || reputation === "safe" || reputation === "benign") {
            expect(abuse).toEqual({ score: 0 });
          } else {
            expect(abuse?.score).toBe(overall * 20);
            expect(Object.keys(abuse?.attacks ?? {}).length).toBe(new Set(seen.map(({ name }) => name)).size);
          }
        },
      ),
    );
  });

  test("reads a tag only as 'yes'", () => {
    const tags = fc.array(
      fc.constantFrom("proxy:tor", "crowdsec:ai_vpn_proxy", "profile:proxy", "scanner:legit"),
    );
    fc.assert(
      fc.property(tags, (names) => {
        const classifications = { classifications: names.map((name) => ({ name })) };
        expect<unknown>(read({ reputation: "unknown", classifications })?.flags ?? {}).toEqual({
          ...(names.includes("proxy:tor") ? { isTor: true } : {}),
          ...(names.includes("crowdsec:ai_vpn_proxy") ? { isVpn: true } : {}),
        });
      }),
    );
  });
});

function read(more: object) {
  return crowdsecCti.read({ status: 200, body: { ip: "203.0.113.7", ...more } }, ADDRESS);
}

function quota(body: unknown): UpstreamError {
  try {
    crowdsecCti.read({ status: 429, body }, ADDRESS);
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === "quota") return error;
  }
  return expect.unreachable();
}
