import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Feeds } from "#feeds";
import { openFor, readAddress } from "#kit";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { alpha } from "../../feeds/small_feeds.ts";

const FILES = ["networks.table", "lists.table", "tables.json"] as const;

const at = openFor("each", openFeedSetup);

beforeEach(() => {
  at.gateway.on("lists.example", "/alpha.txt", (call) =>
    call.headers.get("if-none-match") === null
      ? { text: "8.8.4.1\n8.8.4.2\n", headers: { etag: '"one"' } }
      : { status: 304 },
  );
});

const refresh = (feeds: Feeds) => at.refresh(alpha, feeds, { compiles: true });
const isListed = (feeds: Feeds) => feeds.lists(readAddress("8.8.4.1")) !== undefined;

describe("tables of a process that ended while it replaced them", () => {
  test.each(FILES)("are those of the last build when the process ended at %s", async (torn) => {
    await refresh(at.open([alpha]));
    // The next build has begun: it has linked the files of the last build to other names and replaced one file.
    for (const name of FILES) linkSync(join(at.directory, name), join(at.directory, `${name}.old`));
    const path = join(at.directory, torn);
    const bytes = readFileSync(path);
    rmSync(path);
    const other = readFileSync(join(at.directory, torn === "tables.json" ? "lists.table" : "tables.json"));
    writeFileSync(path, other);
    expect(isListed(at.open([alpha]))).toBe(true);
    // A second build that is killed leaves the linked files.
    for (const name of FILES) rmSync(join(at.directory, name));
    const again = at.open([alpha]);
    expect(isListed(again)).toBe(true);
    writeFileSync(path, bytes);
  });

  test("are removed by the next complete build", async () => {
    const feeds = at.open([alpha]);
    await refresh(feeds);
    for (const name of FILES) linkSync(join(at.directory, name), join(at.directory, `${name}.old`));
    rmSync(join(at.directory, "tables.json"));
    const again = at.open([]);
    await again.rebuild(at.compiler);
    expect(readdirSync(at.directory).filter((name) => name.endsWith(".old"))).toEqual([]);
  });
});

describe("a download that has changed on the disk", () => {
  test("is not compiled, and the next request is unconditional", async () => {
    await refresh(at.open([alpha]));
    const folder = join(at.directory, "alpha");
    const data = join(folder, readdirSync(folder).find((name) => name.endsWith(".data")) ?? "");
    writeFileSync(data, "8.8.4.9\n8.8.4.2\n");
    rmSync(join(at.directory, "tables.json"));
    const feeds = at.open([alpha]);
    await feeds.rebuild(at.compiler);
    expect(feeds.lists(readAddress("8.8.4.9"))).toBeUndefined();
    expect(feeds.state("alpha")).toMatchObject({ ready: false, freshness: "absent" });
    expect(await refresh(feeds)).toMatchObject({ did: "updated", rows: 2 });
    expect(readFileSync(data, "utf8")).toBe("8.8.4.1\n8.8.4.2\n");
    expect(isListed(feeds)).toBe(true);
    expect(isListed(at.open([alpha]))).toBe(true);
  });

  test("is downloaded again while its table is still used", async () => {
    const feeds = at.open([alpha]);
    await refresh(feeds);
    const folder = join(at.directory, "alpha");
    const data = join(folder, readdirSync(folder).find((name) => name.endsWith(".data")) ?? "");
    writeFileSync(data, "8.8.4.9\n8.8.4.2\n");
    expect(await refresh(feeds)).toMatchObject({ did: "updated" });
    expect(readFileSync(data, "utf8")).toBe("8.8.4.1\n8.8.4.2\n");
    expect(isListed(feeds)).toBe(true);
  });

  test("counts as absent when a digit of its state has changed", async () => {
    await refresh(at.open([alpha]));
    const state = join(at.directory, "alpha", "state.json");
    const text = readFileSync(state, "utf8");
    const turned = text.replace(/"dueAt": 1/, '"dueAt": 9');
    expect(turned).not.toBe(text);
    writeFileSync(state, turned);
    expect(at.open([alpha]).state("alpha")).toMatchObject({ freshness: "absent" });
    expect(existsSync(state)).toBe(true);
  });
});
