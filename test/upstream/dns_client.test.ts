import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { decode, encode } from "dns-packet";
import { openFor, openUpstreamClient, startDnsServer } from "#kit";
import { type UpstreamClient, UpstreamError } from "#upstream";

const server = openFor("all", startDnsServer);
const client = openFor("all", () => openClient(300));
const session = openFor("all", () => client.openSession(new AbortController().signal));

function openClient(poolSize: number): UpstreamClient {
  return openUpstreamClient({ dnsServers: [server.address], poolSize });
}

function soon(ms = 3000): AbortSignal {
  return AbortSignal.timeout(ms);
}

async function failure(answer: Promise<unknown>): Promise<UpstreamError> {
  const error = await answer.then(
    (value) => new Error(`there was an answer: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamError)) throw error;
  return error;
}

describe("dns: answers", () => {
  test("A, AAAA, PTR with all their records", async () => {
    server.on("a.example", "A", ["192.0.2.1", "192.0.2.2"]);
    server.on("a.example", "AAAA", ["2001:db8::1"]);
    server.on("7.2.0.192.in-addr.arpa", "PTR", ["one.example", "two.example"]);
    expect(await session.a("a.example", soon())).toEqual({
      found: true,
      records: ["192.0.2.1", "192.0.2.2"],
    });
    expect(await session.aaaa("a.example", soon())).toEqual({ found: true, records: ["2001:db8::1"] });
    expect(await session.ptr("7.2.0.192.in-addr.arpa", soon())).toEqual({
      found: true,
      records: ["one.example", "two.example"],
    });
  });

  test("TXT: several records, UTF-8, and a long one joined", async () => {
    const long = "y".repeat(600);
    server.on("t.example", "TXT", ["64500 | 192.0.2.0/24", long, "é", ""]);
    expect(await session.txt("t.example", soon())).toEqual({
      found: true,
      records: ["64500 | 192.0.2.0/24", long, "é", ""],
    });
  });

  test("an alias is followed, and a truncated answer is requested again by TCP", async () => {
    server.on("alias.example", "A", { records: ["192.0.2.9"], cname: "real.example" });
    server.on("big.example", "TXT", { records: ["z".repeat(2000)], tcpOnly: true });
    expect(await session.a("alias.example", soon())).toEqual({ found: true, records: ["192.0.2.9"] });
    expect(await session.txt("big.example", soon())).toEqual({ found: true, records: ["z".repeat(2000)] });
  });

  test("NXDOMAIN and NODATA are not found", async () => {
    server.on("nodata.example", "A", "NODATA");
    server.on("nxdomain.example", "A", "NXDOMAIN");
    expect(await session.a("nodata.example", soon())).toEqual({ found: false });
    expect(await session.a("nxdomain.example", soon())).toEqual({ found: false });
    expect(await session.a("nobody.example", soon())).toEqual({ found: false });
  });
});

describe("dns: failures", () => {
  test.each(["loop.example", "end.example"])(
    "an alias to %s without an address is unavailable",
    async (end) => {
      server.on("loop.example", "A", {
        raw: (query) => {
          const packet = decode(Buffer.from(query));
          const answers = [
            { type: "CNAME", name: "loop.example", ttl: 60, data: end },
            { type: "CNAME", name: end, ttl: 60, data: "loop.example" },
          ] as const;
          const { id = 0, questions = [] } = packet;
          return [encode({ type: "response", id, flags: 0x8180, questions, answers: [...answers] })];
        },
      });
      const error = await failure(session.a("loop.example", soon()));
      expect([error.kind, error.detail]).toEqual(["unavailable", "alias without an address"]);
    },
  );

  test.each([
    ["SERVFAIL", "status", "SERVFAIL"],
    ["REFUSED", "refused", "REFUSED"],
    ["FORMERR", "status", "FORMERR"],
    ["NOTIMP", "status", "NOTIMP"],
    ["TRUNCATED", "refused", "connection refused"],
  ] as const)("the rcode %s is %s", async (word, kind, detail) => {
    server.on(`${word.toLowerCase()}.example`, "TXT", word);
    const error = await failure(session.txt(`${word.toLowerCase()}.example`, soon()));
    expect([error.kind, error.detail]).toEqual([kind, detail]);
    expect(
      server.calls.filter((call) => call.name === `${word.toLowerCase()}.example` && call.over === "udp")
        .length,
    ).toBe(1);
  });

  test.each(["SILENCE", "GARBAGE"] as const)("a server that sends %s ends at the deadline", async (word) => {
    server.on(`${word.toLowerCase()}.example`, "A", word);
    const started = performance.now();
    const error = await failure(session.a(`${word.toLowerCase()}.example`, soon(120)));
    expect([error.kind, error.detail]).toEqual(["timeout", "no answer in time"]);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test("too many records or too long records are `too_large`", async () => {
    const many = Array.from({ length: 65 }, (_, index) => `192.0.2.${index}`);
    server.on("many.example", "A", many);
    server.on("enough.example", "A", many.slice(1));
    server.on("long.example", "TXT", { records: ["x".repeat(4097)], tcpOnly: true });
    expect((await failure(session.a("many.example", soon()))).kind).toBe("too_large");
    expect(await session.a("enough.example", soon())).toMatchObject({ found: true });
    expect((await failure(session.txt("long.example", soon()))).kind).toBe("too_large");
  });

  test.each([
    "",
    ".",
    "a..b",
    "a b.example",
    "<script>.example",
    `${"x".repeat(64)}.example`,
    "a.".repeat(130),
  ])("the name %j is refused without a query", async (name) => {
    const before = server.calls.length;
    expect((await failure(session.a(name, soon()))).kind).toBe("refused");
    expect(server.calls.length).toBe(before);
  });

  test("a query that ended closes its socket at once, before the session closes", async () => {
    server.on(/^quiet\d/, "A", "SILENCE");
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const signal = soon(200);
    const problems = Array.from({ length: 10 }, (_, index) => failure(session.a(`quiet${index}`, signal)));
    await Bun.sleep(20);
    const during = descriptors();
    await Promise.all(problems);
    await Bun.sleep(20);
    expect(descriptors()).toBeLessThanOrEqual(during - 10);
  });
});

describe("the kit's server", () => {
  test("sends nothing after it is closed", async () => {
    const server = await startDnsServer();
    const client = openUpstreamClient({ dnsServers: [server.address], poolSize: 2 });
    const replied = Promise.withResolvers<void>();
    server.on("late.example.com", "A", async () => {
      await Bun.sleep(60);
      replied.resolve();
      return ["192.0.2.1"];
    });
    const session = client.openSession(AbortSignal.timeout(30));
    const asked = session.a("late.example.com", AbortSignal.timeout(30)).catch(() => "lost");
    expect(await asked).toBe("lost");
    client.close();
    await server.close();
    await replied.promise;
    // Sending now would throw an unhandled error, and fail this test.
    await Bun.sleep(5);
  });
});

describe("dns: lost packets", () => {
  test.each([
    [1, 800],
    [2, 1300],
    [3, 2000],
  ])("after %d lost queries in a row the answer arrives within %d ms", async (lost, mostMs) => {
    const name = `lost${lost}.example`;
    server.on(name, "A", (_, turn) => (turn < lost ? "SILENCE" : ["192.0.2.1"]));
    const startedAt = performance.now();
    expect(await session.a(name, soon())).toEqual({ found: true, records: ["192.0.2.1"] });
    expect(performance.now() - startedAt).toBeLessThan(mostMs);
  });

  test("an answer within 400 ms is requested once", async () => {
    server.on("quick.example", "A", { records: ["192.0.2.1"], delayMs: 150 });
    await session.a("quick.example", soon());
    expect(server.count("quick.example")).toBe(1);
  });

  test("a query without any answer fails after 2.5 seconds", async () => {
    server.on("never.example", "A", "SILENCE");
    const startedAt = performance.now();
    expect((await failure(session.a("never.example", soon(4000)))).kind).toBe("timeout");
    expect(performance.now() - startedAt).toBeWithin(2300, 10_000);
  });
});

describe("dns: sessions", () => {
  test("300 concurrent queries are all answered", async () => {
    server.on(/\.crowd\.example$/, "A", (call) => [`192.0.2.${Number(call.name.split(".")[0]) % 250}`]);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => session.a(`${index}.crowd.example`, soon())),
    );
    expect(answers.map((answer) => answer.found && answer.records[0])).toEqual(
      Array.from({ length: 300 }, (_, index) => `192.0.2.${index % 250}`),
    );
    // A busy machine may send a query again, so the names are counted.
    const asked = server.calls.map(({ name }) => name).filter((name) => name.endsWith(".crowd.example"));
    expect(new Set(asked).size).toBe(300);
  });

  test("a repeated query is sent again, in one session and in the next", async () => {
    server.on("twice.example", "A", { records: ["192.0.2.1"], ttl: 3600 });
    for (let turn = 0; turn < 2; turn += 1) {
      const fresh = client.openSession(soon());
      for (const name of ["twice.example", "TWICE.example", "twice.example"]) await fresh.a(name, soon());
      fresh.close();
    }
    expect(server.count("twice.example")).toBe(6);
  });

  test("an aborted query does not affect other or later ones", async () => {
    server.on("given-up.example", "A", "SILENCE");
    server.on(/^next\d\.example$/, "A", { records: ["192.0.2.9"], delayMs: 30 });
    const fresh = client.openSession(soon());
    const givenUp = failure(fresh.a("given-up.example", soon(10)));
    const next = [1, 2, 3].map((n) => fresh.a(`next${n}.example`, soon()));
    expect((await givenUp).kind).toBe("timeout");
    for (const answer of next) expect(await answer).toEqual({ found: true, records: ["192.0.2.9"] });
    expect(await fresh.a("next4.example", soon())).toEqual({ found: true, records: ["192.0.2.9"] });
    fresh.close();
    const another = client.openSession(soon());
    expect(await another.a("next5.example", soon())).toEqual({ found: true, records: ["192.0.2.9"] });
    another.close();
  });
});
