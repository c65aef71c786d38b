import { describe, expect, test } from "bun:test";
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
});
