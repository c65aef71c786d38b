import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, openCorrections } from "#app";
import { createClock, createTemporaryFolder, readAddress } from "#kit";

const ADDRESS = readAddress("81.2.69.10");
const DAY_MS = 86_400_000;

function arrange(text: string) {
  const path = join(createTemporaryFolder("limpid-corrections-"), "corrections.csv");
  writeFileSync(path, text);
  const clock = createClock(Date.parse("2027-01-30T12:00:00Z"));
  const problems: string[] = [];
  const open = () =>
    openCorrections(path, { now: clock.now, onProblem: (problem) => problems.push(problem) });
  let changes = 0;
  return {
    path,
    clock,
    problems,
    open,
    write(next: string) {
      writeFileSync(path, next);
      changes += 1;
      utimesSync(path, 1_800_000_000 + changes, 1_800_000_000 + changes);
    },
  };
}

/** What applies now. A consumer reads the version first. */
function read(corrections: ReturnType<typeof openCorrections>): readonly string[] {
  return corrections.version() === "" ? [] : corrections.find(ADDRESS, 64500).map(({ reason }) => reason);
}

describe("openCorrections()", () => {
  test("reads the file again within a second of a change, and keeps the last good one", () => {
    const { clock, problems, write, open, path } = arrange("81.2.69.0/24,vpn=no,2027-01-31,one");
    const corrections = open();
    expect(read(corrections)).toEqual(["one"]);
    const before = corrections.version();
    write("81.2.69.0/24,vpn=no,2027-01-31,two");
    clock.advance(1000);
    expect(read(corrections)).toEqual(["two"]);
    expect(corrections.version()).not.toBe(before);
    write("AS64500,residential,2027-01-31,x\nrubbish");
    clock.advance(1000);
    expect(read(corrections)).toEqual(["two"]);
    expect(problems).toEqual([
      expect.stringMatching(/^Cannot read corrections ".*": row 2: expected a prefix/),
    ]);
    rmSync(path);
    clock.advance(1000);
    expect(read(corrections)).toEqual(["two"]);
    expect(problems).toHaveLength(2);
    clock.advance(1000);
    expect(read(corrections)).toEqual(["two"]);
    expect(problems).toHaveLength(2);
    write("");
    clock.advance(1000);
    expect(read(corrections)).toEqual([]);
    expect(corrections.version()).toBe("");
  });

  test("a row applies until the end of its day", () => {
    const { clock, open } = arrange(
      "81.2.69.0/24,vpn=no,2027-01-31,one\n81.2.69.0/24,tor=no,2026-12-31,over",
    );
    const corrections = open();
    expect(read(corrections)).toEqual(["one"]);
    clock.advance(DAY_MS);
    expect(read(corrections)).toEqual(["one"]);
    clock.advance(DAY_MS);
    expect(read(corrections)).toEqual([]);
  });

  test.each([
    ["81.2.69.0/24,vpn=no,2027-01-31,x\n\nrubbish", "row 3: expected a prefix"],
    ["#".repeat(1_000_001), "it is larger than 1000000 bytes"],
    [new Uint8Array([0x38, 0xff]), "Cannot read corrections"],
  ])("refuses a wrong file at the start with 78", (text, message) => {
    const { open, path } = arrange("");
    writeFileSync(path, text);
    expect(open).toThrow(
      expect.objectContaining({ code: EXIT.config, message: expect.stringContaining(message) }),
    );
  });

  test("refuses what is not a file", () => {
    const { open, path } = arrange("");
    rmSync(path);
    expect(open).toThrow("ENOENT");
    mkdirSync(path);
    expect(open).toThrow("it is not a file");
  });
});
