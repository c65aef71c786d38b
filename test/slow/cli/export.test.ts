import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, addressFromWords, listPublicServices, parsePrefixEnds } from "#address";
import { FEEDS } from "#feeds";
import { createTemporaryFolder, readAddress, runLimpid } from "#kit";
import { createTableClassifier } from "#lookup";
import { createJudge, readExportArguments } from "../../../src/cli/export/export.ts";
import { writeExport } from "../../../src/cli/export/formats.ts";
import { openShippedTables } from "../../bench/tables_evidence.ts";
import { canLoad, LOADED_FORMATS, loadList } from "../../cli/export/load_list.ts";

/** Compared addresses: around every exported prefix, inside them, and anywhere. */
const COMPARED = 1_000_000;

const folder = createTemporaryFolder("limpid-export-");
const env = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_FEEDS: "0" };

const ARGS = ["--deny", "vpn,hosting", "--max-share", "60", "--min-sources", "1"];
const file = join(folder, "list.txt");

interface Block {
  readonly text: string;
  readonly first: bigint;
  readonly last: bigint;
}

const toNumber = (words: readonly number[]) => words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
const toAddress = (version: 4 | 6, at: bigint): Address =>
  addressFromWords(
    version,
    version === 4 ? [Number(at)] : [96n, 64n, 32n, 0n].map((shift) => Number((at >> shift) & 0xffff_ffffn)),
  );

function readBlocks(text: string): { readonly 4: Block[]; readonly 6: Block[] } {
  const blocks = { 4: [] as Block[], 6: [] as Block[] };
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const { first, last } = parsePrefixEnds(line) ?? expect.unreachable(line);
    blocks[first.length === 1 ? 4 : 6].push({ text: line, first: toNumber(first), last: toNumber(last) });
  }
  return blocks;
}

/** Whether the address is in one of the blocks, which are in order. */
function isInside(blocks: readonly Block[], at: bigint): boolean {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.first ?? 0n) <= at) low = middle + 1;
    else high = middle;
  }
  return at <= (blocks[low - 1]?.last ?? -1n);
}

/** The judgement of one address at a time, as `limpid grep` and `/api/classify` make it. */
function openJudge(args: readonly string[] = ARGS) {
  const leftOut = FEEDS.filter((feed) => feed.notRedistributable === true).map(({ id }) => id);
  expect(leftOut).toContain("private_relay");
  const [all, published] = [[], leftOut].map((off) => createTableClassifier(openShippedTables(off)));
  return createJudge(
    readExportArguments(args),
    all ?? expect.unreachable(),
    published ?? expect.unreachable(),
  );
}

describe("limpid export", () => {
  test("writes the file whole, with what it covers, and loads into every program", async () => {
    const err = expect.stringMatching(
      /^Known only in part here: vpn \(\d of 11 lists were read\)\. Run limpid feeds/,
    );
    expect(await runLimpid(["export", ...ARGS, "--out", file], env)).toEqual({ code: 0, out: "", err });
    expect(readdirSync(folder)).toEqual(["list.txt"]);
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^# limpid [\d.]+, .*: limpid export --deny vpn,hosting/);
    expect(text).toMatch(/\n# Known only in part here: vpn \(\d of 11 lists were read\)\./);
    expect(text).toMatch(/\n# \d+ prefixes: \d{8,} IPv4 addresses, \d+ IPv6 networks of 64 bits\n/);
    expect(text).toMatch(/\n# collateral, in access networks: \d+ IPv4 addresses, \d+ IPv6 networks/);
    expect(text).toMatch(/\n# list x4bnet_vpn of \d{4}-\d\d-\d\d: MIT; https:/);
    expect(text).toMatch(/\n# left out, because .*: iCloud Private Relay\n/);
    const blocks = readBlocks(text);
    const list = {
      comments: [],
      4: blocks[4].map((block) => block.text),
      6: blocks[6].map((block) => block.text),
    };
    for (const format of LOADED_FORMATS.filter(canLoad)) {
      const made = join(folder, `list.${format}`);
      writeFileSync(made, writeExport(format, list));
      const { code, loaded } = loadList(format, made);
      expect({ format, code, loaded }).toEqual({ format, code: 0, loaded: list[4].length + list[6].length });
    }
  }, 900_000);

  test("writes nothing where no list of a denied word can be read", async () => {
    const out = join(folder, "none.txt");
    const { code, err } = await runLimpid(["export", "--deny", "vpn,tor", "--out", out], env);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("written. Not known here: tor (0 of 3"),
    });
    expect(existsSync(out)).toBe(false);
  });

  test("decides about a million addresses as one judgement of each does", () => {
    const judge = openJudge();
    const blocks = readBlocks(readFileSync(file, "utf8"));
    let compared = 0;
    const differences: string[] = [];
    const compare = (version: 4 | 6, at: bigint) => {
      if (at < 0n || at >= 1n << (version === 4 ? 32n : 128n)) return;
      compared += 1;
      const address = toAddress(version, at);
      if (address.version === version && judge(address).isDenied !== isInside(blocks[version], at))
        differences.push(address.text);
    };
    for (const version of [4, 6] as const) {
      for (const { first, last } of blocks[version]) {
        for (const at of [first - 1n, first, (first + last) >> 1n, last, last + 1n]) compare(version, at);
      }
    }
    const random = crypto.getRandomValues(new Uint32Array(4 * 4096));
    for (let drawn = 0; compared < COMPARED; drawn++) {
      if (drawn % 4096 === 0) crypto.getRandomValues(random);
      const words = random.subarray((drawn % 4096) * 4, (drawn % 4096) * 4 + 4);
      const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = words;
      if (drawn % 3 > 0) compare(4, BigInt(w0));
      // Allocated IPv6 space begins with 2000::/12 to 2c00::/12.
      else compare(6, toNumber([0x2000_0000 | (w0 & 0x0fff_ffff), w1, w2, w3]));
    }
    expect({ compared, differences }).toEqual({ compared: COMPARED, differences: [] });
  }, 900_000);

  test("spares crawlers, CDNs, GitHub and public resolvers when anonymity is denied", () => {
    const judge = openJudge(["--deny", "tor,proxy,vpn,relay"]);
    const services = listPublicServices().map((words) => addressFromWords(words.length === 1 ? 4 : 6, words));
    expect(services.length).toBeGreaterThan(20);
    const spared = [
      ...["66.249.64.1", "66.249.79.255", "157.55.39.1", "207.46.13.7", "20.191.45.212"],
      ...["104.16.0.1", "172.64.0.1", "151.101.1.1", "23.32.0.1", "2606:4700::1111", "2a04:4e42::1"],
      ...["140.82.112.3", "192.30.252.1", "185.199.108.153", "143.55.64.1", "2606:50c0:8000::153"],
    ].map((text) => readAddress(text));
    expect([...services, ...spared].filter((address) => judge(address).isDenied)).toEqual([]);
  });

  test("refuses a place where it cannot write before it starts, and leaves the file as it is", async () => {
    const startedAt = performance.now();
    mkdirSync(join(folder, "folder"));
    for (const out of [join(folder, "none/list.txt"), join(folder, "folder")]) {
      const { code, err } = await runLimpid(["export", "--deny", "tor", "--out", out], env);
      expect({ code, err }).toEqual({ code: 73, err: expect.stringContaining(`Cannot write to "${out}"`) });
    }
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
