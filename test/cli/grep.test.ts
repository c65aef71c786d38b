import { describe, expect, test } from "bun:test";
import { ExitError } from "#app";
import { readGrepArguments } from "../../src/cli/grep.ts";

describe("readGrepArguments", () => {
  test("reads a policy in the words of /auth, and the letters of grep", () => {
    expect(
      readGrepArguments(["--deny", "tor,proxy, vpn", "--min", "50", "--allow", "crawler", "-vc", "a", "b"]),
    ).toEqual({
      files: ["a", "b"],
      policy: { deny: ["tor", "proxy", "vpn"], allow: ["crawler"], min: 50 },
      only: false,
      invert: true,
      count: true,
    });
    expect(readGrepArguments(["--min=0", "--only", "--column", "request.client_ip"])).toMatchObject({
      files: ["-"],
      only: true,
      column: "request.client_ip",
    });
  });

  test.each([
    [["a"], /expected a policy/],
    [["--allow", "crawler"], /expected a policy/],
    [["--deny", "tor,robot"], /--deny must be words of .*: "robot" is none$/],
    [["--deny", ""], /--deny must be words/],
    [["--deny", "tor", "--allow", "tor"], /--allow and --deny both have "tor"$/],
    [["--min", "101"], /--min must be 0 to 100/],
    [["--min", "5e1"], /--min must be 0 to 100/],
    [["--min", "1", "--min", "2"], /--min was given 2 times/],
    [["--deny", "tor", "-x"], /-x/],
  ])("refuses %j", (args, message) => {
    expect(() => readGrepArguments(args)).toThrow(ExitError);
    expect(() => readGrepArguments(args)).toThrow(message);
  });
});
