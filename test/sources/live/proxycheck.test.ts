import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { proxycheck } from "../../../src/sources/live/proxycheck.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const FLAG_OF = { proxy: "isProxy", vpn: "isVpn", tor: "isTor", hosting: "isHosting" } as const;

describe("proxycheck", () => {
  test("reads exactly the detections in the answer, with any risk", () => {
    const detection = fc.constantFrom(true, false, null, "Unknown", undefined);
    const detections = fc.record({
      proxy: detection,
      vpn: detection,
      tor: detection,
      hosting: detection,
      anonymous: fc.boolean(),
      risk: fc.nat(100),
    });
    fc.assert(
      fc.property(detections, (values) => {
        const expected: Record<string, boolean> = {};
        for (const [field, flag] of Object.entries(FLAG_OF)) {
          const value = values[field as keyof typeof FLAG_OF];
          if (typeof value === "boolean") expected[flag] = value;
        }
        if (Object.keys(expected).length === 0) return;
        const network = { provider: "Example Broadband" };
        const observation = read({ status: "ok", "203.0.113.7": { detections: values, network } });
        expect<unknown>(observation).toEqual({ flags: expected, asn: { name: "Example Broadband" } });
      }),
    );
  });

  test("sends a hostile key unchanged", () => {
    const body = JSON.parse('{"status":"ok","__proto__":{"detections":{"vpn":true}},"constructor":{}}');
    expect(() => read(body)).toThrow(UpstreamError);
    expect(Object.hasOwn(Object.prototype, "detections")).toBe(false);
  });
});

function read(body: unknown) {
  return proxycheck.read({ status: 200, body }, ADDRESS);
}
