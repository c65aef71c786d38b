import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { createTemporaryFolder, readToEnd, startUpstreams, type TestUpstreams } from "#kit";
import type { Report } from "#report";
import manifest from "../../package.json";
import { listShippedAddresses } from "../feeds/snapshot/small_snapshot.ts";

const project = join(import.meta.dir, "../..");
const isRoot = process.getuid?.() === 0;
/** An unprivileged user, if this user may change its identity. */
const NOBODY = 65_534;

/** The start until the first answer, in times of `limpid --version`. */
const MOST_START = 6;

let folder: string;
let binary: string;
let empty: string;
let upstreams: TestUpstreams;
const running: Subprocess[] = [];

async function build(outfile: string): Promise<void> {
  const child = Bun.spawn([process.execPath, "src/build/binary.ts", "--outfile", outfile], {
    cwd: project,
    stdout: "ignore",
    stderr: "pipe",
  });
  const problem = await new Response(child.stderr).text();
  expect(await child.exited, problem).toBe(0);
}

function makeDataDirectory(): string {
  const directory = mkdtempSync(join(folder, "data-"));
  if (isRoot) chownSync(directory, NOBODY, NOBODY);
  return directory;
}

/** Starts the binary as an unprivileged user with an empty environment in a read-only folder. */
function spawn(args: readonly string[], env: Record<string, string> = {}, cwd = empty) {
  const child = Bun.spawn([binary, ...args], {
    cwd,
    // A write outside the data folder must fail.
    env: { PATH: "", TMPDIR: empty, BUN_TMPDIR: empty, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  running.push(child);
  return child;
}

async function run(args: readonly string[], env: Record<string, string> = {}, cwd = empty) {
  return readToEnd(spawn(args, env, cwd));
}

/** Resident memory in kB once it falls no more: on a busy machine the garbage of the start stays for a while. */
async function measureIdle(pid: number, before = Number.POSITIVE_INFINITY): Promise<number> {
  await Bun.sleep(500);
  const now = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return now < before ? measureIdle(pid, now) : now;
}

async function serve(env: Record<string, string>, cwd = empty) {
  const startedAt = performance.now();
  const child = spawn(["serve"], { LIMPID_PORT: "0", LIMPID_FEEDS: "0", ...env }, cwd);
  const decoder = new TextDecoder();
  let greeting = "";
  for await (const chunk of child.stdout) {
    greeting += decoder.decode(chunk, { stream: true });
    if (/answers at \S+\n/.test(greeting)) break;
  }
  const url = /answers at (\S+)/.exec(greeting)?.[1];
  if (url === undefined)
    throw new Error(`Cannot start the binary: ${await new Response(child.stderr).text()}`);
  const response = await fetch(`${url}/readyz`);
  const ready = (await response.json()) as { ready: boolean; checks: Record<string, { ok: boolean }> };
  const startMs = performance.now() - startedAt;
  return {
    url,
    child,
    ready,
    startMs,
    async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM") {
      child.kill(signal);
      return await child.exited;
    },
  };
}

beforeAll(async () => {
  folder = createTemporaryFolder("limpid-binary-");
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "bin"));
  binary = join(folder, "bin/limpid");
  await build(binary);
  empty = join(folder, "empty");
  mkdirSync(empty);
  chmodSync(empty, 0o555);
  upstreams = await startUpstreams();
}, 180_000);

afterAll(async () => {
  for (const child of running) if (child.exitCode === null) child.kill("SIGKILL");
  await upstreams?.close();
});

describe("the binary", () => {
  test("says its version and its help without a place to write", async () => {
    expect(await run(["--version"])).toEqual({ out: `${manifest.version}\n`, err: "", code: 0 });
    const help = await run(["--help"]);
    expect(help).toMatchObject({ err: "", code: 0 });
    for (const command of ["serve", "lookup", "feeds", "check", "health"]) {
      expect(help.out).toContain(`\n  ${command}`);
    }
    expect((await run(["nonsense"])).code).toBe(64);
  });

  test("serves lookups, pages and files from a new data folder, keeps reports, and ends with 0", async () => {
    const data = makeDataDirectory();
    const env = { ...upstreams.env, LIMPID_DATA_DIR: data };
    const first = await serve(env);
    expect(first.ready.ready).toBe(true);
    for (const id of ["asn", "registration", "country"]) {
      expect(first.ready.checks[`table_${id}`], id).toEqual({ ok: true });
    }
    const lookup = async (url: string) => {
      const response = await fetch(`${url}/api/lookup?ip=8.8.4.77&lang=en`);
      expect(response.status).toBe(200);
      return (await response.json()) as Report;
    };
    const fresh = await lookup(first.url);
    expect(fresh).toMatchObject({ ip: "8.8.4.77", source: "fresh" });
    expect(fresh.asn?.asn).toBe(64500);

    const page = await fetch(`${first.url}/en/ip/8.8.4.77`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("8.8.4.77");
    const style = await fetch(`${first.url}/static/report.css`);
    expect(await style.text()).toBe(readFileSync(join(project, "static/report.css"), "utf8"));
    const widget = await fetch(`${first.url}/static/altcha.js`);
    expect(widget.status).toBe(200);
    // Another thread draws it.
    const card = await fetch(`${first.url}/ip/8.8.4.77.png`);
    expect([card.status, card.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await fetch(`${first.url}/static/nothing.css`)).status).toBe(404);

    const port = new URL(first.url).port;
    expect(await run(["health"], { LIMPID_PORT: port })).toEqual({ out: "", err: "", code: 0 });
    expect(await first.stop()).toBe(0);
    expect((await run(["health"], { LIMPID_PORT: port })).code).toBe(1);

    const second = await serve(env);
    expect(await lookup(second.url)).toMatchObject({ source: "store", queriedAt: fresh.queriedAt });
    expect(await second.stop("SIGINT")).toBe(0);
    // A loaded temporary file is deleted at once.
    expect(readdirSync(data).filter((name) => name.startsWith(".native"))).toEqual([]);
    expect(readdirSync(empty)).toEqual([]);
  }, 60_000);

  test("starts in a moment and is content with little memory", async () => {
    const times: number[] = [];
    const versionTimes: number[] = [];
    let residentKb = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      const askedAt = performance.now();
      await run(["--version"]);
      versionTimes.push(performance.now() - askedAt);
      const server = await serve({ LIMPID_LIVE: "0", LIMPID_DATA_DIR: makeDataDirectory() });
      times.push(server.startMs);
      residentKb = Math.max(residentKb, await measureIdle(server.child.pid));
      expect(await server.stop()).toBe(0);
    }
    expect(residentKb).toBeLessThan(150_000);
    // In times of what saying the version takes; the fastest of five, because of other load on the machine.
    expect(Math.min(...times) / Math.min(...versionTimes)).toBeLessThan(MOST_START);
  }, 60_000);

  test("looks up, downloads, compiles and checks as commands", async () => {
    const data = makeDataDirectory();
    const env = { ...upstreams.env, LIMPID_DATA_DIR: data };
    const found = await run(["lookup", "8.8.4.78", "--json"], env);
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(found.out)).toMatchObject({ ip: "8.8.4.78" });

    const prefixes = Array.from({ length: 12 }, (_, n) => `8.8.${n}.0/24\n`).join("");
    upstreams.gateway.on("www.cloudflare.com", "/ips-v4", { text: prefixes });
    upstreams.gateway.on("www.cloudflare.com", "/ips-v6", { text: "2600:9000::/28\n" });
    const updated = await run(["feeds", "update", "cloudflare"], env);
    expect(updated).toMatchObject({ code: 0, err: "" });
    expect(updated.out).toMatch(/^cloudflare: updated, \d+ rows\ncompiled \d+ ranges in [\d.]+ s\n/);
    const status = await run(["feeds", "status", "--json"], { LIMPID_DATA_DIR: data });
    expect(status.code).toBe(0);
    const { feeds } = JSON.parse(status.out) as {
      feeds: { id: string; ready: boolean; freshness: string }[];
    };
    expect(feeds.find((feed) => feed.id === "cloudflare")).toMatchObject({ ready: true, freshness: "fresh" });

    const checked = await run(["check", "--json"], env);
    expect(checked.err).toBe("");
    expect([0, 1]).toContain(checked.code);
    const { sources } = JSON.parse(checked.out) as { sources: { id: string; state: string }[] };
    expect(sources.find((source) => source.id === "asn_table")?.state).toBe("ready");
  }, 60_000);

  test("has the snapshot of lists, within its budget", async () => {
    const vpn = listShippedAddresses().get("x4bnet_vpn") ?? "";
    const env = { LIMPID_LIVE: "0", LIMPID_FEEDS: "0", LIMPID_DATA_DIR: makeDataDirectory() };
    const found = await run(["lookup", vpn, "--json"], env);
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(found.out)).toMatchObject({ ip: vpn, flags: { isVpn: true } });
    const embedded = Bun.zstdCompressSync(readFileSync(join(project, "seed/snapshot.table")), { level: 22 });
    expect(embedded.length).toBeLessThan(3_000_000);
  });

  test("takes nothing from the folder it is started in", async () => {
    const hostile = join(folder, "hostile");
    mkdirSync(hostile);
    const files = {
      ".env": "LIMPID_PORT=nonsense\nLIMPID_LOG=nonsense\n",
      ".env.production": "LIMPID_PORT=nonsense\n",
      ".env.local": "LIMPID_HOST=nonsense\n",
      "bunfig.toml": 'preload = ["./preload.ts"]\n',
      "preload.ts": 'console.log("preloaded");\nprocess.exit(99);\n',
      "package.json": '{ "imports": { "#cli": "./preload.ts" } }\n',
      "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./preload.ts"] } } }\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(hostile, name), text);
    // The trap works: the runtime alone triggers it.
    const bait = Bun.spawnSync([process.execPath, "-e", "0"], { cwd: hostile, env: { PATH: "" } });
    expect(bait.exitCode).toBe(99);

    chmodSync(hostile, 0o555);
    expect(await run(["--version"], {}, hostile)).toEqual({ out: `${manifest.version}\n`, err: "", code: 0 });
    const server = await serve({ LIMPID_LIVE: "0", LIMPID_DATA_DIR: makeDataDirectory() }, hostile);
    expect(server.ready.ready).toBe(true);
    expect(await server.stop()).toBe(0);
  }, 30_000);

  test("says what it is made of, and is made the same again", async () => {
    const bytes = readFileSync(binary);
    const listed = JSON.parse(readFileSync(`${binary}.cdx.json`, "utf8")) as {
      metadata: { component: { hashes: { content: string }[] } };
      components: { name: string; version: string; hashes?: unknown[] }[];
    };
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(listed.metadata.component.hashes[0]?.content).toBe(sha256);
    const names = listed.components.map(({ name }) => name);
    for (const name of [
      "bun",
      "elysia",
      "libsql",
      "@libsql/linux-x64-gnu",
      "@ip-location-db/asn",
      "altcha",
    ]) {
      if (name !== "@libsql/linux-x64-gnu" || process.arch === "x64") expect(names).toContain(name);
    }
    for (const name of Object.keys(manifest.devDependencies)) expect(names).not.toContain(name);
    expect(listed.components.filter(({ name, hashes }) => name !== "bun" && hashes === undefined)).toEqual(
      [],
    );

    expect(bytes.includes(project), "a path of the machine it was built on").toBe(false);
    const again = join(folder, "again");
    await build(again);
    expect(readFileSync(again).equals(bytes)).toBe(true);
    expect(readFileSync(`${again}.cdx.json`).equals(readFileSync(`${binary}.cdx.json`))).toBe(true);
  }, 120_000);
});
