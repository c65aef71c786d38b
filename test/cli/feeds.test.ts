import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readConfig } from "#config";
import { FEEDS as REAL_FEEDS } from "#feeds";
import { createTemporaryFolder, type GatewayServer, startGateway } from "#kit";
import { readFeedsArguments, showFeeds, updateFeeds } from "../../src/cli/feeds.ts";
import { FEEDS } from "../feeds/small_feeds.ts";

const registry = new URL("../feeds/small_feeds.ts", import.meta.url).href;
const HOUR = 3_600_000;
const ALL = { feeds: FEEDS, tables: [] };

let gateway: GatewayServer;
let folder: string;
let nowMs: number;
const now = () => nowMs;

beforeEach(async () => {
  gateway = await startGateway();
  folder = createTemporaryFolder("limpid-feeds-cli-");
  nowMs = Date.parse("2026-03-05T00:00:00Z");
  gateway.on("lists.example", "/alpha.txt", { text: "8.8.4.1\n9.9.9.0/24\n10.0.0.1\n" });
});
afterEach(async () => {
  await gateway.close();
});

function configure(env: Record<string, string> = {}) {
  const sources = FEEDS.map(({ id }) => ({ id, keyed: false }));
  return readConfig(
    { LIMPID_DATA_DIR: folder, LIMPID_UPSTREAM_GATEWAY: gateway.url, ...env },
    { sources, readSecret: () => "" },
  );
}

function makeContext(isTerminal = false) {
  const parts: string[] = [];
  const write = async (part: string | Uint8Array) => void parts.push(String(part));
  const paths = { seed: folder };
  return {
    parts,
    context: { version: "0", now, paths, write, terminal: { isTerminal }, registry, all: ALL },
  };
}

async function update(ids: readonly string[], isTerminal = false, env: Record<string, string> = {}) {
  const { parts, context } = makeContext(isTerminal);
  const code = await updateFeeds(configure(env), { ids }, context);
  return { code, text: parts.join("") };
}

async function show(isTerminal = false, json = false, env: Record<string, string> = {}): Promise<string> {
  const { parts, context } = makeContext(isTerminal);
  await showFeeds(configure(env), { json }, context);
  return parts.join("");
}

describe("limpid feeds update", () => {
  test("downloads the named feeds, compiles them, and ends with 0", async () => {
    const { code, text } = await update(["alpha"]);
    expect(text).toMatch(
      /^alpha: updated, 2 rows\ncompiled 2 ranges in [\d.]+ s\n1 of 1 feeds are up to date\n$/,
    );
    expect(code).toBe(0);
    expect(gateway.calls.map(({ host }) => host)).toEqual(["lists.example"]);
  });

  test("ends with 1 when one failed, and says which", async () => {
    const { code, text } = await update([]);
    expect(code).toBe(1);
    expect(text).toContain("beta: failed: status: HTTP 404\n");
    expect(text).toContain("1 of 3 feeds are up to date\n");
  });

  test("shows a progress bar on a terminal, and prints only failures", async () => {
    const { text } = await update([], true);
    expect(text).toContain("3/3 ");
    expect(text).toContain("\r\u001b[K[#");
    expect(text).not.toContain("alpha: updated");
    expect(text).toContain("beta: failed");
  });

  test("refuses a feed that does not exist or is excluded", async () => {
    await expect(update(["nope"])).rejects.toThrow('Cannot update feed "nope": no such feed');
    const off = update(["alpha"], false, { LIMPID_SOURCES_OFF: "alpha" });
    await expect(off).rejects.toThrow('Cannot update feed "alpha": turned off');
    expect(gateway.calls).toEqual([]);
  });
});

describe("limpid feeds status", () => {
  test("is a table", async () => {
    await update([]);
    nowMs += 3 * HOUR;
    const lines = (await show(false, false, { LIMPID_SOURCES_OFF: "gamma" })).trimEnd().split("\n");
    expect(lines).toEqual([
      "feed   state               age  rows  stripped  size",
      "alpha  ageing               3h     2         1  28 B",
      "beta   not downloaded yet    -     -         -     -",
      "  lists.example: status: HTTP 404",
      "gamma  turned off            -     -         -     -",
      "  files.example: status: HTTP 404",
    ]);
  });

  test("calls a list that was never downloaded a snapshot when the program ships with it", async () => {
    const { parts, context } = makeContext();
    nowMs = Date.parse("2026-11-22T00:00:00Z");
    const paths = { seed: join(import.meta.dir, "../../seed") };
    await showFeeds(
      configure(),
      { json: false },
      { ...context, paths, all: { feeds: REAL_FEEDS, tables: [] } },
    );
    const rows = parts.join("").split("\n");
    expect(rows.find((row) => row.startsWith("vultr "))).toMatch(/^vultr +snapshot +92d +\d+ +- +-$/);
    expect(rows.find((row) => row.startsWith("tor_exits "))).toContain("not downloaded yet");
  });

  test("has colours on a terminal only", async () => {
    await update(["alpha"]);
    expect(await show(true)).toContain("\u001b[32mfresh");
    expect(await show(true)).toContain("\u001b[31mnot downloaded yet");
    expect(await show(false)).not.toContain("\u001b");
    expect(await show(true, true)).not.toContain("\u001b");
  });

  test("is JSON for machines", async () => {
    await update(["alpha"]);
    nowMs += 9 * HOUR;
    const { feeds } = JSON.parse(await show(false, true));
    expect(feeds).toHaveLength(3);
    expect(feeds[0]).toMatchObject({
      id: "alpha",
      ready: false,
      freshness: "expired",
      problem: "data too old",
      ageMs: 9 * HOUR,
      rows: 2,
      stripped: 1,
      host: "lists.example",
    });
  });
});

describe("readFeedsArguments", () => {
  test("reads both actions", () => {
    expect(readFeedsArguments([])).toEqual({ action: "status", ids: [], json: false });
    expect(readFeedsArguments(["status", "--json"])).toMatchObject({ action: "status", json: true });
    expect(readFeedsArguments(["update", "a", "b"])).toMatchObject({ action: "update", ids: ["a", "b"] });
  });
});
