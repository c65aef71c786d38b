import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type GatewayServer, openFor, openUpstreamClient, type Reply, startGateway } from "#kit";
import { type HttpRequest, UpstreamError, type UpstreamSession } from "#upstream";
import STATUSES from "../fixtures/http_statuses.json";
import REFUSED from "../fixtures/refused_urls.json";

const HOST = "api.example";
const NOW = Date.UTC(2026, 0, 15, 12);
const gateway = openFor("all", startGateway);
const client = openFor("all", () =>
  openUpstreamClient({
    hosts: [HOST, "Other.Example"],
    gateway: `${gateway.url}/`,
    userAgent: "limpid/0 (test)",
    poolSize: 24,
    now: () => NOW,
  }),
);
const session = openFor("all", () => client.openSession(new AbortController().signal));
let count = 0;

function get(path: string, question: Partial<HttpRequest> = {}, deadlineMs = 2000) {
  const request = { url: `https://${HOST}${path}`, as: "json", ...question } as const;
  return session.http(request, AbortSignal.timeout(deadlineMs));
}

/** Serves the reply at a new path and requests it. */
function ask(reply: Reply, question: Partial<HttpRequest> = {}, deadlineMs = 2000) {
  count += 1;
  gateway.on(HOST, `/case/${count}`, reply);
  return get(`/case/${count}`, question, deadlineMs);
}

/** Runs `body` with its own gateway and session. */
async function alone(body: (server: GatewayServer, asking: UpstreamSession) => Promise<void>): Promise<void> {
  const server = await startGateway();
  const own = openUpstreamClient({ hosts: [HOST], gateway: server.url, poolSize: 4, now: () => NOW });
  try {
    await body(server, own.openSession(new AbortController().signal));
  } finally {
    own.close();
    await server.close();
  }
}

async function failure(answer: Promise<unknown>): Promise<UpstreamError> {
  const error = await answer.then(
    () => new Error("there was an answer"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamError)) throw error;
  return error;
}

async function settles(condition: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 100 && !condition(); turn += 1) await Bun.sleep(5);
  return condition();
}

describe("http: what is sent", () => {
  test("method, path, query, headers and body reach the gateway unchanged", async () => {
    gateway.on(HOST, "/v1/check", { json: { ok: true } });
    const answer = await get("/v1/check?ip=2001:db8::1&b=%2F", {
      method: "POST",
      headers: { "x-key": "secret", "content-type": "application/json", "user-agent": "impostor" },
      body: '{"a":1}',
    });
    const call = gateway.callsTo(HOST).at(-1);
    expect(answer).toMatchObject({
      status: 200,
      body: { ok: true },
      url: `https://${HOST}/v1/check?ip=2001:db8::1&b=%2F`,
    });
    expect(call).toMatchObject({ method: "POST", path: "/v1/check?ip=2001:db8::1&b=%2F", body: '{"a":1}' });
    expect(call?.headers.get("x-key")).toBe("secret");
    expect(call?.headers.get("user-agent")).toBe("limpid/0 (test)");
  });

  test("colons of IPv6 addresses stay literal in a path, and dots do not leave the path of the host", async () => {
    gateway.on(HOST, /.*/, { json: {} });
    const at = gateway.calls.length;
    await get("/ip/2001:db8::7");
    await get("/../../evil.example/x");
    expect(gateway.calls.slice(at).map((call) => [call.host, call.path])).toEqual([
      [HOST, "/ip/2001:db8::7"],
      [HOST, "/evil.example/x"],
    ]);
  });

  test("hosts are compared in lower case", async () => {
    gateway.on("other.example", "/", { json: 1 });
    const answer = await session.http(
      { url: "https://OTHER.example/", as: "json" },
      AbortSignal.timeout(2000),
    );
    expect(answer.body).toBe(1);
  });

  test.each(REFUSED.first)("refuses %s without sending anything", async (url) => {
    const before = gateway.calls.length;
    const error = await failure(session.http({ url, as: "json" }, AbortSignal.timeout(2000)));
    expect(error.kind).toBe("refused");
    expect(gateway.calls.length).toBe(before);
  });

  test("keeps connections alive", async () => {
    await ask({ json: 1 });
    const before = gateway.connectionsEver;
    for (let turn = 0; turn < 5; turn += 1) await ask({ json: turn });
    expect(gateway.connectionsEver).toBe(before);
  });
});

describe("http: statuses", () => {
  /** A reply, the kind and detail of its error, and how long it asks to wait. */
  type Row = [reply: Reply, kind: string, detail: string, retryAfterMs: number | null];
  test.each(STATUSES as Row[])("%j is %s, %s", async (reply, kind, detail, retryAfterMs) => {
    const before = gateway.calls.length;
    const error = await failure(ask(reply));
    expect([error.kind, error.detail]).toEqual([kind as "status", detail]);
    expect(error.retryAfterMs ?? null).toBe(retryAfterMs);
    expect(gateway.calls.length).toBe(before + 1);
  });

  test("a listed status is an answer with its body", async () => {
    const answer = await ask({ status: 404, json: { detail: "none" } }, { statuses: [404] });
    expect(answer).toMatchObject({ status: 404, body: { detail: "none" } });
  });

  test.each([200, 404, 429])("an answer with status %d has the time it asks to wait", async (status) => {
    const listed = { statuses: [404, 429] };
    const answer = await ask({ status, json: {}, headers: { "retry-after": "120" } }, listed);
    expect(answer).toMatchObject({ status, retryAfterMs: 120_000 });
    expect("retryAfterMs" in (await ask({ status, json: {} }, listed))).toBe(false);
  });

  test("a listed status may have no body, a 200 must have one", async () => {
    expect(await ask({ status: 404 }, { statuses: [404] })).toMatchObject({ status: 404, body: undefined });
    expect((await failure(ask({ status: 200 }))).kind).toBe("shape");
  });

  test.each([
    [{ status: 403, text: "<h1>no</h1>", headers: { "content-type": "text/html" } }, "status", undefined],
    [
      { status: 429, text: "slow", headers: { "content-type": "text/html", "retry-after": "7" } },
      "quota",
      7000,
    ],
    [{ status: 429, text: "<h1>", headers: { "content-type": "application/json" } }, "quota", undefined],
    [{ status: 404, json: {}, headers: { "content-encoding": "gzip" } }, "status", undefined],
    [{ status: 400, bytes: new Uint8Array([0xff]) }, "status", undefined],
  ] as const)(
    "a listed status with an unreadable body is a status error: %j",
    async (reply, kind, retryAfterMs) => {
      const error = await failure(ask(reply, { statuses: [400, 403, 404, 429] }));
      expect(error).toMatchObject({ kind, detail: `HTTP ${reply.status}`, retryAfterMs });
    },
  );

  test("a listed status with a body that is too long is refused", async () => {
    const reply = { status: 404, json: "x".repeat(100) };
    expect((await failure(ask(reply, { statuses: [404], maxBytes: 50 }))).kind).toBe("too_large");
  });
});

describe("http: bodies", () => {
  test("text is returned as a string", async () => {
    expect((await ask({ text: "192.0.2.7\n" }, { as: "text" })).body).toBe("192.0.2.7\n");
  });

  test.each([
    [
      { text: "<html>please log in</html>", headers: { "content-type": "text/html" } },
      "content type text/html",
    ],
    [{ text: "{}", headers: { "content-type": "x".repeat(9000) } }, "no usable content type"],
    [{ text: "{}", headers: { "content-type": "" } }, "no usable content type"],
    [{ text: "<html>", headers: { "content-type": "application/json" } }, "not JSON"],
    [{ text: '{"a":1', headers: { "content-type": "application/json" } }, "not JSON"],
    [
      { bytes: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: { "content-type": "application/json" } },
      "not valid UTF-8",
    ],
    [
      {
        bytes: new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
        headers: { "content-type": "application/json" },
      },
      "not valid UTF-8",
    ],
    [
      { text: "[".repeat(10_000) + "]".repeat(10_000), headers: { "content-type": "application/json" } },
      "JSON deeper than 64 levels",
    ],
    [{ json: 1, headers: { "content-encoding": "rot13" } }, "unknown content encoding"],
    [{ json: 1, headers: { "content-encoding": "gzip" } }, "damaged content encoding"],
    [{ json: { long: "x".repeat(100) }, fault: "truncate" }, "answer cut short"],
  ] as const)("%# is a wrong format: %s", async (reply, detail) => {
    const error = await failure(ask(reply as Reply));
    expect([error.kind, error.detail]).toEqual(["shape", detail]);
  });

  test("depth counts brackets, except those in strings", async () => {
    expect((await ask({ json: { a: '[[[[[[\\"[[[[' } }, { maxDepth: 1 })).body).toEqual({
      a: '[[[[[[\\"[[[[',
    });
    expect((await ask({ json: [[[1]]] }, { maxDepth: 3 })).body).toEqual([[[1]]]);
    expect((await failure(ask({ json: [[[1]]] }, { maxDepth: 2 }))).detail).toBe("JSON deeper than 2 levels");
  });

  test("a __proto__ key is an ordinary key", async () => {
    const text = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
    const { body } = await ask({ text, headers: { "content-type": "application/json" } });
    expect(Object.keys(body as object)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect("isAdmin" in {}).toBe(false);
  });

  test.each(["gzip", "br"] as const)("reads %s", async (encoding) => {
    const value = { text: "limpid ".repeat(1000) };
    expect((await ask({ json: value, encoding })).body).toEqual(value);
  });

  test.each(["gzip", "br"] as const)("a truncated %s answer is a wrong format", async (encoding) => {
    const server = await startGateway();
    server.on(HOST, "/", { text: Bun.randomUUIDv7().repeat(500), encoding });
    const whole = await fetch(`${server.url}/${HOST}/`, { decompress: false });
    const bytes = new Uint8Array(await whole.arrayBuffer());
    await server.close();
    for (const length of [1, 5, bytes.length >> 1, bytes.length - 1]) {
      const headers = { "content-type": "text/plain", "content-encoding": encoding };
      const error = await failure(ask({ bytes: bytes.subarray(0, length), headers }, { as: "text" }));
      expect([error.kind, error.detail]).toEqual(["shape", "damaged content encoding"]);
    }
  });

  test.each(["gzip", "br"] as const)("a %s decompression bomb stops at the limit", async (encoding) => {
    const error = await failure(
      ask({ text: " ".repeat(64 * 1024 * 1024), encoding }, { as: "text" }, 20_000),
    );
    expect([error.kind, error.detail]).toEqual(["too_large", "more than 1048576 bytes"]);
  });

  test("the limit is exact and counts decoded bytes", async () => {
    const text = "x".repeat(1000);
    expect((await ask({ text, encoding: "gzip" }, { as: "text", maxBytes: 1000 })).body).toBe(text);
    expect((await failure(ask({ text, encoding: "gzip" }, { as: "text", maxBytes: 999 }))).kind).toBe(
      "too_large",
    );
    expect((await ask({ text }, { as: "text", maxBytes: 1000 })).body).toBe(text);
    expect((await failure(ask({ text }, { as: "text", maxBytes: 999 }))).kind).toBe("too_large");
  });

  test("an endless body is read to the limit only, and its connection closed", async () => {
    await alone(async (server, asking) => {
      server.on(HOST, "/", { text: "x".repeat(65_536), fault: "endless" });
      const answer = asking.http({ url: `https://${HOST}/`, as: "text" }, AbortSignal.timeout(4000));
      expect((await failure(answer)).kind).toBe("too_large");
      expect(await settles(() => server.connections === 0)).toBe(true);
      expect(server.sentBytes).toBeLessThan(16 * 1024 * 1024);
    });
  });
});

describe("http: refused bodies", () => {
  test("a length above the limit is refused before the body arrives", async () => {
    const headers = { "content-length": "99999999999" };
    const error = await failure(ask({ json: 1, headers, fault: "stall" }, {}, 1000));
    expect([error.kind, error.detail]).toEqual(["too_large", "more than 1048576 bytes"]);
  });

  test.each([
    ["an error", { status: 500 }],
    ["a redirect", { status: 302, headers: { location: "https://other.example/" } }],
    ["a wrong type", { status: 200, headers: { "content-type": "text/html", "content-length": "4000" } }],
  ] as const)("%s with an endless body closes its connection", async (_, reply) => {
    await alone(async (server, asking) => {
      server.on(HOST, "/", { ...reply, text: "x".repeat(65_536), fault: "endless" });
      await failure(
        asking.http({ url: `https://${HOST}/`, as: "json", redirects: 1 }, AbortSignal.timeout(2000)),
      );
      expect(await settles(() => server.connections === 0)).toBe(true);
    });
  });
});

describe("http: connections", () => {
  test.each(["hang", "stall", "drip"] as const)(
    "%s ends at the deadline and closes the connection",
    async (fault) => {
      await alone(async (server, asking) => {
        server.on(HOST, "/", { json: { long: "x".repeat(500) }, fault });
        const started = performance.now();
        const answer = asking.http({ url: `https://${HOST}/`, as: "json" }, AbortSignal.timeout(150));
        const error = await failure(answer);
        expect([error.kind, error.detail]).toEqual(["timeout", "no answer in time"]);
        expect(performance.now() - started).toBeLessThan(3000);
        expect(server.connectionsEver).toBe(1);
        expect(await settles(() => server.connections === 0)).toBe(true);
      });
    },
  );

  test("a slow answer within the deadline is accepted", async () => {
    expect((await ask({ json: [1, 2], fault: "drip" })).body).toEqual([1, 2]);
  });

  test("a refused connection has the kind `refused`", async () => {
    const shut = await startGateway();
    const { url } = shut;
    await shut.close();
    const lonely = openUpstreamClient({ hosts: [HOST], gateway: url, poolSize: 1, now: () => NOW });
    const asking = lonely.openSession(new AbortController().signal);
    const error = await failure(
      asking.http({ url: `https://${HOST}/`, as: "json" }, AbortSignal.timeout(2000)),
    );
    expect([error.kind, error.detail]).toEqual(["refused", "connection refused"]);
    lonely.close();
  });

  test.each([
    ["GET", "fresh", 2],
    ["POST", "fresh", 1],
    ["GET", "kept", 2],
    ["POST", "kept", 1],
  ] as const)("a %s reset on a %s connection is sent %i times", async (method, connection, times) => {
    await alone(async (server, asking) => {
      server.on(HOST, "/warm", { json: 1 });
      server.on(HOST, "/reset", { fault: "reset" });
      const warm = { url: `https://${HOST}/warm`, as: "json" } as const;
      if (connection === "kept") await asking.http(warm, AbortSignal.timeout(2000));
      server.forget();
      const reset = { url: `https://${HOST}/reset`, as: "json", method } as const;
      const error = await failure(asking.http(reset, AbortSignal.timeout(2000)));
      expect([error.kind, error.detail]).toEqual(["refused", "connection closed"]);
      expect(server.calls.length).toBe(times);
    });
  });

  test("a GET that was reset once is answered by the retry", async () => {
    await alone(async (server, asking) => {
      server.on(HOST, "/", (_, turn) => (turn === 0 ? { fault: "reset" } : { json: "second" }));
      const answer = await asking.http({ url: `https://${HOST}/`, as: "json" }, AbortSignal.timeout(2000));
      expect(answer.body).toBe("second");
    });
  });
});

describe("http: redirects", () => {
  test("are followed when allowed, and only the same host gets the keys", async () => {
    gateway.on(HOST, "/start", { status: 301, headers: { location: "/next" } });
    gateway.on(HOST, "/next", { status: 307, headers: { location: "https://other.example/end?a=b:c" } });
    gateway.on("other.example", "/end", { json: "there" });
    const at = gateway.calls.length;
    const answer = await get("/start", {
      redirects: 2,
      headers: { authorization: "key", "x-token": "key", accept: "application/json" },
    });
    expect(answer).toMatchObject({ body: "there", url: "https://other.example/end?a=b:c" });
    const calls = gateway.calls.slice(at);
    expect(calls.map((call) => call.headers.get("authorization"))).toEqual(["key", "key", null]);
    expect(calls.map((call) => call.headers.get("x-token"))).toEqual(["key", "key", null]);
    expect(calls.at(-1)?.headers.get("accept")).toBe("application/json");
  });

  test.each(REFUSED.redirects as [string, string, string][])(
    "to %s are refused",
    async (location, kind, detail) => {
      const before = gateway.calls.length;
      const error = await failure(ask({ status: 302, headers: { location } }, { redirects: 5 }));
      expect([error.kind, error.detail]).toEqual([kind as "refused", detail]);
      expect(gateway.calls.length).toBe(before + 1);
    },
  );

  test("in a loop end after the allowed number", async () => {
    gateway.on(HOST, "/loop", { status: 302, headers: { location: "/loop" } });
    const before = gateway.calls.length;
    const error = await failure(get("/loop", { redirects: 3 }));
    expect([error.kind, error.detail]).toEqual(["status", "too many redirects"]);
    expect(gateway.calls.length).toBe(before + 4);
  });

  test("of a POST are never followed", async () => {
    const reply = { status: 307, headers: { location: "/x" } };
    const error = await failure(ask(reply, { method: "POST", body: "{}", redirects: 3 }));
    expect([error.kind, error.detail]).toEqual(["status", "HTTP 307"]);
  });
});

test("http: no error contains a URL, a key or a body", async () => {
  const failures = await Promise.all([
    failure(ask({ status: 500, text: "hidden" }, { headers: { "x-key": "hidden" } })),
    failure(ask({ fault: "reset" }, { headers: { "x-key": "hidden" } })),
    failure(ask({ text: "hidden" })),
    failure(ask({ json: 1 }, { headers: { "x-key": "hidden\r\nx-more: hidden" } })),
    failure(ask({ text: "hidden", headers: { "content-type": "hidden/../hidden" } })),
    failure(ask({ json: "hidden", headers: { "content-encoding": "hidden" } })),
  ]);
  for (const error of failures) {
    const shown = Bun.inspect([error.message, error.detail, error.cause]);
    expect(shown).not.toContain("hidden");
    expect(shown).not.toContain("127.0.0.1");
    expect(shown).not.toContain(HOST);
  }
});

// Not exported by the module: only the HTTP client reads the header.
import { parseRetryAfter } from "../../src/upstream/http_client.ts";
import VALUES from "../fixtures/retry_after.json";

const HOUR_MS = 3_600_000;

describe("parseRetryAfter", () => {
  test.each(VALUES.read as [string, number][])("reads %p", (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });

  test.each([...VALUES.none, "1".repeat(10_000)])("returns undefined for %p", (text) => {
    expect(parseRetryAfter(text, NOW)).toBeUndefined();
  });

  test("gives 0 to one hour or undefined for every text", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[\d ]{0,20}$/), fc.date().map(String)),
        (text) => {
          const ms = parseRetryAfter(text, NOW);
          expect(ms === undefined || (ms >= 0 && ms <= HOUR_MS)).toBe(true);
        },
      ),
    );
  });
});
