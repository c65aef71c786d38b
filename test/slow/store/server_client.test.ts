import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "@libsql/client";
import { type Sqld, startSqld } from "#kit";
import { createServerClient } from "../../../src/store/server_client.ts";

const DEADLINE_MS = 500;
/** The error of a write that the client does not send. */
const NOT_SENT = "no answer to 3 writes";

/** A proxy to a real server that records the requests and can hold batches, or all requests, for ever. */
interface Wire {
  readonly url: string;
  /** `statement`, `batch` or `version`, in order of arrival. */
  readonly seen: string[];
  /** The highest number of concurrent requests. */
  readonly most: { statement: number; batch: number };
  held: "nothing" | "batches" | "everything";
  close(): Promise<void>;
}

function startWire(target: string): Wire {
  const underWay = { statement: 0, batch: 0 };
  const wire = { seen: [] as string[], most: { statement: 0, batch: 0 }, held: "nothing" as Wire["held"] };
  const never = new Promise<Response>(() => {});
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === "GET") {
        wire.seen.push("version");
        if (wire.held === "everything") return never;
        const { status } = await fetch(`${target}${pathname}`);
        return new Response("", { status });
      }
      const body = await request.text();
      const kind = body.includes('"type":"batch"') ? "batch" : "statement";
      wire.seen.push(kind);
      if (wire.held === "everything" || (wire.held === "batches" && kind === "batch")) return never;
      underWay[kind] += 1;
      wire.most[kind] = Math.max(wire.most[kind], underWay[kind]);
      // Long enough to see requests that do not wait for their turn.
      await Bun.sleep(2);
      const answer = await fetch(`${target}${pathname}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const text = await answer.text();
      underWay[kind] -= 1;
      return new Response(text, { status: answer.status, headers: { "content-type": "application/json" } });
    },
  });
  return Object.assign(wire, {
    url: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.stop(true);
    },
  });
}

describe("createServerClient()", () => {
  let sqld: Sqld;
  let wire: Wire;
  let client: Client;

  beforeEach(async () => {
    sqld = await startSqld();
    wire = startWire(sqld.url);
    client = createServerClient({ url: wire.url, deadlineMs: 20_000 });
    await client.execute("CREATE TABLE written (n)");
    wire.seen.length = 0;
  });
  afterEach(async () => {
    client.close();
    await wire.close();
    await sqld.close();
  });

  const write = (n: number, by = client) =>
    by.batch([{ sql: "INSERT INTO written VALUES (?1)", args: [n] }], "write");
  const read = async (by = client) => (await by.execute("SELECT count(*) FROM written")).rows[0]?.[0];
  const failureOf = (work: Promise<unknown>) => work.then(() => "none", String);

  test("runs concurrent writes one after another, and reads meanwhile", async () => {
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    await Promise.all(numbers.flatMap((n) => [write(n), read()]));
    expect(await read()).toBe(60);
    expect(wire.most.batch).toBe(1);
    expect(wire.most.statement).toBeGreaterThan(10);
    expect(wire.seen).not.toContain("version");
  });

  test("sends no further write after an unanswered one until the server answers any request", async () => {
    const hasty = createServerClient({ url: wire.url, deadlineMs: DEADLINE_MS });
    wire.held = "everything";
    const failures = await Promise.all([1, 2, 3, 4].map((n) => failureOf(write(n, hasty))));
    for (let n = 5; n < 7; n += 1) failures.push(await failureOf(write(n, hasty)));
    for (const failure of failures) expect(failure).toContain(`no answer within ${DEADLINE_MS} ms`);
    expect(wire.seen[0]).toBe("batch");
    expect(wire.seen.length).toBeGreaterThan(2);
    expect([...new Set(wire.seen.slice(1))]).toEqual(["version"]);
    wire.seen.length = 0;
    wire.held = "nothing";
    await write(9, hasty);
    await write(10, hasty);
    expect(wire.seen).toEqual(["version", "batch", "batch"]);
    hasty.close();
  });

  test("pauses writes for seconds after three unanswered ones, and continues to read", async () => {
    const hasty = createServerClient({ url: wire.url, deadlineMs: DEADLINE_MS });
    wire.held = "batches";
    for (let n = 0; n < 3; n += 1) {
      expect(await failureOf(write(n, hasty))).toContain(`no answer within ${DEADLINE_MS} ms`);
    }
    expect(wire.seen).toEqual(["batch", "version", "batch", "version", "batch"]);
    wire.held = "nothing";
    const lostAt = performance.now();
    wire.seen.length = 0;
    expect(await failureOf(write(3, hasty))).toContain(NOT_SENT);
    expect(await read(hasty)).toBe(0);
    expect(wire.seen).toEqual(["statement"]);
    while ((await failureOf(write(4, hasty))).includes(NOT_SENT)) await Bun.sleep(50);
    expect(performance.now() - lostAt).toBeGreaterThan(4000);
    await write(5, hasty);
    expect(wire.seen).toEqual(["statement", "version", "batch", "batch"]);
    expect(await read(hasty)).toBe(2);
    hasty.close();
  }, 20_000);

  test("sends its token with the version request, and to no other server", async () => {
    const headers: (string | null)[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        headers.push(
          `${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")}`,
        );
        return request.method === "GET" ? Response.redirect(wire.url, 307) : new Promise<Response>(() => {});
      },
    });
    const url = `http://127.0.0.1:${server.port}`;
    const known = createServerClient({ url, token: "a-token", deadlineMs: DEADLINE_MS });
    await failureOf(write(1, known));
    await failureOf(write(2, known));
    expect(headers).toEqual(["POST /v2/pipeline Bearer a-token", "GET /v2 Bearer a-token"]);
    expect(wire.seen).toEqual([]);
    known.close();
    await server.stop(true);
  });
});
