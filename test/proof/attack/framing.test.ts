import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openVictim, type Victim } from "./open_victim.ts";
import { requestText, send } from "./wire.ts";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
});
afterAll(() => victim.close());

const HOST = "Host: limpid.test\r\n";
/** A second request hidden in what one party may take for the body of the first. */
const HIDDEN = `GET /hidden-by-framing HTTP/1.1\r\n${HOST}\r\n`;

/** Whether the hidden request got an answer. */
function wasAnswered(): boolean {
  return (
    victim.log().includes("hidden-by-framing") || /"method":"GET","route":"unmatched"/.test(victim.log())
  );
}

describe("framing that two servers read differently", () => {
  test.each([
    ["Content-Length before Transfer-Encoding", "Content-Length: 4\r\nTransfer-Encoding: chunked"],
    ["Transfer-Encoding before Content-Length", "Transfer-Encoding: chunked\r\nContent-Length: 60"],
    ["two different lengths", "Content-Length: 0\r\nContent-Length: 40"],
    ["a list of lengths", "Content-Length: 0, 40"],
    ["a length with a plus", "Content-Length: +0"],
    ["a negative length", "Content-Length: -1"],
    ["a hexadecimal length", "Content-Length: 0x0"],
    ["an empty length", "Content-Length: "],
    ["a length beyond 64 bits", "Content-Length: 99999999999999999999999"],
    ["an unknown coding", "Transfer-Encoding: xchunked"],
    ["a coding with a quote", 'Transfer-Encoding: "chunked"'],
    ["chunked that is not last", "Transfer-Encoding: chunked, identity"],
    ["two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"],
    ["a blank before the colon", "Transfer-Encoding : chunked"],
    ["a folded coding", "Transfer-Encoding:\r\n chunked"],
    ["a folded header", "X-A: b\r\n Content-Length: 0"],
    ["a line feed in a value", "X-A: b\nContent-Length: 40"],
    ["a carriage return in a value", "X-A: b\rContent-Length: 40"],
    ["a null character in a value", "X-A: b\0c"],
    ["a header without a colon", "Content-Length 40"],
    ["a header without a name", ": 40"],
  ])("%s is refused, and the connection closed", async (_name, headers) => {
    const heard = await send(
      victim.port,
      `POST /healthz HTTP/1.1\r\n${HOST}${headers}\r\n\r\n0\r\n\r\n${HIDDEN}`,
    );
    expect(heard.statuses).toEqual([400]);
    expect(heard.closed).toBe(true);
    expect(wasAnswered()).toBe(false);
  });

  test.each([
    ["a size that is no number", "zz\r\nx\r\n0\r\n\r\n"],
    ["a size beyond 64 bits", "fffffffffffffffff\r\nx\r\n0\r\n\r\n"],
    ["an extension that ends in a line feed", "1;\nxx\r\n45\r\n0\r\n\r\n"],
    ["a chunk longer than its size", "1\r\nxyz\r\n0\r\n\r\n"],
    ["a negative size", "-1\r\nx\r\n0\r\n\r\n"],
  ])("chunks with %s end the connection", async (_name, body) => {
    const head = `POST /mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const heard = await send(victim.port, `${head}${body}${HIDDEN}`);
    expect(heard.closed).toBe(true);
    expect(heard.statuses.every((status) => status === 400)).toBe(true);
    expect(wasAnswered()).toBe(false);
  });

  test("a body that is not read is not parsed as the next request", async () => {
    const heard = await send(
      victim.port,
      `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}GET /readyz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    expect(heard.text).not.toContain('"code":"not_found"');
    expect(wasAnswered()).toBe(false);
  });

  test("two requests in one piece get two answers in their order", async () => {
    const { text, statuses } = await send(
      victim.port,
      `GET /healthz HTTP/1.1\r\n${HOST}\r\n${requestText("/api/myip?format=text")}`,
    );
    expect(statuses).toEqual([200, 200]);
    expect(text.indexOf('"status":"ok"')).toBeLessThan(text.indexOf("127.0.0.1\n"));
  });
});

describe("a malformed request line", () => {
  test.each([
    ["HTTP/0.9", "GET /healthz\r\n\r\n", [505]],
    ["only line feeds", "GET /healthz HTTP/1.1\nHost: x\n\n", [400, 505]],
    ["HTTP/2 without negotiation", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]],
    ["a version of the future", `GET /healthz HTTP/3.7\r\n${HOST}\r\n`, [505]],
    ["a blank in the path", `GET /health z HTTP/1.1\r\n${HOST}\r\n`, [400, 505]],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", [400]],
    ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", [400]],
    ["a method with punctuation", `G@T /healthz HTTP/1.1\r\n${HOST}\r\n`, [400]],
  ])("%s is refused", async (_name, text, statuses) => {
    const heard = await send(victim.port, text);
    expect(heard.closed).toBe(true);
    expect(statuses).toContain(heard.statuses[0] ?? 0);
  });

  test.each([
    ["absolute form", "GET http://evil.test/api/myip?format=text HTTP/1.1", 200],
    ["authority form", "CONNECT evil.test:443 HTTP/1.1", 404],
    ["a path that looks like a URL", "GET /http://evil.test/ HTTP/1.1", 404],
    ["TRACE", "TRACE /healthz HTTP/1.1", 405],
  ])("%s does not make the service a proxy", async (_name, line, status) => {
    const heard = await send(
      victim.port,
      `${line}\r\n${HOST}X-Echo: echoed-by-trace\r\nConnection: close\r\n\r\n`,
    );
    expect(heard.statuses).toEqual([status]);
    expect(heard.text).not.toContain("evil.test");
    expect(heard.text).not.toContain("echoed-by-trace");
  });
});

describe("a request that is too large", () => {
  test.each([
    ["100 kB in one header", requestText("/healthz", [`X-A: ${"x".repeat(100_000)}`]), 431],
    ["100 kB of cookies", requestText("/healthz", [`Cookie: ${"a=b; ".repeat(20_000)}`]), 431],
    [
      "1000 headers",
      requestText(
        "/healthz",
        Array.from({ length: 1000 }, (_, at) => `X-${at}: 1`),
      ),
      431,
    ],
    ["a URL of 4 kB", requestText(`/healthz?${"x".repeat(4_000)}`), 414],
    ["a URL of 12 kB", requestText(`/healthz?${"x".repeat(12_000)}`), 414],
    ["a promise of a gigabyte", requestText("/mcp", ["Content-Length: 1000000000"], "POST"), 413],
    [
      "17 kB where 16 are read",
      requestText("/mcp", ["Content-Type: application/json"], "POST", `"${"x".repeat(17_000)}"`),
      413,
    ],
  ])("%s is refused", async (_name, text, status) => {
    expect((await send(victim.port, text)).statuses).toEqual([status]);
  });

  test("15 kB of brackets get the answer for a wrong request", async () => {
    for (const path of ["/mcp", "/api/verify", "/api/feedback"]) {
      const headers = ["Content-Type: application/json", "Sec-Fetch-Site: same-origin"];
      for (const body of ["[".repeat(15_000), `${'{"a":'.repeat(2_300)}1${"}".repeat(2_300)}`]) {
        expect((await send(victim.port, requestText(path, headers, "POST", body))).statuses).toEqual([400]);
      }
    }
  });
});

describe("500 connections that never finish their request", () => {
  test("do not delay the answers to others", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 500 }, () =>
        Bun.connect({ hostname: "127.0.0.1", port: victim.port, socket: { data() {} } }),
      ),
    );
    try {
      for (const socket of sockets) socket.write(`GET /healthz HTTP/1.1\r\n${HOST}X-A: `);
      const startedAt = performance.now();
      for (let turn = 0; turn < 20; turn++) {
        expect((await send(victim.port, requestText("/healthz"))).statuses).toEqual([200]);
      }
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    } finally {
      for (const socket of sockets) socket.terminate();
    }
  });
});

const DRIPPING_BODY = [
  "a byte of a body a second",
  `POST /mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n`,
  " ",
  45,
] as const;

describe("connections that send one byte a second", () => {
  test.concurrent.each([
    ["a byte of a header a second", `GET /healthz HTTP/1.1\r\n${HOST}X-A: `, "a", 20],
    ["a header a second", `GET /healthz HTTP/1.1\r\n${HOST}`, "X-A: b\r\n", 20],
    ["nothing", "", "", 20],
    // It takes half a minute: `PROOF=full` waits for it.
    ...(Bun.env.PROOF === "full" ? [DRIPPING_BODY] : []),
  ] as const)("%s are ended", async (_name, start, piece, mostSeconds) => {
    const startedAt = performance.now();
    await new Promise<void>((resolve, reject) => {
      let dripping: Timer | undefined;
      const giveUp = setTimeout(
        () => reject(new Error("Cannot wait longer: it is still open")),
        mostSeconds * 1000,
      );
      Bun.connect({
        hostname: "127.0.0.1",
        port: victim.port,
        socket: {
          open(socket) {
            socket.write(start);
            dripping = setInterval(() => socket.write(piece), 1000);
          },
          data() {},
          close() {
            clearInterval(dripping);
            clearTimeout(giveUp);
            resolve();
          },
        },
      }).catch(reject);
    });
    expect(performance.now() - startedAt).toBeLessThan(mostSeconds * 1000);
  });
});

test("the hidden request has a visible effect when it is sent openly", async () => {
  expect(
    (await send(victim.port, HIDDEN.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))).statuses,
  ).toEqual([404]);
  expect(wasAnswered()).toBe(true);
});
