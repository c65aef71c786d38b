import { describe, expect, test } from "bun:test";
import { AS_CLASSES, findAsClass } from "../../src/evidence/as_classes.ts";
import { AS_KINDS } from "../../src/evidence/as_kinds.ts";

describe("findAsClass()", () => {
  test("returns class and operator, and the service only where the whole network belongs to it", () => {
    expect(findAsClass(16509)).toEqual({ class: "hosting", operator: "Amazon Web Services" });
    expect(findAsClass(208172)).toEqual({ class: "vpn", operator: "Proton", service: "Proton VPN" });
    expect(findAsClass(9009)).toEqual({ class: "vpn_host", operator: "M247" });
    expect(findAsClass(4538)?.class).toBe("education");
    expect(findAsClass(7497)?.class).toBe("education");
    expect(findAsClass(4134)?.class).toBe("isp");
    expect(findAsClass(21928)?.class).toBe("mobile");
    expect(findAsClass(749)?.class).toBe("government");
  });

  test("knows operators of Tor relays, corporate gateways, satellite networks and companies as kinds of their own", () => {
    for (const asn of [60729, 205100, 208323, 396507, 4224, 62744]) {
      expect(findAsClass(asn)?.class).toBe("tor");
    }
    expect(findAsClass(22616)).toEqual({ class: "gateway", operator: "Zscaler" });
    expect(findAsClass(14593)).toEqual({ class: "satellite", operator: "Starlink" });
    expect(findAsClass(714)).toEqual({ class: "business", operator: "Apple" });
  });

  test("has the countries in which a carrier registers its own space, and no other class has them", () => {
    expect(findAsClass(174)).toEqual({ class: "carrier", operator: "Cogent Communications", home: ["US"] });
    expect(findAsClass(6461)?.home).toEqual(["US", "CA"]);
    expect(findAsClass(5511)).toBeUndefined();
    expect(findAsClass(16509)?.home).toBeUndefined();
  });

  test("returns undefined for numbers that are not in the table, such as reserved ones", () => {
    for (const asn of [0, 23456, 64496, 65535, 4_294_967_295, Number.NaN]) {
      expect(findAsClass(asn)).toBeUndefined();
    }
  });

  test("has every operator once in a class and every number once, in ascending order", () => {
    const seen = new Set<number>();
    for (const id of AS_KINDS) {
      const lines = AS_CLASSES[id]
        .trim()
        .split("\n")
        .map((line) => line.trim());
      expect(new Set(lines.map((line) => line.split(":")[0])).size).toBe(lines.length);
      for (const line of lines) {
        const numbers = (line.split(": ")[1] ?? "").split(" ").map(Number);
        expect(numbers.length).toBeGreaterThan(0);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        for (const asn of numbers) {
          expect(Number.isInteger(asn) && asn > 0 && asn < 64_496 ? true : asn > 131_071).toBe(true);
          expect(seen.has(asn)).toBe(false);
          seen.add(asn);
          expect(findAsClass(asn)?.class).toBe(id);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(900);
  });
});
