import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { ripestat } from "../../../src/sources/live/ripestat.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const ENVELOPE = { status: "ok", data_call_status: "supported" };

describe("ripestat", () => {
  test("names the same origin in any order of the answer", () => {
    const asns = fc.uniqueArray(fc.integer({ min: 1, max: 0xfffffffe }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(asns, (numbers) => {
        const origins = numbers.map((asn) => ({ asn, holder: `H${asn} - Holder of ${asn}` }));
        const least = Math.min(...numbers);
        for (const list of [origins, origins.toReversed()]) {
          expect<unknown>(read(list)).toEqual({
            announced: true,
            asn: { asn: least, name: `H${least}`, org: `Holder of ${least}`, route: "203.0.113.0/24" },
          });
        }
      }),
    );
  });

  test("refuses every envelope that is not valid, with any data", () => {
    const status = fc.constantFrom("ok", "error", "maintenance", "");
    const call = fc.constantFrom("supported", "supported - with a remark", "deprecated", "maintenance", "");
    fc.assert(
      fc.property(status, call, (status, data_call_status) => {
        const attempt = () => read([{ asn: 64500 }], { status, data_call_status });
        if (status === "ok" && data_call_status.startsWith("supported")) {
          expect(attempt()?.announced).toBe(true);
        } else expect(attempt).toThrow(UpstreamError);
      }),
    );
  });
});

function read(asns: readonly object[], envelope: object = ENVELOPE) {
  const data = { announced: true, resource: "203.0.113.0/24", asns };
  return ripestat.read({ status: 200, body: { ...envelope, data } }, ADDRESS);
}
