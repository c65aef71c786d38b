import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findPastedAddresses, parseAddress } from "#address";

const textsOf = (text: string) => findPastedAddresses(text).map((address) => address.text);

/** Returns the address when there is exactly one, as the address field of the page does. */
function findPastedAddress(text: string): string | undefined {
  const [address, another] = textsOf(text);
  return another === undefined ? address : undefined;
}

describe("findPastedAddresses() with a single address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["  203.0.113.7\n", "203.0.113.7"],
    ["\t2001:DB8::7 ", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[203.0.113.7]", "203.0.113.7"],
    ["(203.0.113.7)", "203.0.113.7"],
    ['"203.0.113.7",', "203.0.113.7"],
    ["`203.0.113.7`", "203.0.113.7"],
    ["203.0.113.7:8080", "203.0.113.7"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["http://203.0.113.7/", "203.0.113.7"],
    ["https://203.0.113.7:8443/a/b?c=d#e", "203.0.113.7"],
    ["https://[2001:db8::7]:8443/a", "2001:db8::7"],
    ["https://user:secret@203.0.113.7/", "203.0.113.7"],
    ["https://limpid.example/en/ip/2001:db8::7", "2001:db8::7"],
    ["socks5://203.0.113.7:1080", "203.0.113.7"],
    ["ssh root@203.0.113.7 -p 22", "203.0.113.7"],
    ["203.0.113.7/24", "203.0.113.7"],
    ["inet6 fe80::1%eth0/64 scope link", "fe80::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["IP: 203.0.113.7.", "203.0.113.7"],
    ["IP:203.0.113.7", "203.0.113.7"],
    ["ip:2001:db8::7", "2001:db8::7"],
    ["ip=203.0.113.7;", "203.0.113.7"],
    ["地址：203.0.113.7，谢谢", "203.0.113.7"],
    ["我的IP是203.0.113.7。", "203.0.113.7"],
    ["２０３．０．１１３．７", "203.0.113.7"],
    ["203。0。113。7", "203.0.113.7"],
    ["203[.]0[.]113[.]7", "203.0.113.7"],
    ["hxxp://203(.)0(.)113(.)7/x", "203.0.113.7"],
    ["203[dot]0[dot]113[dot]7", "203.0.113.7"],
    ["2001[:]db8[:]:7", "2001:db8::7"],
    ["203.0.113.7 and again 203.0.113.7", "203.0.113.7"],
    ["2001:db8::7 = 2001:0DB8:0::7", "2001:db8::7"],
    ["\u200b203.0.113.7\u200b", "203.0.113.7"],
    ["::", "::"],
    ["a::b", "a::b"],
  ])("finds the address in %j", (text, address) => {
    expect(findPastedAddress(text)).toBe(address);
  });

  test.each([
    [""],
    ["   "],
    ["limpid.example"],
    ["300.0.113.7"],
    ["203.0.113"],
    ["203.0.113.7.5"],
    ["1.203.0.113.7.5"],
    ["203.0.113.07"],
    ["0x7f.0.0.1"],
    ["3405803783"],
    ["203.0.113.7.example"],
    ["7.113.0.203.in-addr.arpa"],
    ["v203.0.113.7"],
    ["203.0.113.7-x"],
    ["203-0-113-7.example"],
    ["12:34:56"],
    ["std::vector a::b"],
    ["00:1a:2b:3c:4d:5e"],
    ["203.0.113.7, 203.0.113.8"],
    [`${" ".repeat(2000)}203.0.113.7`],
  ])("finds no address, or more than one, in %j", (text) => {
    expect(findPastedAddress(text)).toBeUndefined();
  });

  const address = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .filter((text) => /\d/.test(text) && parseAddress(text) !== undefined);

  test("finds every address that parseAddress() accepts, alone and within other text", () => {
    fc.assert(
      fc.property(
        address,
        fc.constantFrom(
          ["", ""],
          [" ", "\n"],
          ["(", ")"],
          ["[", "]"],
          ["“", "”"],
          ["http://[", "]/"],
          ["是", "吗"],
        ),
        (text, [before, after]) => {
          expect(findPastedAddress(`${before}${text}${after}`)).toBe(parseAddress(text)?.text ?? "");
        },
      ),
    );
  });

  test("finds only addresses that parseAddress() accepts, quickly, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2500 }), (text) => {
        for (const found of findPastedAddresses(text)) expect(parseAddress(found.text)).toEqual(found);
      }),
    );
    const start = performance.now();
    for (const piece of [":", ".", "1", "1.", "a:", "[.]", "::1 "])
      findPastedAddresses(piece.repeat(2000 / piece.length));
    expect(performance.now() - start).toBeLessThan(200);
  });
});

describe("findPastedAddresses()", () => {
  test("keeps the order and drops repetitions", () => {
    expect(textsOf("203.0.113.7, 2001:db8::1\n203.0.113.8;203.0.113.7")).toEqual([
      "203.0.113.7",
      "2001:db8::1",
      "203.0.113.8",
    ]);
  });
});
