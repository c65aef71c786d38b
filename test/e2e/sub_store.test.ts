import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { createTemporaryFolder, findProgram, readToEnd, setUp } from "#kit";
import { PROJECT, readDocument } from "../docs/list_documents.ts";
import { startFront, startHttpProxy } from "./exits.ts";

/**
 * Runs integrations/sub-store/limpid.js on Node.js with the names that Sub-Store gives to scripts (sub_store_host.mjs),
 * through real HTTP proxies with four exits, against a real limpid. Sub-Store, http-meta and its core mihomo are in no
 * package registry, so a small server answers `/start` and `/stop` in place of http-meta.
 */
const HOME = { exit: "127.0.0.2", address: "79.192.10.98" } as const;
const VPN = { exit: "127.0.0.3", address: "8.8.4.66" } as const;
const OTHER = { exit: "127.0.0.4", address: "8.8.4.77" } as const;
const IPV6 = { exit: "127.0.0.5", address: "2600:1f00::77" } as const;
const EXITS = [HOME, VPN, OTHER];

const SCRIPT = join(PROJECT, "integrations/sub-store/limpid.js");
const HOST = join(PROJECT, "test/e2e/sub_store_host.mjs");
const node = findProgram("node");
const isMissing =
  node === undefined || findProgram("nginx") === undefined || findProgram("tinyproxy") === undefined;

/** A node of a subscription: its exit stands in `server`. */
interface Node {
  readonly name: string;
  readonly type: string;
  readonly server: string;
}
interface Ran {
  readonly proxies: readonly (Node & { readonly _limpid?: Readonly<Record<string, unknown>> })[];
  readonly log: readonly string[];
  readonly cache: Readonly<Record<string, unknown>>;
}

const folder = createTemporaryFolder("limpid-sub-store-");
const setup = setUp("all");
const children: Subprocess[] = [];
const proxies = new Map<string, string>();
let meta: ReturnType<typeof startMeta>;

beforeAll(async () => {
  if (isMissing) return;
  setup.upstreams.gateway.on("api.ip2location.io", /8\.8\.4\.66/, () => ({
    json: { ip: VPN.address, country_code: "US", asn: "64500", as: "Example Net", is_proxy: true },
  }));
  for (const { exit } of [...EXITS, IPV6]) {
    const started = await startHttpProxy(folder, exit);
    children.push(started.process);
    proxies.set(exit, started.url);
  }
  meta = startMeta();
});

afterAll(async () => {
  await meta?.server.stop(true);
  for (const child of children) {
    child.kill();
    await child.exited;
  }
});

/** Answers as http-meta: a port for each node, here that of the proxy with the exit of the node. */
function startMeta() {
  const running = new Set<number>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = (await request.json()) as { readonly proxies: readonly Node[]; readonly pid: number[] };
      if (pathname === "/stop") {
        for (const pid of body.pid) running.delete(pid);
        return Response.json({ pid: null });
      }
      const pid = 1000 + running.size;
      running.add(pid);
      const ports = body.proxies.map(
        ({ server: exit }) => new URL(proxies.get(exit) ?? "http://127.0.0.1:9").port,
      );
      return Response.json({ ports: ports.map((port) => Number(port) || 9), pid });
    },
  });
  return { server, running };
}

/** A limpid behind nginx with its own data, and so with its own allowances. */
async function startLimpid(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const service = await setup.start({
    LIMPID_EXEMPT_CLIENTS: "",
    LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
    ...env,
  });
  const started = await startFront(mkdtempSync(join(folder, "front-")), service.url, [...EXITS, IPV6]);
  children.push(started.process);
  return started.url;
}

async function run(
  url: string,
  nodes: readonly Node[],
  settings: Readonly<Record<string, string>> = {},
  cache: Readonly<Record<string, unknown>> = {},
): Promise<Ran> {
  const ours = { url, http_meta_port: String(meta.server.port), http_meta_start_delay: "0" };
  const job = { script: SCRIPT, settings: { ...ours, ...settings }, proxies: nodes, cache };
  const { out, err } = await readToEnd(
    Bun.spawn([node ?? "", HOST], {
      stdin: new TextEncoder().encode(JSON.stringify(job)),
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  expect(err).toBe("");
  expect(meta.running.size, "http-meta still runs").toBe(0);
  return JSON.parse(out) as Ran;
}

const nodeAt = ({ exit }: { readonly exit: string }, name: string): Node => ({
  name,
  type: "ss",
  server: exit,
});
const namesOf = ({ proxies: all }: Ran) => all.map(({ name }) => name);

/** Purity in the report, asked through the exit. */
async function purityOf(url: string, { exit }: { readonly exit: string }): Promise<number> {
  const reply = await fetch(`${url}/ip/me.json?fields=risk`, { proxy: proxies.get(exit) ?? "" });
  return ((await reply.json()) as { readonly risk: { readonly purity: number } }).risk.purity;
}

/** How many lookups of this minute an exit has left. This question costs one. */
async function lookupsLeft(url: string, { exit }: { readonly exit: string }): Promise<number> {
  const reply = await fetch(`${url}/ip/me.json?fields=risk`, { proxy: proxies.get(exit) ?? "" });
  return Number(/"lookup";r=(\d+)/.exec(reply.headers.get("ratelimit") ?? "")?.[1]);
}

describe.skipIf(isMissing)("the Sub-Store script", () => {
  test("names each node by the type and the score of its exit", async () => {
    const url = await startLimpid();
    const nodes = [
      nodeAt(HOME, "DE 01"),
      nodeAt(VPN, "US 01"),
      { ...nodeAt(OTHER, "old"), type: "unsupported" },
    ];
    const ran = await run(url, nodes);
    const [home, vpn] = [await purityOf(url, HOME), await purityOf(url, VPN)];
    expect(vpn).toBeLessThan(home);
    expect(ran.log).toEqual([]);
    expect(namesOf(ran)).toEqual([`DE 01 · 企业 ${home}`, `US 01 · 机房 ${vpn}`, "old"]);
    expect(ran.proxies[1]?._limpid).toEqual({
      name: "US 01",
      ip: VPN.address,
      type: "hosting",
      native: "native",
      country: "US",
      flags: ["isProxy"],
      score: vpn,
    });

    // A second step of the script starts from the first name; a format has words of limpid only.
    const format = "{country} {name} {native} {type} {flags} {score} {other} {constructor}";
    const again = await run(url, ran.proxies, { lang: "en", format });
    expect(namesOf(again).slice(1)).toEqual([
      `US US 01 native hosting proxy ${vpn} {other} {constructor}`,
      "old",
    ]);
  });

  test("shows the score of a use", async () => {
    const url = await startLimpid();
    const ran = await run(url, [nodeAt(OTHER, "US 01")], { scenario: "ai" });
    const reply = await fetch(`${url}/ip/me.json`, { proxy: proxies.get(OTHER.exit) ?? "" });
    const { scenarios } = (await reply.json()) as {
      readonly scenarios: readonly { readonly id: string; readonly score: number | null }[];
    };
    const score = scenarios.find(({ id }) => id === "ai")?.score;
    expect(score).toBeNumber();
    expect(namesOf(ran)).toEqual([`US 01 · 机房 ${score}`]);
  });

  test("spends one lookup of each exit, and none while its answer is kept", async () => {
    const url = await startLimpid();
    const nodes = Array.from({ length: 40 }, (_, at) => nodeAt(at % 2 === 0 ? OTHER : VPN, `node ${at}`));
    const first = await run(url, nodes, { concurrency: "20" });
    expect(first.log).toEqual([]);
    expect(namesOf(first).every((name) => /^node \d+ · 机房 \d+$/.test(name))).toBe(true);
    expect(await lookupsLeft(url, OTHER)).toBe(28);

    const second = await run(url, nodes, {}, first.cache);
    expect(namesOf(second)).toEqual([...namesOf(first)]);
    expect(await lookupsLeft(url, OTHER)).toBe(27);

    const third = await run(url, nodes.slice(0, 1), { cache: "0" }, first.cache);
    expect(namesOf(third)).toEqual(namesOf(first).slice(0, 1));
    expect(await lookupsLeft(url, OTHER)).toBe(25);
  });

  test("asks by itself with direct=true, so the exits spend nothing", async () => {
    const url = await startLimpid();
    const nodes = [OTHER, VPN, IPV6].map((exit, at) => nodeAt(exit, `node ${at}`));
    const ran = await run(url, nodes, { direct: "true" });
    expect(ran.log).toEqual([]);
    expect(namesOf(ran)).toEqual(
      [0, 1, 2].map((at) => expect.stringMatching(new RegExp(`^node ${at} · \\S+ \\d+$`))),
    );
    expect(ran.proxies[2]?._limpid?.ip).toBe(IPV6.address);
    expect(await lookupsLeft(url, OTHER)).toBe(29);
  });

  test("leaves all names without http-meta", async () => {
    const ran = await run("http://127.0.0.1:9", [nodeAt(OTHER, "US 01")], { http_meta_port: "9" });
    expect(namesOf(ran)).toEqual(["US 01"]);
    expect(ran.log).toEqual([expect.stringContaining("ECONNREFUSED")]);
  });

  test("leaves the names of nodes that do not answer", async () => {
    const url = await startLimpid();
    const dead = nodeAt({ exit: "127.0.0.99" }, "dead");
    const ran = await run(url, [dead, nodeAt(OTHER, "US 01")], { timeout: "2000" });
    expect(namesOf(ran)).toEqual(["dead", expect.stringMatching(/^US 01 · /)]);
    expect(ran.log).toEqual([expect.stringContaining("limpid: dead: ")]);
  });

  test("leaves the names where limpid refuses, and stops asking where all exits are concerned", async () => {
    const strict = await startLimpid({ LIMPID_OPEN_PER_DAY: "0" });
    const nodes = EXITS.map((exit, at) => nodeAt(exit, `node ${at}`));
    const refused = await run(strict, nodes);
    expect(namesOf(refused)).toEqual(["node 0", "node 1", "node 2"]);
    expect(refused.log).toHaveLength(3);
    for (const line of refused.log) expect(line).toContain("answer 403 verification_required");

    const narrow = await startLimpid({ LIMPID_OPEN_PER_MINUTE: "1" });
    const stopped = await run(narrow, nodes, { concurrency: "1" });
    expect(namesOf(stopped)).toEqual([expect.stringMatching(/^node 0 · /), "node 1", "node 2"]);
    expect(stopped.log).toEqual([
      "limpid: node 1: answer 429 open_rate_limited",
      "limpid: node 2: not asked, because limpid refuses: open_rate_limited",
    ]);

    // The next run names the rest, because the first exit is known.
    expect(Object.keys(stopped.cache)).toEqual([expect.stringContaining(HOME.address)]);
  });

  test("shows no score where the evidence is not enough, and keeps no such answer", async () => {
    const url = await startLimpid({ LIMPID_LIVE: "0" });
    const ran = await run(url, [nodeAt(OTHER, "US 01")]);
    expect(namesOf(ran)).toEqual(["US 01 · 机房 ?"]);
    expect(ran.cache).toEqual({});
  });

  test("takes no word of an answer that is not a report", async () => {
    const report = {
      ip: "8.8.4.77",
      usageType: "hosting",
      nativeType: "native",
      flags: { isBogon: false },
      geo: { country: "\nUS" },
      risk: { purity: 99, level: "pristine", confidence: "high" },
    };
    const answers: readonly [string, string][] = [
      ["an HTML page", "<html>"],
      ["a long answer", JSON.stringify({ ...report, more: "x".repeat(70_000) })],
      ["a list", "[]"],
      ["a type of no list", JSON.stringify({ ...report, usageType: "constructor" })],
      ["a text as score", JSON.stringify({ ...report, risk: { ...report.risk, purity: "99" } })],
      ["a score above 100", JSON.stringify({ ...report, risk: { ...report.risk, purity: 101 } })],
      ["no flags", JSON.stringify({ ...report, flags: null })],
    ];
    let answer = "";
    const hostile = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) =>
        new Response(url.includes("/api/myip") ? '{"ip":"8.8.4.77"}' : answer, { status: 200 }),
    });
    try {
      const at = `http://127.0.0.1:${hostile.port}`;
      for (const [what, text] of answers) {
        answer = text;
        const ran = await run(at, [nodeAt(OTHER, "US 01")]);
        expect(namesOf(ran), what).toEqual(["US 01"]);
        expect(ran.log, what).toHaveLength(1);
      }
      const format = "{country}|{score}";
      answer = JSON.stringify({ ...report, risk: { purity: 99, level: "pristine" } });
      expect(namesOf(await run(at, [nodeAt(OTHER, "US 01")], { format }))).toEqual(["|?"]);
      answer = JSON.stringify({ ...report, ip: "8.8.4.66" });
      const other = await run(at, [nodeAt(OTHER, "US 01")], { format });
      expect(namesOf(other)).toEqual(["|99"]);
      expect(other.cache).toEqual({});
      answer = JSON.stringify(report);
      const same = await run(at, [nodeAt(OTHER, "US 01")], { format });
      expect(Object.keys(same.cache)).toEqual([`limpid:${at}::8.8.4.77`]);
    } finally {
      await hostile.stop(true);
    }
  });

  test.each([
    ["url", "ftp://127.0.0.1"],
    ["url", "127.0.0.1"],
    ["lang", "de"],
    ["scenario", "games"],
    ["concurrency", "0"],
    ["timeout", "soon"],
  ])("refuses the parameter %s=%s", async (name, value) => {
    const ran = await run("http://127.0.0.1:9", [nodeAt(OTHER, "US 01")], { [name]: value });
    expect(namesOf(ran)).toEqual(["US 01"]);
    expect(ran.log).toEqual([expect.stringMatching(/^Cannot apply operator: .*(limpid|URL)/)]);
  });
});

describe.skipIf(isMissing)("the documented settings", () => {
  const { blocks } = readDocument("docs/api/node_names.md");

  test("of subs-check keep a clean exit and drop the other", async () => {
    const yaml = blocks.find(({ language, code }) => language === "yaml" && code.includes("alive-test-url"));
    const settings = Bun.YAML.parse(yaml?.code ?? "") as { readonly "alive-test-url": string };
    const { pathname, search } = new URL(settings["alive-test-url"]);
    const url = await startLimpid();
    // subs-check sends GET and takes any 2xx for alive: check/platform/alive.go.
    const isAlive = async ({ exit }: { readonly exit: string }) =>
      (await fetch(url + pathname + search, { proxy: proxies.get(exit) ?? "" })).ok;
    expect(await isAlive(HOME)).toBe(true);
    expect(await isAlive(VPN)).toBe(false);
  });

  test("of other scripts name fields that the answer has", async () => {
    const url = await startLimpid();
    const text = blocks.find(({ code }) => code.includes("{{api."))?.code ?? "";
    const [api = ""] = /https:\/\/ip\.example\.org[^\s"]*/.exec(decodeURIComponent(text)) ?? [];
    const { pathname, search } = new URL(api);
    const reply = await fetch(url + pathname + search, { proxy: proxies.get(OTHER.exit) ?? "" });
    const body = (await reply.json()) as Record<string, unknown>;
    const names = [...text.matchAll(/\{\{api\.([\w.]+)\}\}/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const value = name
        .split(".")
        .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], body);
      expect(value, name).toBeDefined();
    }
  });
});
