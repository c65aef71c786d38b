import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { iplocate } from "../../../src/sources/live/iplocate.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("iplocate", () => {
  test("reads exactly the detections in the answer, but no proxy for an access network", () => {
    const detection = fc.constantFrom(true, false, null, undefined);
    const privacy = fc.record({
      is_proxy: detection,
      is_vpn: detection,
      is_tor: detection,
      is_hosting: detection,
      is_icloud_relay: detection,
      is_anonymous: fc.boolean(),
      is_abuser: fc.boolean(),
    });
    const type = fc.constantFrom("isp", "hosting", "business", undefined);
    fc.assert(
      fc.property(privacy, type, (flags, asType) => {
        const isMistakable = flags.is_proxy === true && asType === "isp" && flags.is_hosting !== true;
        const expected = {
          ...optionalFlag("isProxy", isMistakable ? undefined : flags.is_proxy),
          ...optionalFlag("isVpn", flags.is_vpn),
          ...optionalFlag("isTor", flags.is_tor),
          ...optionalFlag("isHosting", flags.is_hosting),
          ...optionalFlag("isRelay", flags.is_icloud_relay),
        };
        const isSilent = Object.keys(expected).length === 0 && !isMistakable;
        fc.pre(!isSilent);
        expect<unknown>(
          read({ privacy: flags, asn: { name: "Example", type: asType } })?.flags ?? {},
        ).toEqual(expected);
      }),
    );
  });
});

function optionalFlag(name: string, value: boolean | null | undefined): Record<string, boolean> {
  return typeof value === "boolean" ? { [name]: value } : {};
}

function read(more: object) {
  return iplocate.read({ status: 200, body: { ip: "203.0.113.7", ...more } }, ADDRESS);
}
