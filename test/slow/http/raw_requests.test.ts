import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { openApp } from "../../http/kit/open_app.ts";

const { app } = openApp();
let port = 0;

beforeAll(() => {
  app.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  port = app.server?.port ?? 0;
});
afterAll(() => app.stop(true));

/** Sends bytes and returns everything that comes back until the server closes, or 400 ms pass. */
function send(...parts: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (bytes) => {
      received += bytes.toString("utf8");
    });
    socket.on("close", end);
    socket.on("connect", async () => {
      for (const part of parts) {
        socket.write(part);
        await Bun.sleep(50);
      }
      setTimeout(end, 400);
    });
  });
}

/** The status of each response in a byte stream. */
const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

const CHUNKED = "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n";

describe("a request as bytes", () => {
  test.each([
    ["two different Host headers", "GET /api/myip HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["the same Host header twice", "GET /api/myip HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"],
    ["no Host header", "GET /api/myip HTTP/1.1\r\n\r\n"],
    ["two question marks", "GET /api/lookup??ip=192.0.2.1 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("with %s is refused with 400", async (_what, bytes) => {
    expect(statusesIn(await send(bytes))).toEqual([400]);
  });

  test("with two Host headers is refused also if the URL was answered before", async () => {
    const target = "/api/lookup?ip=198.51.100.7";
    expect(statusesIn(await send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`))).toEqual([200]);
    expect(statusesIn(await send(`GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`))).toEqual([400]);
  });

  test.each([
    ["/api/lookup", 405],
    ["/api/verify", 403],
    ["/nothing", 404],
  ])("with a malformed chunk gets one response: POST %s", async (path, status) => {
    const head = `POST ${path} HTTP/1.1\r\n${CHUNKED}`;
    expect(statusesIn(await send(`${head}zz\r\nabc\r\n0\r\n\r\n`))).toEqual([400]);
    expect(statusesIn(await send(head, "zz\r\nabc\r\n0\r\n\r\n"))).toEqual([400]);
    expect(statusesIn(await send(`${head}3\r\nabc\r\n0\r\n\r\n`))).toEqual([status]);
  });
});

/** Uploads until the server closes the connection, at most 100 MB. Returns the status and the megabytes sent. */
function upload(path: string, head: string, type: "length" | "chunked"): Promise<[number, number]> {
  const body = Buffer.alloc(65_536, "a");
  const part =
    type === "length" ? body : Buffer.concat([Buffer.from("10000\r\n"), body, Buffer.from("\r\n")]);
  const length = type === "length" ? "Content-Length: 100000000" : "Transfer-Encoding: chunked";
  return new Promise((resolve) => {
    let received = "";
    let sent = 0;
    const socket = connect(port, "127.0.0.1");
    const pump = () => {
      while (sent < 100_000_000) {
        sent += part.length;
        if (!socket.write(part)) return;
      }
    };
    socket.on("data", (bytes) => {
      received += bytes.toString("utf8");
    });
    // The connection is reset while we still write.
    socket.on("error", () => {});
    socket.on("close", () => resolve([statusesIn(received)[0] ?? 0, sent / 1e6]));
    socket.on("drain", pump);
    socket.on("connect", () => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${head}${length}\r\n\r\n`);
      pump();
    });
  });
}

describe("a refused upload", () => {
  const json = "Content-Type: application/json\r\n";
  const own = `${json}Sec-Fetch-Site: same-origin\r\n`;
  test.each([
    ["/nothing", json, "length", 413],
    ["/nothing", json, "chunked", 404],
    ["/api/lookup", json, "chunked", 405],
    ["/api/verify", own, "length", 413],
    ["/api/verify", own, "chunked", 413],
    ["/mcp", json, "chunked", 413],
    ["/api/classify", json, "length", 403],
    ["/api/classify", json, "chunked", 403],
  ] as const)("is not read to its end: POST %s%j, %s", async (path, head, type, status) => {
    const [answered, megabytes] = await upload(path, head, type);
    expect(answered).toBe(status);
    expect(megabytes).toBeLessThan(30);
  });
});

// oven-sh/bun#38128 and oven-sh/bun#6556. If one of these tests fails, Bun has changed: docs/api/errors.md says more.
describe("a request that Bun drops without an answer", () => {
  test.each([
    ["a method in lower case", "get /api/myip HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["an unknown method", "FOO /api/myip HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("has %s", async (_what, bytes) => {
    expect(await send(bytes)).toBe("");
  });
});
