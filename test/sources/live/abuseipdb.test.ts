import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { abuseipdb } from "../../../src/sources/live/abuseipdb.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("abuseipdb", () => {
  test("counts reports only with a score, and never for a whitelisted address", () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.nat(5000),
        fc.constantFrom(true, false, null),
        (abuseConfidenceScore, totalReports, isWhitelisted) => {
          const data = { ipAddress: ADDRESS.text, abuseConfidenceScore, totalReports, isWhitelisted };
          const abuse = abuseipdb.read({ status: 200, body: { data } }, ADDRESS)?.abuse;
          if (isWhitelisted === true) expect(abuse).toBeUndefined();
          else if (abuseConfidenceScore === 0) expect(abuse).toEqual({ score: 0 });
          else expect(abuse).toEqual({ score: abuseConfidenceScore, reports: totalReports });
        },
      ),
    );
  });
});
