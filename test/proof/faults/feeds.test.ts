import { beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type Feed, type Feeds, refreshFeed } from "#feeds";
import { openFor, type Reply } from "#kit";
import { openFeedSetup } from "../../feeds/feed_setup.ts";
import { alpha, beta, delta, gamma } from "../../feeds/small_feeds.ts";
import { type FaultRow, matchGoldenPart, renderPart } from "./fault_table.ts";
import { type HttpFault, listHttpFaults } from "./http_faults.ts";

const PATIENCE_MS = 5_000;
/** For faults that end only when the client gives up. */
const SHORT_PATIENCE_MS = 300;
const LATE_MS = 1_000;
const PAGE = { text: '<a href="https://files.example/a.json">', headers: { "content-type": "text/html" } };

/** A feed of each shape, where it is downloaded, and a good download. */
interface Shape {
  readonly name: string;
  readonly feed: Feed | typeof delta;
  readonly host: string;
  readonly path: string;
  readonly well: Reply;
}
const TABLE = { text: "2026-03-01\n8.8.4.0 8.8.4.255 15169 Example\n" };
const GZIP = { bytes: gzipSync("8.8.4.1,One\n8.8.4.2,Two\n") };
const SHAPES: readonly Shape[] = [
  {
    name: "text",
    feed: alpha,
    host: "lists.example",
    path: "/alpha.txt",
    well: { text: "8.8.4.1\n8.8.4.2\n" },
  },
  { name: "gzip", feed: beta, host: "lists.example", path: "/beta.gz", well: GZIP },
  {
    name: "JSON behind a page",
    feed: gamma,
    host: "files.example",
    path: "/a.json",
    well: { json: [15169, 13335] },
  },
  { name: "page that names the file", feed: gamma, host: "lists.example", path: "/page", well: PAGE },
  { name: "table", feed: delta, host: "lists.example", path: "/delta.txt", well: TABLE },
];

const at = openFor("all", openFeedSetup);
let feeds: Feeds;

beforeAll(async () => {
  feeds = at.open();
  at.gateway.on("lists.example", "/more.gz", { status: 404 });
  for (const { host, path, well } of SHAPES) at.gateway.on(host, path, well);
  for (const { feed } of SHAPES) await refresh(feed);
});

async function refresh(feed: Shape["feed"], patienceMs = PATIENCE_MS) {
  const session = at.client.openSession(AbortSignal.timeout(patienceMs));
  const startedAt = performance.now();
  try {
    const [now, random] = [() => at.clock.nowMs, () => 0.5];
    const ports = { upstream: session, cache: feeds.cache, compiler: at.compiler, now, random };
    const outcome = await refreshFeed(feed, ports, new AbortController().signal);
    return { outcome, ms: performance.now() - startedAt };
  } finally {
    session.close();
  }
}

/** The kind of the failure of an upstream, or that the download was implausible. */
function tellOutcome(outcome: Awaited<ReturnType<typeof refresh>>["outcome"]): string {
  if (outcome.did !== "failed") return "accepted";
  return (
    /^(timeout|refused|status|shape|quota|unavailable|too_large):/.exec(outcome.problem)?.[1] ?? "implausible"
  );
}

async function play(shape: Shape, fault: HttpFault): Promise<string> {
  if (fault.isJson === true && shape.name !== "JSON behind a page") return "–";
  const before = feeds.cache.record(shape.feed.id).good;
  at.gateway.on(shape.host, shape.path, fault.reply(shape.well));
  const patienceMs = fault.isSlow === true ? SHORT_PATIENCE_MS : PATIENCE_MS;
  const { outcome, ms } = await refresh(shape.feed, patienceMs);
  at.gateway.on(shape.host, shape.path, shape.well);
  expect(ms).toBeLessThan(patienceMs + LATE_MS);
  const after = feeds.cache.record(shape.feed.id);
  if (outcome.did === "failed") {
    expect(after.good).toEqual(before);
    expect(after.error?.problem).toBe(outcome.problem);
    expect(after.dueAt).toBeGreaterThan(at.clock.nowMs);
    expect(after.dueAt).toBeLessThanOrEqual(at.clock.nowMs + 86_400_000);
  } else {
    expect(outcome.rows).toBe(before?.rows ?? Number.NaN);
  }
  return tellOutcome(outcome);
}

describe("a list under faults", () => {
  test("keeps its last good download: is what docs/proofs/faults.md says", async () => {
    const rows: FaultRow[] = [];
    for (const fault of listHttpFaults(9)) {
      const cells: string[] = [];
      for (const shape of SHAPES) cells.push(await play(shape, fault));
      rows.push({ fault: fault.name, cells });
    }
    matchGoldenPart(renderPart({ title: "Downloads", columns: SHAPES.map(({ name }) => name), rows }));
  });
});
