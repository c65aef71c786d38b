import { describe, expect, test } from "bun:test";
import { setUpService } from "#kit";
import FRAMING from "../../fixtures/attacks/framing.json";
import { VICTIM } from "./victim.ts";
import { type Heard, requestText, send } from "./wire.ts";

const victim = setUpService(VICTIM);

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
  test.each(FRAMING.headers)("$name is refused, and the connection closed", async ({ headers }) => {
    const heard = await send(victim, `POST /healthz HTTP/1.1\r\n${HOST}${headers}\r\n\r\n0\r\n\r\n${HIDDEN}`);
    expect(heard.statuses).toEqual([400]);
    expect(heard.closed).toBe(true);
    expect(wasAnswered()).toBe(false);
  });

  test.each(FRAMING.chunks)("chunks with $name end the connection", async ({ body }) => {
    const head = `POST /mcp HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const heard = await send(victim, `${head}${body}${HIDDEN}`);
    expect(heard.closed).toBe(true);
    expect(heard.statuses.every((status) => status === 400)).toBe(true);
    expect(wasAnswered()).toBe(false);
  });

  test("a body that is not read is not parsed as the next request", async () => {
    const heard = await send(
      victim,
      `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}GET /readyz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    expect(heard.text).not.toContain('"code":"not_found"');
    expect(wasAnswered()).toBe(false);
  });

  /** The runtime closes a connection whose second request arrives before the answer to the first. */
  test("two requests in one piece get two answers in their order, or none", async () => {
    const requests = `GET /healthz HTTP/1.1\r\n${HOST}\r\n${requestText("/api/myip?format=text")}`;
    const heard: Heard[] = [];
    for (let count = 0; count < 20; count += 1) {
      heard.push(await send(victim, requests));
      // Lets the service end its turn of the event loop; in a long turn it answers later.
      await Bun.sleep(5);
    }
    const answered = heard.filter(({ statuses }) => statuses.length > 0);
    expect(answered.length).toBeGreaterThan(0);
    for (const { text, statuses } of answered) {
      expect(statuses).toEqual([200, 200]);
      expect(text.indexOf('"status":"ok"')).toBeLessThan(text.indexOf("127.0.0.1\n"));
    }
    expect(heard.filter(({ closed }) => !closed)).toEqual([]);
  });
});

describe("a malformed request line", () => {
  test.each(FRAMING.lines)("$name is refused", async ({ text, statuses }) => {
    const heard = await send(victim, text);
    expect(heard.closed).toBe(true);
    expect(statuses).toContain(heard.statuses[0] ?? 0);
  });

  test.each(FRAMING.proxies)("$name does not make the service a proxy", async ({ line, status }) => {
    const heard = await send(
      victim,
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
    expect((await send(victim, text)).statuses).toEqual([status]);
  });

  test("15 kB of brackets get the answer for a wrong request", async () => {
    for (const path of ["/mcp", "/api/verify", "/api/feedback"]) {
      const headers = ["Content-Type: application/json", "Sec-Fetch-Site: same-origin"];
      for (const body of ["[".repeat(15_000), `${'{"a":'.repeat(2_300)}1${"}".repeat(2_300)}`]) {
        expect((await send(victim, requestText(path, headers, "POST", body))).statuses).toEqual([400]);
      }
    }
  });
});

describe("500 connections that never finish their request", () => {
  test("do not delay the answers to others", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 500 }, () =>
        Bun.connect({ hostname: "127.0.0.1", port: Number(new URL(victim.url).port), socket: { data() {} } }),
      ),
    );
    try {
      for (const socket of sockets) socket.write(`GET /healthz HTTP/1.1\r\n${HOST}X-A: `);
      const startedAt = performance.now();
      for (let turn = 0; turn < 20; turn++) {
        expect((await send(victim, requestText("/healthz"))).statuses).toEqual([200]);
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
        port: Number(new URL(victim.url).port),
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
  expect((await send(victim, HIDDEN.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))).statuses).toEqual([
    404,
  ]);
  expect(wasAnswered()).toBe(true);
});
