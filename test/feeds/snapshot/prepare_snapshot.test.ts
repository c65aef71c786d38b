import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSnapshot, packSnapshot, prepareSnapshot } from "#feeds";
import { readAddress } from "#kit";
import { temporaryFolder } from "../../datasets/kit.ts";
import { makeList, writeSnapshot } from "./small_snapshot.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const LISTS = [
  makeList("tunnels", "vpn", ["9.9.10.0/24"], { date: "2026-02-01" }),
  makeList("clouds", "hosting", ["9.9.10.128/25", "2620:fe::/48"], { label: "Clouds" }),
];

describe("prepareSnapshot", () => {
  test("compiles once, and again when the snapshot is another one", () => {
    expect(writeSnapshot(folder.path, LISTS).outcome).toEqual({ did: "compiled", date: "2026-03-01" });
    const table = join(folder.path, "snapshot.table");
    utimesSync(table, 1_000, 1_000);
    expect(writeSnapshot(folder.path, LISTS).outcome).toMatchObject({ did: "kept" });
    expect(statSync(table).mtimeMs).toBe(1_000_000);
    expect(writeSnapshot(folder.path, LISTS.slice(0, 1)).outcome).toMatchObject({ did: "compiled" });
  });

  test("keeps what each list says where lists overlap", () => {
    const { contents } = writeSnapshot(folder.path, LISTS);
    const snapshot = openSnapshot(folder.path, contents);
    const tunnels = { feed: "tunnels", meaning: "vpn" };
    const clouds = { feed: "clouds", meaning: "hosting", label: "Clouds" };
    expect(snapshot.problem).toBeUndefined();
    expect(snapshot.lists(readAddress("9.9.10.127"))).toEqual([tunnels as never]);
    expect(snapshot.lists(readAddress("9.9.10.128"))).toEqual([tunnels as never, clouds as never]);
    expect(snapshot.lists(readAddress("2620:fe::9"))).toEqual([clouds as never]);
    expect(snapshot.lists(readAddress("9.9.11.0"))).toBeUndefined();
    expect(snapshot.list("clouds")).toMatchObject({
      date: "2026-03-01",
      licence: "CC0-1.0",
      ipv4: 1,
      ipv6: 1,
    });
  });

  test("refuses a file of ranges that was changed, and says so", () => {
    const { contents, bytes } = packSnapshot(LISTS);
    const other = packSnapshot(LISTS.slice(1));
    const ranges = join(folder.path, "ranges.zst");
    for (const [wrong, problem] of [
      [other.bytes, "its checksum does not match its list of contents"],
      [bytes.slice(0, 9), ""],
      [new Uint8Array(5_000_000), "it has 5000000 bytes"],
    ] as const) {
      writeFileSync(ranges, wrong);
      const outcome = prepareSnapshot(folder.path, { contents, ranges });
      expect(outcome).toMatchObject({ did: "failed" });
      expect(outcome).toMatchObject({
        problem: expect.stringContaining(`Cannot use the snapshot of lists: ${problem}`),
      });
    }
    expect(prepareSnapshot(folder.path, { contents: { lists: [] }, ranges })).toMatchObject({
      did: "failed",
      problem: "Cannot use the snapshot of lists: its list of contents has a wrong format",
    });
    const gone = { contents, ranges: join(folder.path, "gone") };
    expect(prepareSnapshot(folder.path, gone)).toMatchObject({ did: "failed" });
  });
});

describe("openSnapshot", () => {
  test("has a problem and no lists when the table is absent, damaged or of another snapshot", () => {
    const { contents } = writeSnapshot(folder.path, LISTS);
    const table = join(folder.path, "snapshot.table");
    const good = readFileSync(table);
    const bad = Buffer.from(good);
    bad[bad.length - 2] = (bad[bad.length - 2] ?? 0) ^ 1;
    writeFileSync(table, bad);
    const damaged = openSnapshot(folder.path, contents);
    expect(damaged.problem).toContain("its checksum does not match");
    expect(damaged.lists(readAddress("9.9.10.1"))).toBeUndefined();
    expect(damaged.list("tunnels")).toBeUndefined();
    writeFileSync(table, good);
    const other = packSnapshot(LISTS.slice(1)).contents;
    expect(openSnapshot(folder.path, other).problem).toContain("it is of another snapshot");
    expect(openSnapshot(join(folder.path, "none"), contents).problem).toContain("there is no such file");
    expect(openSnapshot(folder.path, { checksum: 1 }).problem).toContain("wrong format");
  });
});
