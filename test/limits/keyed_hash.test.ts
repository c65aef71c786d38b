import { describe, expect, test } from "bun:test";
import { createClientNames } from "#limits";

const names = createClientNames("a secret of the tests");

describe("createClientNames", () => {
  test("gives a client the same name for the same secret and day, and another name for any other", () => {
    const name = names.nameOf("192.0.2.1", 20_000);
    expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(createClientNames("a secret of the tests").nameOf("192.0.2.1", 20_000)).toBe(name);
    const others = [
      names.nameOf("192.0.2.2", 20_000),
      names.nameOf("192.0.2.1", 20_001),
      names.nameOf("92.0.2.1", 200_001),
      createClientNames("another secret").nameOf("192.0.2.1", 20_000),
      names.voterOf("192.0.2.1", 20_000),
    ];
    expect(new Set([name, ...others]).size).toBe(6);
  });

  test("names a voter by client and day only", () => {
    const voter = names.voterOf("192.0.2.1", 20_000);
    expect(voter).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(names.voterOf("192.0.2.1", 20_000)).toBe(voter);
    expect(names.voterOf("192.0.2.2", 20_000)).not.toBe(voter);
    expect(names.voterOf("192.0.2.1", 20_001)).not.toBe(voter);
    expect(createClientNames("another secret").voterOf("192.0.2.1", 20_000)).not.toBe(voter);
  });

  test("gives different names when the parts differ but their concatenation is the same", () => {
    expect(names.voterOf('1","a', 2)).not.toBe(names.voterOf("a", 21));
    expect(names.voterOf("1a", 2)).not.toBe(names.voterOf("a", 21));
  });
});
