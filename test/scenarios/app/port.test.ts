import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "#http";
import type { LookupResult } from "#lookup";
import PORT from "../../fixtures/http/port.json";
import { answered, answerOf, openApp } from "../../http/kit/open_app.ts";

/** The addresses of lookups whose client disconnected. These lookups do not end by themselves. */
const disconnected: string[] = [];
let hangs = 0;
let watched = 0;

const testApp = openApp({
  limits: { lookups: 1000 },
  verification: { verify: async (_matter, payload) => (payload === "good" ? "passed" : "failed") },
  lookup: async ({ address, watch }, signal): Promise<LookupResult> => {
    if (address.text === "198.51.100.99" || address.text === "198.51.100.98") {
      if (watch === undefined) hangs++;
      else watched++;
      watch?.({ kind: "started", sources: [{ id: "a", name: "Source A" }] });
      await new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          disconnected.push(address.text);
          reject(signal.reason);
        }),
      );
    }
    return answered(answerOf(address, {}, { tier: "cache" }));
  },
});
const { peer: _asked, ...deps } = testApp.deps;
const app = createApp(deps);
let port = 0;

beforeAll(() => {
  app.listen({
    hostname: "127.0.0.1",
    port: 0,
    reusePort: false,
    idleTimeout: 30,
    maxRequestBodySize: 65_536,
  });
  port = app.server?.port ?? 0;
});
afterAll(() => app.stop(true));

/** Sends a text unchanged and returns everything that the server sends until it closes. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = () => resolve(Buffer.concat(chunks).toString("latin1"));
    Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: (socket) => void socket.write(text),
        data: (_socket, chunk) => void chunks.push(Buffer.from(chunk)),
        close: done,
        error: done,
      },
    }).catch(reject);
  });
}

async function ask(
  target: string,
  method = "GET",
  headers = "Host: evil.test\r\n",
): Promise<{ status: number; head: string; body: string }> {
  const [head = "", ...rest] = (
    await send(`${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  ).split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body: rest.join("\r\n\r\n") };
}

describe("a real port", () => {
  test("returns the client's address", async () => {
    expect(await ask("/api/myip?format=text")).toMatchObject({ status: 200, body: "127.0.0.1\n" });
  });

  test("sends a report with its content-length", async () => {
    const { status, head, body } = await ask("/ip/198.51.100.7.json");
    expect(status).toBe(200);
    expect(head).toContain(`content-length: ${body.length}`);
    expect(head).toContain("content-type: application/json; charset=utf-8");
    expect(JSON.parse(Buffer.from(body, "latin1").toString())).toMatchObject({ ip: "198.51.100.7" });
    expect(body).not.toContain("evil.test");
  });

  test.each(["/ip/198.51.100.7.json", "/api/lookup?ip=198.51.100.7", "/en/ip/[2001:db8::1]"])(
    "HEAD %s has the length and no body",
    async (target) => {
      const [got, head] = [await ask(target), await ask(target, "HEAD")];
      expect(head.status).toBe(200);
      expect(head.body).toBe("");
      expect(head.head).toContain(`content-length: ${got.body.length}`);
      const withoutChanges = (text: string) =>
        text
          .replace(/(?:x-request-id|ratelimit|date):.*/g, "")
          .split("\r\n")
          .filter((line) => line !== "")
          .toSorted();
      expect(withoutChanges(head.head)).toEqual(withoutChanges(got.head));
    },
  );

  test("answers 304 without body and without a length of zero", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, head, body } = await ask(
        "/ip/198.51.100.7.json",
        method,
        "Host: x\r\nIf-None-Match: *\r\n",
      );
      expect(status).toBe(304);
      expect(body).toBe("");
      expect(head).not.toContain("content-length");
    }
  });

  test.each([
    ...(PORT.paths as [string, number][]),
    [`/${"a".repeat(9000)}`, 414] as const,
    [`/api/lookup?ip=${"1".repeat(9000)}`, 414] as const,
  ])("%s is %d", async (target, status) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(answer.head).toContain("cache-control: no-store");
  });

  test.each([...PORT.hosts, `Host: ${"h".repeat(3000)}\r\n`])("an odd %j does no harm", async (host) => {
    const { status, body } = await ask("/api/myip", "GET", host);
    expect([200, 400]).toContain(status);
    expect(body).not.toMatch(/error:| at /i);
  });

  test("HTTP/1.0 without a Host is answered", async () => {
    expect(await send("GET /api/myip?format=text HTTP/1.0\r\n\r\n")).toMatch(
      /^HTTP\/1\.[01] 200[\s\S]*127\.0\.0\.1\n$/,
    );
  });

  test("an unknown method is refused with the allowed methods", async () => {
    const { status, head } = await ask("/healthz", "PROPFIND");
    expect(status).toBe(405);
    expect(head).toContain("allow: get, head, options");
  });

  test("a body that is too large is refused before it is read", async () => {
    const { status } = await ask("/api/lookup", "POST", `Host: x\r\nContent-Length: ${10 ** 9}\r\n`);
    expect(status).toBe(413);
  });

  test("a body of more than 16 kB is refused with an error body", async () => {
    const headers = "Host: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n";
    const body = "x".repeat(20_000);
    const answer = await send(
      `POST /api/verify?lang=en HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toContain('"code":"too_large"');
  });

  test("the cookie of a pass is sent only to its client", async () => {
    const body = JSON.stringify({ ip: "198.51.100.7", action: "lookup", payload: "good" });
    const headers = "Host: x\r\nOrigin: https://limpid.test\r\nContent-Type: application/json\r\n";
    const answer = await send(
      `POST /api/verify HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(
      answer.match(
        /^set-cookie: limpid_pass=[^\r]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=1800; Secure\r$/gim,
      ),
    ).toHaveLength(1);
  });

  test("a survey sends each event at once, and a disconnect aborts the lookup", async () => {
    const before = watched;
    let text = "";
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data(_socket, chunk) {
          text += chunk.toString();
        },
      },
    });
    socket.write("GET /api/progress?ip=198.51.100.98 HTTP/1.1\r\nHost: x\r\n\r\n");
    while (!text.includes("event: started")) await new Promise((resolve) => setImmediate(resolve));
    expect(text).toMatch(/^HTTP\/1\.1 200[\s\S]*content-type: text\/event-stream; charset=utf-8/i);
    expect(text).not.toContain("event: report");
    expect(watched).toBe(before + 1);
    disconnected.length = 0;
    socket.terminate();
    while (disconnected.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(disconnected).toEqual(["198.51.100.98"]);
    disconnected.length = 0;
  });

  test("headers that are too large are refused", async () => {
    expect((await ask("/healthz", "GET", `Host: x\r\nX-Much: ${"x".repeat(20_000)}\r\n`)).status).toBe(431);
  });

  test("a client that disconnects aborts its lookup", async () => {
    const before = hangs;
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.write("GET /ip/198.51.100.99.json HTTP/1.1\r\nHost: x\r\n\r\n");
    while (hangs === before) await new Promise((resolve) => setImmediate(resolve));
    socket.terminate();
    while (disconnected.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(disconnected).toEqual(["198.51.100.99"]);
    expect((await ask("/healthz")).status).toBe(200);
    expect(testApp.logs).toEqual([]);
  });

  test("refuses a second server", () => {
    expect(() => createApp(deps).listen({ hostname: "127.0.0.1", port, reusePort: false })).toThrow(
      /in use|EADDRINUSE/i,
    );
  });
});
