import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { ipapiIs } from "../../../src/sources/live/ipapi_is.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const FLAG_OF = {
  is_proxy: "isProxy",
  is_vpn: "isVpn",
  is_tor: "isTor",
  is_datacenter: "isHosting",
  is_mobile: "isMobile",
} as const;

describe("ipapiIs", () => {
  test("reads exactly the detections in the answer", () => {
    const detection = fc.constantFrom(true, false, null);
    const anyFlags = fc.record(
      {
        is_proxy: detection,
        is_vpn: detection,
        is_tor: detection,
        is_datacenter: detection,
        is_mobile: detection,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyFlags, (flags) => {
        const expected: Record<string, boolean> = {};
        for (const [field, flag] of Object.entries(FLAG_OF)) {
          const value = flags[field as keyof typeof FLAG_OF];
          if (typeof value === "boolean") expected[flag] = value;
        }
        if (Object.keys(expected).length === 0) return;
        expect<unknown>(read({ ip: ADDRESS.text, ...flags, asn: { asn: 64500 } })?.flags).toEqual(expected);
      }),
    );
  });

  test("never makes an answer without detections look clean", () => {
    const field = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
    const others = fc.dictionary(
      fc.string().filter((key) => !(key in FLAG_OF) && key !== "ip"),
      field,
    );
    fc.assert(
      fc.property(others, (fields) => {
        expect(kindOf(() => read({ ...fields, ip: ADDRESS.text }))).toBe("unavailable");
      }),
    );
  });
});

function read(body: unknown) {
  return ipapiIs.read({ status: 200, body }, ADDRESS);
}

function kindOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof UpstreamError ? error.kind : error;
  }
}
