import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Feed, Feeds } from "#feeds";
import type { Reply } from "#kit";
import { openFor, readAddress } from "#kit";
import { openFeedSetup } from "../feed_setup.ts";
import { alpha, beta, gamma } from "../small_feeds.ts";

const HOST = "lists.example";
const GOOD = "# ours\n8.8.4.1\n9.9.9.0/28 ; a remark\n2600:9000::/28\n";

const at = openFor("each", openFeedSetup);
let feeds: Feeds;

beforeEach(() => {
  feeds = at.open();
});

const refresh = (feed: Feed, signal?: AbortSignal) =>
  at.refresh(feed, feeds, signal === undefined ? {} : { signal });

/** Downloads a good list, and compiles it. */
async function use(text: string): Promise<void> {
  answer({ text });
  expect(await refresh(alpha)).toMatchObject({ did: "updated" });
  await feeds.rebuild(at.compiler);
}

function answer(reply: Reply, path = "/alpha.txt"): void {
  at.gateway.on(HOST, path, reply);
}

/** Returns a list of n different addresses. */
function list(n: number): string {
  return Array.from({ length: n }, (_, i) => `9.${i >> 8}.9.${i & 255}\n`).join("");
}

describe("refreshFeed", () => {
  test("uses the first download, and keeps its validators for the next request", async () => {
    answer({ text: GOOD, headers: { etag: '"one"', "last-modified": "Thu, 05 Mar 2026 00:00:00 GMT" } });
    expect(await refresh(alpha)).toEqual({ id: "alpha", did: "updated", rows: 3 });
    expect(feeds.state("alpha")).toMatchObject({ ready: false, problem: "not compiled yet", rows: 3 });
    await feeds.rebuild(at.compiler);
    expect(feeds.state("alpha")).toEqual({
      id: "alpha",
      ready: true,
      freshness: "fresh",
      ageMs: 0,
      date: "2026-03-05",
      rows: 3,
      stripped: 0,
      bytes: GOOD.length,
      fetchedAt: at.clock.nowMs,
      dueAt: at.clock.nowMs + 3_600_000,
    });
    expect(feeds.lists(readAddress("9.9.9.15"))).toEqual([{ feed: "alpha", meaning: "abuse" }]);
    expect(feeds.lists(readAddress("9.9.9.16"))).toBeUndefined();
    expect(feeds.lists(readAddress("2600:900f:ffff::1"))).toEqual([{ feed: "alpha", meaning: "abuse" }]);
    expect(feeds.lists(readAddress("2600:9010::"))).toBeUndefined();
    expect(at.gateway.calls[0]?.headers.get("if-none-match")).toBeNull();

    answer({ status: 304 });
    at.clock.nowMs += 3_600_000;
    expect(await refresh(alpha)).toEqual({ id: "alpha", did: "unchanged", rows: 3 });
    expect(at.gateway.calls[1]?.headers.get("if-none-match")).toBe('"one"');
    expect(at.gateway.calls[1]?.headers.get("if-modified-since")).toBe("Thu, 05 Mar 2026 00:00:00 GMT");
    expect(feeds.state("alpha")).toMatchObject({
      ready: true,
      ageMs: 0,
      fetchedAt: at.clock.nowMs - 3_600_000,
    });

    answer({ text: `${GOOD}8.8.4.9\n` });
    expect(await refresh(alpha)).toEqual({ id: "alpha", did: "updated", rows: 4 });
    expect(feeds.isCurrent()).toBe(false);
    await feeds.rebuild(at.compiler);
    expect(feeds.isCurrent()).toBe(true);
    expect(feeds.lists(readAddress("8.8.4.9"))).toHaveLength(1);
  });

  test("reports unchanged when the content is the same, and does not compile again", async () => {
    await use(GOOD);
    expect(await refresh(alpha)).toMatchObject({ did: "unchanged" });
    expect(feeds.isCurrent()).toBe(true);
  });

  const refused: readonly (readonly [name: string, reply: Reply, problem: RegExp])[] = [
    [
      "a web page with the content type of a list",
      { text: "\ufeff \n<!DOCTYPE html><html>no</html>" },
      /web page/,
    ],
    ["nothing", { text: "" }, /empty/],
    ["a list that shrank", { text: list(40) }, /shrank from 200 to 40/],
    ["a list that grew", { text: list(601) }, /more than 500 rows/],
    ["too few rows", { text: "8.8.4.1\n" }, /1 rows, at least 2/],
    ["malformed rows", { text: `${list(200)}${"no address\n".repeat(9)}` }, /9 of its rows are malformed/],
    [
      "a decompression bomb in its content coding",
      { bytes: Buffer.alloc(5_000_000), encoding: "gzip" },
      /^too_large/,
    ],
    ["bytes that are not text", { bytes: new Uint8Array([0xff, 0xfe, 0x80]) }, /UTF-8/],
    ["a line that is too long", { text: `9.9.9.9\n${"8".repeat(65_529)}` }, /too long|too_large|malformed/],
  ];
  test.each(refused)("refuses %s and keeps the last good download", async (_, reply, problem) => {
    await use(list(200));
    answer(reply);
    expect(await refresh(alpha)).toMatchObject({ did: "failed", problem: expect.stringMatching(problem) });
    expect(feeds.state("alpha")).toMatchObject({ ready: true, rows: 200, error: { at: at.clock.nowMs } });
    expect(feeds.lists(readAddress("9.0.9.7"))).toHaveLength(1);
    expect(feeds.isCurrent()).toBe(true);
  });

  test("refuses a 304 to a request without conditions", async () => {
    answer({ status: 304 });
    expect(await refresh(alpha)).toMatchObject({ did: "failed", problem: "status: HTTP 304" });
    expect(feeds.state("alpha")).toMatchObject({ freshness: "absent", error: { at: at.clock.nowMs } });
  });

  test("accepts any change of a small list, and any list when the old one has expired", async () => {
    answer({ text: list(20) });
    await refresh(alpha);
    answer({ text: list(3) });
    expect(await refresh(alpha)).toMatchObject({ did: "updated", rows: 3 });
    answer({ text: list(200) });
    expect(await refresh(alpha)).toMatchObject({ did: "failed", problem: "it grew from 3 to 200 rows" });
    at.clock.nowMs += 9 * 3_600_000;
    expect(feeds.state("alpha")).toMatchObject({
      ready: false,
      freshness: "expired",
      problem: "data too old",
    });
    expect(await refresh(alpha)).toMatchObject({ did: "updated", rows: 200 });
  });

  test("strips special-purpose space and prefixes that are too short, and counts them", async () => {
    const bogons = [
      "0.0.0.0/0",
      "9.0.0.0/7",
      "10.0.0.0/8",
      "192.168.1.1",
      "192.0.2.0/24",
      "2600::/15",
      "::1",
      "2001:db8::/32",
    ];
    answer({ text: `${bogons.join("\n")}\n9.0.0.0/8\n2600::/16\n` });
    expect(await refresh(alpha)).toMatchObject({ did: "updated", rows: 2 });
    expect(feeds.state("alpha").stripped).toBe(bogons.length);
    await feeds.rebuild(at.compiler);
    for (const text of ["10.1.2.3", "8.8.8.8", "192.0.2.1", "2601::1"]) {
      expect(feeds.lists(readAddress(text))).toBeUndefined();
    }
    expect(feeds.lists(readAddress("9.255.255.255"))).toHaveLength(1);
  });

  test("refuses a list that covers far more than before, until the old one has expired", async () => {
    await use(GOOD);
    answer({ text: `${GOOD}11.0.0.0/8\n` });
    expect(await refresh(alpha)).toMatchObject({
      did: "failed",
      problem: "its cover grew: 17 IPv4 addresses to 0.45 % of IPv4",
    });
    expect(feeds.state("alpha")).toMatchObject({ ready: true, rows: 3, error: { reason: "implausible" } });
    expect(feeds.lists(readAddress("11.1.1.1"))).toBeUndefined();
    expect(at.open().state("alpha").error?.reason).toBe("implausible");
    at.clock.nowMs += 9 * 3_600_000;
    expect(await refresh(alpha)).toMatchObject({ did: "updated", rows: 4 });
    expect(feeds.state("alpha").error).toBeUndefined();
  });

  test("stops using a download that was accepted before its extent was checked", async () => {
    const text = Array.from({ length: 223 }, (_, i) => `${i + 1}.0.0.0/8\n`).join("");
    const { name } = feeds.cache.put("alpha", 0, new TextEncoder().encode(text));
    const file = { index: 0, url: `https://${HOST}/alpha.txt`, name, bytes: text.length };
    const moment = at.clock.nowMs;
    const good = { files: [file], rows: 221, stripped: 2, fetchedAt: moment, checkedAt: moment };
    feeds.cache.save("alpha", { good, failures: 0, dueAt: moment + 3_600_000 });
    await feeds.rebuild(at.compiler);
    expect(feeds.lists(readAddress("81.2.69.142"))).toBeUndefined();
    expect(feeds.state("alpha")).toMatchObject({
      ready: false,
      freshness: "absent",
      error: { problem: expect.stringMatching(/^too wide for abuse: /), reason: "implausible" },
    });
    expect(feeds.isCurrent()).toBe(true);
  });

  test("is ageing before it expires", async () => {
    await use(GOOD);
    at.clock.nowMs += 2 * 3_600_000 + 1;
    expect(feeds.state("alpha")).toMatchObject({ ready: true, freshness: "ageing" });
    at.clock.nowMs += 6 * 3_600_000;
    expect(feeds.state("alpha")).toMatchObject({ ready: false, freshness: "expired" });
  });

  test("waits as long as the server asks, and longer after every failure", async () => {
    answer({ status: 429, headers: { "retry-after": "3000" } });
    await refresh(alpha);
    expect(feeds.state("alpha").dueAt).toBe(at.clock.nowMs + 3_000_000);
    answer({ status: 500 });
    const pauses: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      await refresh(alpha);
      pauses.push(((feeds.state("alpha").dueAt ?? 0) - at.clock.nowMs) / 60_000);
    }
    expect(pauses).toEqual([10, 20, 40, 60, 60, 60]);
  });

  test("does not count an interruption as a failure of the feed", async () => {
    answer({ fault: "hang" });
    const ending = new AbortController();
    const outcome = refresh(alpha, ending.signal);
    setTimeout(() => ending.abort(), 20);
    expect(await outcome).toMatchObject({ did: "failed" });
    expect(feeds.state("alpha").error).toBeUndefined();
    expect(existsSync(join(at.directory, "alpha", "state.json"))).toBe(false);
  });
});

describe("packed and optional files", () => {
  const packed = (text: string) => ({ bytes: new Uint8Array(gzipSync(text)) });

  test("are unpacked within bounds, and an optional file may be missing", async () => {
    answer(packed("8.8.4.1,One\n8.8.4.2,Two\n"), "/beta.gz");
    answer({ status: 404 }, "/more.gz");
    expect(await refresh(beta)).toMatchObject({ did: "updated", rows: 2 });
    answer(packed("8.8.4.2,Three\n"), "/more.gz");
    expect(await refresh(beta)).toMatchObject({ did: "updated", rows: 3 });
    answer({ status: 404 }, "/more.gz");
    expect(await refresh(beta)).toMatchObject({ did: "unchanged", rows: 3 });
    await feeds.rebuild(at.compiler);
    expect(feeds.state("beta").date).toBe("2026-03-01");
    expect(feeds.lists(readAddress("8.8.4.2"))).toEqual([
      { feed: "beta", meaning: "tor_exit", label: "Two" },
      { feed: "beta", meaning: "tor_exit", label: "Three" },
    ]);
  });

  test("are refused when they unpack to too many bytes or cannot be unpacked", async () => {
    answer({ status: 404 }, "/more.gz");
    answer({ bytes: new Uint8Array(gzipSync(Buffer.alloc(9_000_000))) }, "/beta.gz");
    expect(await refresh(beta)).toMatchObject({ problem: "it unpacks to more than 200000 bytes" });
    answer({ bytes: new Uint8Array(gzipSync("8.8.4.1\n")).subarray(0, 15) }, "/beta.gz");
    expect(await refresh(beta)).toMatchObject({ problem: "it is damaged gzip" });
  });
});

describe("a feed behind a page", () => {
  test("is found, but only on allowed hosts", async () => {
    const page = (href: string) =>
      answer({ text: `<a href="${href}">`, headers: { "content-type": "text/html" } }, "/page");
    page("https://files.example/a.json");
    at.gateway.on("files.example", "/a.json", { json: [15169, "AS13335", 64496] });
    expect(await refresh(gamma)).toMatchObject({ did: "updated", rows: 2 });
    await feeds.rebuild(at.compiler);
    expect(feeds.asClasses(15169)).toEqual([{ feed: "gamma", asClass: "hosting", name: "Net 15169" }]);
    expect(feeds.asClasses(15170)).toBeUndefined();
    expect(feeds.state("gamma").stripped).toBe(1);
    page("https://elsewhere.example/a.json");
    expect(await refresh(gamma)).toMatchObject({ problem: "refused: host not allowed" });
    page("http://files.example/a.json");
    expect(await refresh(gamma)).toMatchObject({ problem: "refused: not https" });
  });
});

describe("the files on disk", () => {
  test("are enough for a restart without a network", async () => {
    await use(GOOD);
    const again = at.open();
    expect(again.isCurrent()).toBe(true);
    expect(again.state("alpha")).toEqual(feeds.state("alpha"));
    expect(again.lists(readAddress("9.9.9.1"))).toHaveLength(1);
    // Without the tables the downloads are compiled again.
    for (const name of ["lists.table", "networks.table", "tables.json"]) rmSync(join(at.directory, name));
    const bare = at.open();
    expect(bare.isCurrent()).toBe(false);
    expect(bare.lists(readAddress("9.9.9.1"))).toBeUndefined();
    expect(bare.state("alpha")).toMatchObject({ ready: false, problem: "not compiled yet" });
    await bare.rebuild(at.compiler);
    expect(bare.lists(readAddress("9.9.9.1"))).toHaveLength(1);
  });

  test.each(["lists.table", "networks.table", "tables.json"])(
    "are ignored when %s is damaged",
    async (name) => {
      await use(GOOD);
      const path = join(at.directory, name);
      writeFileSync(path, readFileSync(path).subarray(0, -3));
      expect(at.open().isCurrent()).toBe(false);
    },
  );

  test("count as absent when the state is damaged or its file is missing", async () => {
    answer({ text: GOOD });
    await refresh(alpha);
    const folder = join(at.directory, "alpha");
    const data = readdirSync(folder).find((name) => name.endsWith(".data")) ?? "";
    writeFileSync(join(folder, "state.json"), '{"good":{"files":[{"name":"../../x"}]}}');
    expect(at.open().state("alpha")).toMatchObject({ freshness: "absent" });
    await refresh(alpha);
    rmSync(join(folder, data));
    expect(at.open().state("alpha")).toMatchObject({ freshness: "absent" });
  });

  test("stay unchanged when the new ones cannot be written", async () => {
    await use(GOOD);
    const before = readFileSync(join(at.directory, "alpha", "state.json"), "utf8");
    // A folder has the name of the next file, so the rename fails for every user, even root.
    const next = `${GOOD}8.8.4.77\n`;
    const hash = Bun.hash.xxHash3(Buffer.from(next)).toString(16).padStart(16, "0");
    mkdirSync(join(at.directory, "alpha", `0-${hash}.data`));
    answer({ text: next });
    expect(await refresh(alpha)).toMatchObject({
      did: "failed",
      problem: expect.stringMatching(/^cannot be written: E/),
    });
    const after = JSON.parse(readFileSync(join(at.directory, "alpha", "state.json"), "utf8"));
    expect(after.good).toEqual(JSON.parse(before).good);
    expect(at.open().lists(readAddress("8.8.4.1"))).toHaveLength(1);
    expect(feeds.state("alpha")).toMatchObject({ ready: true, error: { problem: expect.any(String) } });
  });
});
