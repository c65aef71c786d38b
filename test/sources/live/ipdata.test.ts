import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { ipdata } from "../../../src/sources/live/ipdata.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("ipdata", () => {
  test.each(["isp", "hosting", "edu", "gov", "business", "mil", "unknown type", "", null, 7])(
    "reads the network from an object and from text: %p",
    (type) => {
      const threat = { is_tor: false };
      const asn = { asn: "AS64500", type };
      const old = ipdata.read(ok({ threat, asn: "AS64500" }), ADDRESS);
      const today = ipdata.read(ok({ threat, asn }), ADDRESS);
      expect(old?.asn).toEqual({ asn: 64500 });
      expect(today?.asn).toEqual({ asn: 64500 });
      expect(old?.usage).toBeUndefined();
    },
  );

  test("ignores lists without names", () => {
    const lists = { is_known_attacker: true, is_known_abuser: true, is_threat: true, is_anonymous: true };
    const observation = ipdata.read(ok({ threat: { is_tor: false, ...lists }, country_code: "DE" }), ADDRESS);
    const geo = { country: "DE" };
    expect(observation).toEqual({ flags: { isTor: false }, geo, echoes: ["apple", "public_lists", "tor"] });
  });
});

function ok(fields: object) {
  return { status: 200, body: { ip: ADDRESS.text, ...fields } };
}
