import { beforeEach, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFor, readAddress } from "#kit";
import { compileRows } from "../../datasets/kit.ts";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { delta } from "../../feeds/small_feeds.ts";

const at = openFor("each", openFeedSetup);

beforeEach(() => {
  const seed = compileRows("asn", [["8.8.0.0/16", "15169 Seed"]], "2026-01-01");
  writeFileSync(join(at.directory, "asn.table"), seed);
});

const open = () => at.openTable(delta);

async function download(own: ReturnType<typeof open>, text: string) {
  at.gateway.on("lists.example", "/delta.txt", { text });
  return at.refresh(delta, own.feeds, { compiles: true });
}

describe("a downloaded table", () => {
  test("replaces an older seed, in the running process and after a restart", async () => {
    const own = open();
    expect(own.datasets.asn(readAddress("8.8.8.8"))).toEqual({ asn: 15169, name: "Seed" });
    expect(own.feeds.state("delta")).toMatchObject({ freshness: "absent" });
    expect(await download(own, "2026-02-01\n8.8.0.0 8.8.127.255 15170 Newer One\n")).toMatchObject({
      did: "updated",
    });
    for (const { datasets, feeds } of [own, open()]) {
      expect(feeds.isCurrent()).toBe(true);
      expect(feeds.state("delta")).toMatchObject({ ready: true, rows: 1, date: "2026-02-01" });
      expect(datasets.asn(readAddress("8.8.8.8"))).toEqual({ asn: 15170, name: "Newer One" });
      expect(datasets.asn(readAddress("8.8.128.1"))).toBeUndefined();
      expect(datasets.state("asn")).toMatchObject({ ready: true, date: "2026-02-01", rows: 1 });
    }
    await download(own, "2026-02-02\n8.8.0.0 8.8.255.255 15171 Newest\n");
    expect(own.datasets.asn(readAddress("8.8.128.1"))).toEqual({ asn: 15171, name: "Newest" });
  });

  test("is used when there is no seed, and not used when the seed is newer", async () => {
    const own = open();
    await download(own, "2025-12-31\n8.8.0.0 8.8.255.255 15170 Older\n");
    expect(own.datasets.asn(readAddress("8.8.8.8"))?.name).toBe("Seed");
    rmSync(join(at.directory, "asn.table"));
    const { datasets } = open();
    expect(datasets.asn(readAddress("8.8.8.8"))?.name).toBe("Older");
    expect(datasets.state("asn").ready).toBe(true);
    expect(datasets.state("country").ready).toBe(false);
  });

  test("is refused like any list, and the last good table stays", async () => {
    const own = open();
    await download(own, "2026-02-01\n8.8.0.0 8.8.127.255 15170 Good\n");
    for (const text of [
      "2026-02-02\n",
      "<!doctype html><html></html>",
      "2026-02-02\nno such range at\n".repeat(5),
    ]) {
      expect(await download(own, text)).toMatchObject({ did: "failed" });
      expect(own.datasets.asn(readAddress("8.8.8.8"))?.name).toBe("Good");
    }
  });

  test("is refused when one AS has nearly everything, or when it grows or shrinks too much", async () => {
    const own = open();
    const rows = (count: number, name: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => `${i + 11}.0.0.0 ${i + 11}.255.255.255 ${name(i)}\n`).join("");
    const everything = `2026-02-01\n${rows(80, () => "15170 All")}`;
    expect(await download(own, everything)).toMatchObject({
      did: "failed",
      problem: "too much of AS15170: 36 % of IPv4, most 15 % of IPv4",
    });
    expect(own.feeds.state("delta")).toMatchObject({
      problem: "refused: covers too much",
      error: { reason: "implausible" },
    });
    expect(own.datasets.asn(readAddress("8.8.8.8"))?.name).toBe("Seed");
    expect(await download(own, `2026-02-01\n${rows(20, (i) => `${15170 + i} Good`)}`)).toMatchObject({
      did: "updated",
    });
    for (const count of [61, 9]) {
      const text = `2026-02-02\n${rows(count, (i) => `${15170 + i} Next`)}`;
      expect(await download(own, text)).toMatchObject({
        did: "failed",
        problem: expect.stringMatching(/^its cover (?:grew|shrank): 9.1 % of IPv4 to /),
      });
      expect(own.datasets.asn(readAddress("12.1.1.1"))?.name).toBe("Good");
    }
  });
});
