import { describe, expect, test } from "bun:test";
import { createClientNames } from "#limits";

const names = createClientNames("a secret of the tests");

describe("createClientNames", () => {
  test("names a client alike wherever the secret is the same, and otherwise on every other day and secret", () => {
    const name = names.nameOf("192.0.2.1", 20_000);
    expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(createClientNames("a secret of the tests").nameOf("192.0.2.1", 20_000)).toBe(name);
    const others = [
      names.nameOf("192.0.2.2", 20_000),
      names.nameOf("192.0.2.1", 20_001),
      names.nameOf("92.0.2.1", 200_001),
      createClientNames("another secret").nameOf("192.0.2.1", 20_000),
      names.voterOf("192.0.2.1", null, 20_000),
    ];
    expect(new Set([name, ...others]).size).toBe(6);
  });

  test("tells the browsers of a client apart, by the first 512 characters", () => {
    const voter = names.voterOf("192.0.2.1", "Browser/1.0", 20_000);
    expect(voter).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(names.voterOf("192.0.2.1", "Browser/1.0", 20_000)).toBe(voter);
    expect(names.voterOf("192.0.2.1", "Browser/2.0", 20_000)).not.toBe(voter);
    expect(names.voterOf("192.0.2.2", "Browser/1.0", 20_000)).not.toBe(voter);
    expect(names.voterOf("192.0.2.1", "Browser/1.0", 20_001)).not.toBe(voter);
    expect(names.voterOf("192.0.2.1", null, 20_000)).toBe(names.voterOf("192.0.2.1", "", 20_000));
    const long = "x".repeat(512);
    expect(names.voterOf("a", `${long}1`, 1)).toBe(names.voterOf("a", `${long}2`, 1));
  });

  test("cannot be made to name two clients alike by where one part ends", () => {
    expect(names.voterOf("a", 'b","c', 1)).not.toBe(names.voterOf('a","b', "c", 1));
  });
});
