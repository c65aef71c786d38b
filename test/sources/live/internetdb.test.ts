import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { internetdb } from "../../../src/sources/live/internetdb.ts";

const ADDRESS = parseAddress("203.0.113.7") ?? expect.unreachable();
const EMPTY = { ip: "203.0.113.7", ports: [], vulns: [], tags: [] };

describe("internetdb", () => {
  test("gives the same ports and CVEs in any order and with repetitions", () => {
    const ports = fc.uniqueArray(fc.nat(65_535), { maxLength: 40 });
    const vulns = fc.uniqueArray(
      fc.integer({ min: 1000, max: 99_999 }).map((number) => `CVE-2025-${number}`),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(ports, vulns, (somePorts, someVulns) => {
        const straight = read({ ...EMPTY, ports: somePorts, vulns: someVulns });
        const odd = read({
          ...EMPTY,
          ports: [...somePorts, ...somePorts].reverse(),
          vulns: [...someVulns, "x", ...someVulns].reverse(),
        });
        expect(odd).toEqual(straight);
        expect(straight?.exposure?.ports).toEqual(somePorts.toSorted((a, b) => a - b));
        expect(new Set(straight?.exposure?.vulns)).toEqual(new Set(someVulns));
      }),
    );
  });

  test("keeps at most 256 ports and the newest 256 CVEs", () => {
    const ports = Array.from({ length: 1000 }, (_, index) => index);
    const vulns = Array.from({ length: 1000 }, (_, index) => `CVE-${2000 + (index % 27)}-${10_000 + index}`);
    const exposure = read({ ...EMPTY, ports, vulns })?.exposure;
    expect(exposure?.ports.length).toBe(256);
    expect(exposure?.vulns.length).toBe(256);
    expect(exposure?.vulns[0]).toBe("CVE-2026-10998");
  });
});

function read(body: unknown) {
  return internetdb.read({ status: 200, body }, ADDRESS);
}
