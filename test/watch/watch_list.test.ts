import { describe, expect, test } from "bun:test";
import { parseAddress } from "#address";
import { parseWatchList } from "#watch";

describe("parseWatchList()", () => {
  test("reads addresses and names, labels and policies", () => {
    const text = "# mine\n81.2.69.1\n\n2a02::1, mail\nExit.Example.org., Frankfurt, min=70&deny=proxy,vpn\n";
    expect(parseWatchList(text)).toEqual([
      { target: parseAddress("81.2.69.1") ?? "" },
      { target: parseAddress("2a02::1") ?? "", label: "mail" },
      {
        target: "exit.example.org",
        label: "Frankfurt",
        policy: { min: 70, deny: ["proxy", "vpn"], allow: [] },
      },
    ]);
  });

  test.each([
    ["81.2.69.1\n10.0.0.1", /^row 2: the address is not public/],
    ["81.2.69.300", /^row 1: expected an address or a host name/],
    ["localhost", /^row 1: expected an address or a host name/],
    ["81.2.69.1/24", /^row 1: expected an address/],
    ["81.2.69.1\n81.2.69.1", /^row 2: an earlier row/],
    [`81.2.69.1, ${"x".repeat(101)}`, /^row 1: expected a label/],
    ["81.2.69.1, a, deny=vpm", /^row 1: "vpm" is not one of proxy, vpn, /],
    ["81.2.69.1, a, allow=crawler", /^row 1: expected a policy with min or deny/],
    ["81.2.69.1, a, min=101", /^row 1: expected a policy such as/],
    ["81.2.69.1, a, deny=vpn&allow=tor,vpn", /^row 1: "vpn" cannot be allowed and denied/],
    [Array.from({ length: 1001 }, (_, at) => `a${at}.example.org`).join("\n"), /^row 1001: more than 1000/],
  ])("refuses %j", (text, message) => {
    expect(() => parseWatchList(text)).toThrow(message);
  });
});
