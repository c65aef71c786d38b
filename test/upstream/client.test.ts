import { beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import {
  type Clock,
  countListeners,
  createClock,
  openFor,
  openUpstreamClient,
  startDnsServer,
  startGateway,
} from "#kit";
import { type UpstreamClient, UpstreamError } from "#upstream";

const HOST = "api.example";
const BOOTSTRAP = { url: `https://${HOST}/boot`, as: "json", cacheMs: 60_000 } as const;
const gateway = openFor("each", startGateway);
const dns = openFor("each", startDnsServer);
let clock: Clock;

beforeEach(() => {
  clock = createClock();
});

function openClient(poolSize: number): UpstreamClient {
  return openUpstreamClient({
    hosts: [HOST],
    gateway: gateway.url,
    dnsServers: [dns.address],
    poolSize,
    now: clock.now,
  });
}

async function settles(condition: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 200 && !condition(); turn += 1) await Bun.sleep(5);
  return condition();
}

function problemOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => "answered",
    (error: unknown) => (error instanceof UpstreamError ? `${error.kind}: ${error.detail}` : String(error)),
  );
}

describe("pool", () => {
  test("bounds HTTP and DNS together, first come first served", async () => {
    const underWay = new Set<string>();
    let most = 0;
    const order: string[] = [];
    const slowly = async (name: string) => {
      // On a busy machine a DNS question is sent again before its answer arrives.
      if (order.includes(name)) return;
      order.push(name);
      underWay.add(name);
      most = Math.max(most, underWay.size);
      await Bun.sleep(10);
      underWay.delete(name);
    };
    gateway.on(HOST, /^\/n\//, async (call) => {
      await slowly(call.path.slice(3));
      return { json: 1 };
    });
    dns.on(/^n\d+$/, "A", async (call) => {
      await slowly(call.name.slice(1));
      return ["192.0.2.1"];
    });
    const client = openClient(3);
    const session = client.openSession(new AbortController().signal);
    const signal = AbortSignal.timeout(5000);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0
          ? session.http({ url: `https://${HOST}/n/${index}`, as: "json" }, signal)
          : session.a(`n${index}`, signal),
      ),
    );
    expect(most).toBe(3);
    expect(order.length).toBe(30);
    for (const [at, name] of order.entries()) expect(Math.abs(Number(name) - at)).toBeLessThan(3);
    client.close();
  });

  test("a waiting request ends with its signal and sends nothing", async () => {
    gateway.on(HOST, "/hang", { fault: "hang" });
    gateway.on(HOST, "/ok", { json: "ok" });
    const client = openClient(1);
    const session = client.openSession(new AbortController().signal);
    const holder = new AbortController();
    const held = problemOf(session.http({ url: `https://${HOST}/hang`, as: "json" }, holder.signal));
    const waited = await problemOf(
      session.http({ url: `https://${HOST}/ok`, as: "json" }, AbortSignal.timeout(50)),
    );
    expect(waited).toBe("timeout: no free slot in time");
    holder.abort();
    expect(await held).toBe("timeout: cancelled");
    const next = await session.http({ url: `https://${HOST}/ok`, as: "json" }, AbortSignal.timeout(2000));
    expect(next.body).toBe("ok");
    expect(gateway.calls.map((call) => call.path)).toEqual(["/hang", "/ok"]);
    client.close();
  });
});

describe("session", () => {
  test("its deadline ends all its requests", async () => {
    gateway.on(HOST, "/hang", { fault: "hang" });
    dns.on("silent", "A", "SILENCE");
    const session = openClient(1).openSession(AbortSignal.timeout(60));
    const never = new AbortController().signal;
    const asked = { url: `https://${HOST}/hang`, as: "json" } as const;
    const problems = [session.http(asked, never), session.a("silent", never)].map(problemOf);
    expect(await Promise.all(problems)).toEqual([
      "timeout: no answer in time",
      "timeout: no free slot in time",
    ]);
    expect(await problemOf(session.a("late", never))).toBe("timeout: no free slot in time");
    session.close();
  });

  test("close releases sockets of hanging HTTP and silent DNS", async () => {
    gateway.on(HOST, /hang/, { fault: "hang" });
    gateway.on(HOST, /stall/, { fault: "stall", json: { long: "x".repeat(100) } });
    dns.on(/^silent/, "A", "SILENCE");
    const client = openClient(64);
    const session = client.openSession(new AbortController().signal);
    const never = new AbortController().signal;
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const before = descriptors();
    const problems = Array.from({ length: 10 }, (_, index) => [
      problemOf(session.http({ url: `https://${HOST}/hang/${index}`, as: "json" }, never)),
      problemOf(session.http({ url: `https://${HOST}/stall/${index}`, as: "json" }, never)),
      problemOf(session.a(`silent${index}`, never)),
    ]).flat();
    expect(await settles(() => gateway.connections === 20 && dns.calls.length === 10)).toBe(true);
    session.close();
    expect(new Set(await Promise.all(problems))).toEqual(new Set(["timeout: cancelled"]));
    expect(await settles(() => gateway.connections === 0)).toBe(true);
    expect(await settles(() => descriptors() <= before)).toBe(true);
    expect(await problemOf(session.a("after", never))).toBe("timeout: cancelled");
    client.close();
  });

  test("leaves no listener on its signals", async () => {
    gateway.on(HOST, "/", { json: 1 });
    dns.on("a", "A", ["192.0.2.1"]);
    const survey = countListeners();
    const asked = countListeners();
    const client = openClient(2);
    const session = client.openSession(survey.signal);
    await Promise.all([
      session.http({ url: `https://${HOST}/`, as: "json" }, asked.signal),
      session.http({ ...BOOTSTRAP, url: `https://${HOST}/` }, asked.signal),
      session.a("a", asked.signal),
      problemOf(session.http({ url: "https://evil.example/", as: "json" }, asked.signal)),
    ]);
    expect(asked.open()).toBe(0);
    session.close();
    expect(survey.open()).toBe(0);
    client.close();
  });

  test("a process ends by itself after close, even with requests without an answer", async () => {
    gateway.on(HOST, "/hang", { fault: "hang" });
    dns.on("silent", "A", "SILENCE");
    const program = `
      const { createUpstreamClient } = await import("#upstream");
      const client = createUpstreamClient({ hosts: ["${HOST}"], gateway: "${gateway.url}", dnsServers: ["${dns.address}"],
        userAgent: "t", poolSize: 8, now: Date.now });
      const session = client.openSession(new AbortController().signal);
      const never = new AbortController().signal;
      const asked = [session.http({ url: "https://${HOST}/hang", as: "json" }, never), session.a("silent", never)];
      setTimeout(() => { session.close(); client.close(); }, 150);
      const outcomes = await Promise.allSettled(asked);
      console.log(outcomes.map((outcome) => outcome.status).join());
    `;
    const started = performance.now();
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: `${import.meta.dir}/../..`,
      stderr: "inherit",
    });
    expect(await new Response(child.stdout).text()).toBe("rejected,rejected\n");
    expect(await child.exited).toBe(0);
    expect(performance.now() - started).toBeLessThan(2500);
  });
});

describe("shared answers", () => {
  test("one answer serves all sessions until it is too old", async () => {
    gateway.on(HOST, "/boot", (_, turn) => ({ json: turn, delayMs: 20 }));
    const client = openClient(4);
    const signal = AbortSignal.timeout(5000);
    const sessions = [client.openSession(signal), client.openSession(signal), client.openSession(signal)];
    const bodies = async () =>
      (await Promise.all(sessions.map((one) => one.http(BOOTSTRAP, signal)))).map((a) => a.body);
    expect(await bodies()).toEqual([0, 0, 0]);
    clock.advance(59_999);
    expect(await bodies()).toEqual([0, 0, 0]);
    clock.advance(1);
    expect(await bodies()).toEqual([1, 1, 1]);
    client.close();
  });

  test("the request outlives the session that started it", async () => {
    gateway.on(HOST, "/boot", { json: "here", delayMs: 100 });
    const client = openClient(4);
    const first = client.openSession(new AbortController().signal);
    const second = client.openSession(new AbortController().signal);
    const never = new AbortController().signal;
    const lost = problemOf(first.http(BOOTSTRAP, never));
    const kept = second.http(BOOTSTRAP, never);
    first.close();
    expect(await lost).toBe("timeout: cancelled");
    expect((await kept).body).toBe("here");
    expect(gateway.calls.length).toBe(1);
    client.close();
  });

  test("failures and other statuses are not cached, and other headers do not share an answer", async () => {
    gateway.on(HOST, "/boot", (_, turn) => (turn === 0 ? { status: 500 } : { json: turn }));
    gateway.on(HOST, "/none", { status: 404, json: {} });
    const session = openClient(4).openSession(new AbortController().signal);
    const ask = (extra: object) => session.http({ ...BOOTSTRAP, ...extra }, AbortSignal.timeout(2000));
    expect(await problemOf(ask({}))).toBe("status: HTTP 500");
    expect((await ask({})).body).toBe(1);
    expect((await ask({ headers: { "x-key": "a" } })).body).toBe(2);
    expect((await ask({ headers: { "x-key": "b" } })).body).toBe(3);
    expect((await ask({ headers: { "x-key": "a" } })).body).toBe(2);
    for (let turn = 0; turn < 2; turn += 1) await ask({ url: `https://${HOST}/none`, statuses: [404] });
    expect(gateway.calls.filter((call) => call.path === "/none").length).toBe(2);
    session.close();
  });
});

describe("onRequestEnd", () => {
  test("is called at the end of each request, unless this process ended it", async () => {
    const seen: string[] = [];
    const client = openUpstreamClient({
      hosts: [HOST],
      gateway: gateway.url,
      poolSize: 2,
      onRequestEnd: (transport, outcome) => seen.push(`${transport} ${outcome}`),
    });
    gateway.on(HOST, "/good", { json: {} });
    gateway.on(HOST, "/bad", { status: 503, text: "no" });
    gateway.on(HOST, "/full", { status: 429, text: "no" });
    gateway.on(HOST, "/slow", { json: {}, delayMs: 5000 });
    const session = client.openSession(new AbortController().signal);
    const ask = (path: string, signal = new AbortController().signal) =>
      problemOf(session.http({ url: `https://${HOST}${path}`, as: "json" }, signal));
    for (const path of ["/good", "/bad", "/full"]) await ask(path);
    await ask("/slow", AbortSignal.timeout(20));
    const leaving = new AbortController();
    const left = ask("/slow", leaving.signal);
    leaving.abort();
    await left;
    session.close();
    client.close();
    expect(seen).toEqual(["http answered", "http status", "http quota", "http timeout"]);
  });
});
