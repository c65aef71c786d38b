import { beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "#kit";
import { openFor, readAddress } from "#kit";
import { compileRows } from "../../datasets/kit.ts";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { regions } from "../../feeds/small_feeds.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const NORTH = "2026-03-02\n8.8.0.0 8.8.255.255 NO\n";
const SOUTH = "2026-03-03\n9.9.0.0 9.9.255.255 CL\n";

const at = openFor("each", openFeedSetup);
beforeEach(() => {
  const rows = [
    ["8.8.0.0/16", "SE"],
    ["9.9.0.0/16", "AR"],
  ] as const;
  writeFileSync(join(at.directory, "registration.table"), compileRows("registration", rows, "2026-01-01"));
});

function open() {
  const { feeds, datasets } = at.openTable(regions);
  const countries = () => ["8.8.1.1", "9.9.1.1"].map((text) => datasets.registration(readAddress(text)));
  return { feeds, countries };
}

async function refresh({ feeds }: ReturnType<typeof open>, north: Reply, south: Reply) {
  at.gateway.on("north.example", "/list.txt", north);
  at.gateway.on("south.example", "/list.txt", south);
  return at.refresh(regions, feeds, { compiles: true });
}

describe("a registry whose file fails", () => {
  test.each<[string, Reply, string]>([
    ["is missing", { status: 404 }, "south.example: status: HTTP 404"],
    ["is empty of rows", { text: "2026-03-05\n" }, "south.example: it has no rows"],
    ["is a web page", { text: "<!doctype html><html></html>" }, "south.example: it is a web page"],
  ])("is replaced by its last good file when it %s, and the others are new", async (_, south, problem) => {
    const own = open();
    expect(await refresh(own, { text: NORTH }, { text: SOUTH })).toMatchObject({ did: "updated", rows: 2 });
    at.clock.nowMs += DAY;
    const newer = { text: NORTH.replace("NO", "FI").replace("03-02", "03-05") };
    expect(await refresh(own, newer, south)).toEqual({ id: "regions", did: "updated", rows: 2, problem });
    expect(own.countries()).toEqual(["FI", "CL"]);
    // The oldest file decides the date; the failure is visible, and the next attempt is early.
    expect(own.feeds.state("regions")).toMatchObject({
      ready: true,
      freshness: "fresh",
      date: "2026-03-03",
      error: { problem },
      dueAt: at.clock.nowMs + 5 * MINUTE,
    });
    expect(open().countries()).toEqual(["FI", "CL"]);
    expect(await refresh(own, newer, { text: SOUTH.replace("CL", "PE") })).toMatchObject({ did: "updated" });
    expect(own.countries()).toEqual(["FI", "PE"]);
    expect(own.feeds.state("regions").error).toBeUndefined();
  });

  test("leaves its part to the seed when there is no last good file", async () => {
    const own = open();
    expect(own.countries()).toEqual(["SE", "AR"]);
    expect(await refresh(own, { text: NORTH }, { status: 503 })).toMatchObject({ did: "updated", rows: 1 });
    expect(own.countries()).toEqual(["NO", "AR"]);
    await refresh(own, { text: NORTH }, { text: "2026-03-05\n9.9.0.0 9.9.0.255 CL\n" });
    // The table is whole again: what it does not contain is not delegated.
    expect(own.countries()).toEqual(["NO", undefined]);
  });

  test("is not the only one: without any file the download fails, and everything stays", async () => {
    const own = open();
    expect(await refresh(own, { status: 404 }, { status: 404 })).toMatchObject({ did: "failed" });
    await refresh(own, { text: NORTH }, { text: SOUTH });
    expect(await refresh(own, { status: 503 }, { status: 503 })).toMatchObject({ did: "failed" });
    expect(await refresh(own, { text: "2026-03-05\n" }, { text: "2026-03-05\n" })).toMatchObject({
      did: "failed",
    });
    expect(own.countries()).toEqual(["NO", "CL"]);
  });
});
