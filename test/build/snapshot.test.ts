import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SNAPSHOT_SOURCES } from "../../src/build/read_snapshot_list.ts";
import { temporaryFolder } from "../datasets/kit.ts";
import { matchGolden } from "../kit/golden.ts";
import { writeAsLists } from "./as_lists.ts";

const project = join(import.meta.dir, "../..");
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** Writes every file that the script reads, with a few ranges of our own in each. */
function writeFiles(from: string): void {
  writeAsLists(from);
  for (const [at, { files }] of SNAPSHOT_SOURCES.entries()) {
    for (const file of files) {
      const rows = file.endsWith("-ipv4.txt")
        ? [`9.${at}.0.0/24`, `9.${at}.1.0/24`, `9.${at}.9.7`]
        : [`2620:fe:${at}::/48`, `2620:ff:${at}::1`];
      mkdirSync(dirname(join(from, file)), { recursive: true });
      writeFileSync(join(from, file), `${rows.join("\n")}\n`);
    }
  }
}

async function build(from: string, to: string) {
  const child = Bun.spawn([process.execPath, "src/build/snapshot.ts", from, "--to", to], {
    cwd: project,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

describe("bun run snapshot", () => {
  test("makes the same snapshot of the same files, and says what is in it", async () => {
    writeFiles(folder.path);
    const [one, two] = [join(folder.path, "one"), join(folder.path, "two")];
    const { code, out } = await build(folder.path, one);
    expect(code).toBe(0);
    expect(out).toContain("x4bnet_vpn: 2 IPv4 and 2 IPv6 ranges of 2026-08-22\n");
    expect((await build(folder.path, two)).code).toBe(0);
    for (const name of ["lists.json", "ranges.zst", "published_as_kinds.tsv"])
      expect(readFileSync(join(one, name)).equals(readFileSync(join(two, name))), name).toBe(true);
    // The checksum in the list of contents stands for all ranges.
    matchGolden("test/fixtures/build/snapshot_lists.json", readFileSync(join(one, "lists.json"), "utf8"));
  }, 20_000);

  test("ends with 1 and writes nothing when a file is missing", async () => {
    const { code, err } = await build(folder.path, join(folder.path, "to"));
    expect(code).toBe(1);
    expect(err).toContain("vpn-ipv4.txt");
    expect(await Bun.file(join(folder.path, "to/lists.json")).exists()).toBe(false);
  }, 20_000);
});
