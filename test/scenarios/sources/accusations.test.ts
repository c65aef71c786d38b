import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAddress } from "#kit";
import type { Source } from "#sources";
import { UpstreamError } from "#upstream";
import { abuseipdb } from "../../../src/sources/live/abuseipdb.ts";
import { crowdsecCti } from "../../../src/sources/live/crowdsec_cti.ts";
import { greynoise } from "../../../src/sources/live/greynoise.ts";
import { internetdb } from "../../../src/sources/live/internetdb.ts";
import { otx } from "../../../src/sources/live/otx.ts";
import { ripestat } from "../../../src/sources/live/ripestat.ts";
import { stopforumspam } from "../../../src/sources/live/stopforumspam.ts";

/** What sources say about abuse, exposure and routing, in any combination of their fields. */
const ADDRESS = readAddress("203.0.113.7");

const read = (source: Source, body: unknown, status = 200) => source.read({ status, body }, ADDRESS);

test("abuseipdb counts reports only with a score, and never for a whitelisted address", () => {
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.nat(5000),
      fc.constantFrom(true, false, null),
      (abuseConfidenceScore, totalReports, isWhitelisted) => {
        const data = { ipAddress: ADDRESS.text, abuseConfidenceScore, totalReports, isWhitelisted };
        const abuse = read(abuseipdb, { data })?.abuse;
        if (isWhitelisted === true) expect(abuse).toBeUndefined();
        else if (abuseConfidenceScore === 0) expect(abuse).toEqual({ score: 0 });
        else expect(abuse).toEqual({ score: abuseConfidenceScore, reports: totalReports });
      },
    ),
  );
});

describe("crowdsec_cti", () => {
  test.each([
    [{ message: "Limit Exceeded" }, 86_400_000],
    [{ message: "request quota exceeded" }, 86_400_000],
    [{ message: "Too Many Requests" }, undefined],
    [undefined, undefined],
  ])("waits a day when the monthly quota is used up, and gives no time after a burst: %j", (body, ms) => {
    let error: unknown;
    try {
      read(crowdsecCti, body, 429);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ kind: "quota" });
    expect((error as UpstreamError).retryAfterMs).toBe(ms as undefined);
  });

  test("never accuses a safe address, a false alarm, or an address with old reports only", () => {
    const anyReputation = fc.constantFrom("malicious", "suspicious", "known", "safe", "benign", "unknown");
    const behaviors = fc.array(
      fc.constantFrom("ssh:bruteforce", "http:scan", "tcp:scan").map((name) => ({ name })),
    );
    const total = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(anyReputation, behaviors, total, fc.boolean(), (reputation, seen, overall, isFalse) => {
        const abuse = read(crowdsecCti, {
          ip: ADDRESS.text,
          reputation,
          behaviors: seen,
          scores: { overall: { total: overall } },
          classifications: { false_positives: isFalse ? [{ name: "seo:crawler" }] : [] },
        })?.abuse;
        if (reputation === "unknown") expect(abuse).toBeUndefined();
        else if (isFalse || reputation === "safe" || reputation === "benign") {
          expect(abuse).toEqual({ score: 0 });
        } else {
          expect(abuse?.score).toBe(overall * 20);
          expect(Object.keys(abuse?.attacks ?? {}).length).toBe(new Set(seen.map(({ name }) => name)).size);
        }
      }),
    );
  });
});

test("greynoise accuses no address that does not scan, with any classification", () => {
  const anyClassification = fc.constantFrom("malicious", "suspicious", "unknown", "benign", null, "");
  const anyStatus = fc.constantFrom(200, 404);
  fc.assert(
    fc.property(anyClassification, fc.boolean(), anyStatus, (classification, riot, status) => {
      const body = { ip: ADDRESS.text, noise: false, riot, classification };
      expect(read(greynoise, body, status)).toEqual(riot ? { abuse: { score: 0 } } : undefined);
    }),
  );
});

describe("internetdb", () => {
  const exposureOf = (fields: object) =>
    read(internetdb, { ip: ADDRESS.text, ports: [], vulns: [], tags: [], ...fields })?.exposure;

  test("gives the same ports and CVEs in any order and with repetitions", () => {
    const ports = fc.uniqueArray(fc.nat(65_535), { maxLength: 40 });
    const vulns = fc.uniqueArray(
      fc.integer({ min: 1000, max: 99_999 }).map((number) => `CVE-2025-${number}`),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(ports, vulns, (somePorts, someVulns) => {
        const straight = exposureOf({ ports: somePorts, vulns: someVulns });
        const odd = exposureOf({
          ports: [...somePorts, ...somePorts].reverse(),
          vulns: [...someVulns, "x", ...someVulns].reverse(),
        });
        expect(odd).toEqual(straight);
        expect(straight?.ports).toEqual(somePorts.toSorted((a, b) => a - b));
        expect(new Set(straight?.vulns)).toEqual(new Set(someVulns));
      }),
    );
  });

  test("keeps at most 256 ports and the newest 256 CVEs", () => {
    const ports = Array.from({ length: 1000 }, (_, index) => index);
    const vulns = Array.from({ length: 1000 }, (_, index) => `CVE-${2000 + (index % 27)}-${10_000 + index}`);
    const exposure = exposureOf({ ports, vulns });
    expect([exposure?.ports.length, exposure?.vulns.length]).toEqual([256, 256]);
    expect(exposure?.vulns[0]).toBe("CVE-2026-10998");
  });
});

test("otx counts authors, not lists, needs two authors, and gives no score", () => {
  const authors = fc.array(fc.constantFrom("alice", "bob", "carol"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(authors, (names) => {
      const pulses = names.map((username, index) => ({
        modified: `2026-0${1 + (index % 9)}-01T00:00:00.5`,
        author: { username },
      }));
      const count = new Set(names).size;
      const lastSeen = `2026-0${Math.min(names.length, 9)}-01T00:00:00Z`;
      const body = { indicator: ADDRESS.text, pulse_info: { count: pulses.length, pulses } };
      expect<unknown>(read(otx, body)).toEqual(
        count < 2 ? undefined : { abuse: { reports: count, lastSeen } },
      );
    }),
  );
});

describe("ripestat", () => {
  const readOrigins = (asns: readonly object[], envelope: object = {}) =>
    read(ripestat, {
      status: "ok",
      data_call_status: "supported",
      ...envelope,
      data: { announced: true, resource: "203.0.113.0/24", asns },
    });

  test("names the same origin in any order of the answer", () => {
    const asns = fc.uniqueArray(fc.integer({ min: 1, max: 0xfffffffe }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(asns, (numbers) => {
        const origins = numbers.map((asn) => ({ asn, holder: `H${asn} - Holder of ${asn}` }));
        const least = Math.min(...numbers);
        for (const list of [origins, origins.toReversed()]) {
          expect<unknown>(readOrigins(list)).toEqual({
            announced: true,
            asn: { asn: least, name: `H${least}`, org: `Holder of ${least}`, route: "203.0.113.0/24" },
          });
        }
      }),
    );
  });

  test("refuses every envelope that is not valid, with any data", () => {
    const anyStatus = fc.constantFrom("ok", "error", "maintenance", "");
    const call = fc.constantFrom("supported", "supported - with a remark", "deprecated", "maintenance", "");
    fc.assert(
      fc.property(anyStatus, call, (status, data_call_status) => {
        const attempt = () => readOrigins([{ asn: 64500 }], { status, data_call_status });
        if (status === "ok" && data_call_status.startsWith("supported")) {
          expect(attempt()?.announced).toBe(true);
        } else expect(attempt).toThrow(UpstreamError);
      }),
    );
  });
});

test("stopforumspam reads numbers, and numbers as text", () => {
  const entry = fc.record({
    appears: fc.nat(1),
    frequency: fc.nat(254),
    confidence: fc.nat(10_000).map((hundredths) => hundredths / 100),
  });
  fc.assert(
    fc.property(entry, (numbers) => {
      const texts = Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)]));
      expect(read(stopforumspam, { success: "1", ip: { value: ADDRESS.text, ...texts } })).toEqual(
        read(stopforumspam, { success: 1, ip: { value: ADDRESS.text, ...numbers } }),
      );
    }),
  );
});
