import { describe, expect, test } from "bun:test";
import { findAll, findFirst, isMistake } from "../../../src/cli/batch/find_in_line.ts";

describe("findFirst and findAll", () => {
  test.each([
    ["192.0.2.1, 198.51.100.7 and 192.0.2.1", ["192.0.2.1", "198.51.100.7"]],
    ["192[.]0[.]2[.]1 then 198.51.100.7", ["192.0.2.1", "198.51.100.7"]],
    ["hxxp://192(dot)0(dot)2(dot)1/", ["192.0.2.1"]],
    ["地址：１９２．０．２．１", ["192.0.2.1"]],
    ["2001:db8::1 192[.]0[.]2[.]1", ["2001:db8::1", "192.0.2.1"]],
    ["[x] 192.0.2.1 [.] y", ["192.0.2.1"]],
    ["no address", []],
  ])("find the addresses of %j", (text, addresses) => {
    expect(findAll(text).map((one) => one.text)).toEqual(addresses);
    expect(findFirst(text)?.text).toEqual(addresses[0]);
  });
});

describe("isMistake", () => {
  test.each([
    "256.1.2.3",
    "hk-01 192.0.2.300",
    "hk-01,192.0.2.300",
    "192.0.2",
    "example.com",
    "192.0.2.01 x",
  ])("is true of %j", (text) => expect(isMistake(text)).toBe(true));

  test.each([
    "hello world",
    "name,ip",
    '{"remote_ip":"unix"}',
    "12:34:56 start",
    "app 10.0.19041.4894 ready",
    "v1.2.3.400 x",
  ])("is false of %j", (text) => expect(isMistake(text)).toBe(false));
});
