import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import {
  findFreePort,
  findProgram,
  type RunningService,
  readToEnd,
  startService,
  startUpstreams,
  type TestUpstreams,
} from "#kit";
import { startFront, waitFor } from "./exits.ts";

/** A proxy client with two nodes: two real SOCKS5 proxies, each with an exit of its own on loopback. */
const EXITS = [
  { exit: "127.0.0.2", address: "8.8.4.77" },
  { exit: "127.0.0.3", address: "8.8.4.66" },
] as const;

const socks = findProgram("microsocks");
const nginx = findProgram("nginx");
const curl = findProgram("curl");
const isMissing = socks === undefined || nginx === undefined || curl === undefined;

let folder: string;
let upstreams: TestUpstreams;
let service: RunningService;
let front: string;
const proxies: string[] = [];
const children: Subprocess[] = [];

beforeAll(async () => {
  if (isMissing) return;
  folder = mkdtempSync(join(tmpdir(), "limpid-exits-"));
  upstreams = await startUpstreams();
  upstreams.gateway.on("api.ip2location.io", /8\.8\.4\.66/, () => ({
    json: { ip: "8.8.4.66", country_code: "US", asn: "64500", as: "Example Net", is_proxy: true },
  }));
  service = await startService({
    env: { ...upstreams.env, LIMPID_EXEMPT_CLIENTS: "", LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const started = await startFront(folder, service.url, EXITS);
  children.push(started.process);
  front = started.url;
  for (const { exit } of EXITS) proxies.push(await startSocks(exit));
});

afterAll(async () => {
  for (const child of children) {
    child.kill();
    await child.exited;
  }
  await service?.close();
  await upstreams?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

async function startSocks(exit: string): Promise<string> {
  const port = await findFreePort();
  children.push(
    Bun.spawn([socks ?? "", "-i", "127.0.0.1", "-p", String(port), "-b", exit], {
      stdout: "ignore",
      stderr: "ignore",
    }),
  );
  const proxy = `socks5h://127.0.0.1:${port}`;
  const isOpen = async () => (await ask(proxy, `${service.url}/healthz`)).code === 0;
  await waitFor(isOpen, `the proxy with the exit ${exit}`);
  return proxy;
}

/** Fetches a URL through a proxy; the output is the status and the body. */
async function ask(proxy: string, url: string, ...flags: string[]) {
  const { out, code } = await readToEnd(
    Bun.spawn([curl ?? "", "-s", "-x", proxy, "--noproxy", "", "-w", "%{http_code}", ...flags, url], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  return { code, status: Number(out.slice(-3)), body: out.slice(0, -3) };
}

describe.skipIf(isMissing)("one URL through two exits", () => {
  const through = (at: number, path: string, ...flags: string[]) =>
    ask(proxies[at] ?? "", `${front}${path}`, ...flags);

  test("/gate/me judges each exit by itself, in turn and again", async () => {
    const purities: number[] = [];
    for (const { address } of EXITS) {
      const report = (await (await fetch(`${service.url}/api/lookup?ip=${address}`)).json()) as {
        risk: { purity: number };
      };
      purities.push(report.risk.purity);
    }
    const [clean = 0, proxied = 0] = purities;
    expect(proxied).toBeLessThan(clean);
    for (let round = 0; round < 3; round += 1) {
      expect(await through(0, `/gate/me?min=${clean}`)).toMatchObject({
        status: 200,
        body: `PASS ${clean}\n`,
      });
      expect(await through(1, `/gate/me?min=${clean}`)).toMatchObject({
        status: 409,
        body: `FAIL ${proxied}\n`,
      });
    }
  });

  test("/gate/me judges a use, also with HEAD, which proxy clients send", async () => {
    const ai = await through(0, "/gate/me?scenario=ai&min=70");
    const head = await through(0, "/gate/me?scenario=ai&min=70", "-I", "-o", "/dev/null");
    expect([ai.status, head.status]).toEqual([200, 200]);
    expect((await through(1, "/gate/me?min=100", "-I", "-o", "/dev/null")).status).toBe(409);
  });

  test.each([
    "/ip/me.json",
    "/en/ip/me.txt",
    "/ip/me.md",
    "/cli?color=0",
    "/cli/me?format=line",
    "/badge/me.svg",
  ])("%s is about each exit", async (path) => {
    for (let round = 0; round < 2; round += 1) {
      for (const [at, { address }] of EXITS.entries()) {
        const { status, body } = await through(at, path);
        expect(status).toBe(200);
        expect(body).toContain(address);
        expect(body).not.toContain(EXITS[1 - at]?.address ?? "");
      }
    }
  });

  test("an exit without a public address learns this in a word", async () => {
    const direct = (at: number, path: string) => ask(proxies[at] ?? "", service.url + path);
    for (const [at, { exit }] of EXITS.entries()) {
      expect(await direct(at, "/api/myip?format=text")).toMatchObject({ body: `${exit}\n` });
      expect(await direct(at, "/gate/me?min=0")).toMatchObject({ status: 503, body: "UNKNOWN loopback\n" });
      expect((await direct(at, "/en/ip/me.txt")).body).toContain("loopback");
    }
  });
});
