import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { ipregistry } from "../../../src/sources/live/ipregistry.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();

describe("ipregistry", () => {
  test("classifies every documented refusal, and never makes it look clean", () => {
    const codes = [
      "BAD_REQUEST",
      "DISABLED_API_KEY",
      "FORBIDDEN_IP",
      "FORBIDDEN_ORIGIN",
      "FORBIDDEN_IP_ORIGIN",
      "INTERNAL",
      "INSUFFICIENT_CREDITS",
      "INVALID_API_KEY",
      "INVALID_ASN",
      "INVALID_FILTER_SYNTAX",
      "INVALID_IP_ADDRESS",
      "MISSING_API_KEY",
      "RESERVED_ASN",
      "TOO_MANY_ASNS",
      "TOO_MANY_IPS",
      "TOO_MANY_REQUESTS",
      "TOO_MANY_USER_AGENTS",
      "UNKNOWN_ASN",
      "A_NEW_ONE",
    ];
    for (const code of codes) {
      for (const status of [200, 400, 402, 403]) {
        expect(() => ipregistry.read({ status, body: { code } }, ADDRESS)).toThrow(UpstreamError);
      }
    }
    expect(ipregistry.read({ status: 400, body: { code: "RESERVED_IP_ADDRESS" } }, ADDRESS)).toBeUndefined();
  });

  test("reads an exit as Tor, and a relay that is not an exit as not Tor", () => {
    const connection = { asn: 64500 };
    const read = (security: object) => ipregistry.read(ok({ security, connection }), ADDRESS)?.flags?.isTor;
    expect(read({ is_tor: true, is_tor_exit: true })).toBe(true);
    expect(read({ is_tor: true, is_tor_exit: false })).toBe(false);
    expect(read({ is_tor: true })).toBe(true);
    expect(read({ is_vpn: false })).toBeUndefined();
  });
});

function ok(fields: object) {
  return { status: 200, body: { ip: ADDRESS.text, ...fields } };
}
