import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import {
  findFreePort,
  findProgram,
  type RunningService,
  startService,
  startUpstreams,
  type TestUpstreams,
} from "#kit";
import { readDocument } from "../docs/list_documents.ts";

/** Runs the blocks of docs/operators/in_front_of_a_site.md with the real programs. */
const { blocks } = readDocument("docs/operators/in_front_of_a_site.md");
const blockOf = (language: string) => blocks.find((block) => block.language === language)?.code ?? "";

const ORDINARY = "8.8.4.77";
const VPN = "8.8.4.66";
/** The tables name no kind of these addresses. */
const UNKNOWN = { nginx: "79.192.10.98", caddy: "79.192.10.97" } as const;

/** What the site behind the web server received. */
interface Received {
  readonly path: string;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

let folder: string;
let upstreams: TestUpstreams;
let service: RunningService;
let site: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpid-front-"));
  upstreams = await startUpstreams();
  answerVpn(upstreams);
  service = await startService({
    env: {
      ...upstreams.env,
      LIMPID_EXEMPT_CLIENTS: "",
      LIMPID_LOG: "info",
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
    },
  });
  for (const ip of [ORDINARY, VPN])
    expect((await fetch(`${service.url}/api/lookup?ip=${ip}`)).status).toBe(200);
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) =>
      Response.json({
        path: new URL(request.url).pathname,
        method: request.method,
        body: await request.text(),
        headers: Object.fromEntries(request.headers),
      } satisfies Received),
  });
});

afterAll(async () => {
  await site?.stop(true);
  await service?.close();
  await upstreams?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One source says that an address is a VPN exit. */
function answerVpn({ gateway }: TestUpstreams): void {
  gateway.on("api.ip2location.io", new RegExp(VPN.replaceAll(".", "\\.")), () => ({
    json: {
      ip: VPN,
      country_code: "US",
      asn: "64500",
      as: "Example Net",
      is_proxy: true,
      proxy: { is_vpn: true },
    },
  }));
}

/** A web server in front of the site. */
interface Front {
  readonly url: string;
  readonly process: Subprocess;
}

/** Waits until a web server accepts connections. */
async function waitFor(url: string, child: Subprocess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null)
      throw new Error(`Cannot start the web server: it ended with ${child.exitCode}`);
    const isOpen = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
    await Bun.sleep(50);
  }
  throw new Error(`Cannot start the web server: ${url} does not answer`);
}

/** The block for nginx with the ports of the test. nginx trusts the address that the test sends, as it would a CDN. */
async function startNginx(policy?: string): Promise<Front> {
  const port = await findFreePort();
  const home = mkdtempSync(join(folder, "nginx-"));
  mkdirSync(join(home, "tmp"));
  const server = blockOf("nginx")
    .replace("listen 80;", `listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;`)
    .replace("127.0.0.1:8080", new URL(service.url).host)
    .replace("127.0.0.1:3000", `127.0.0.1:${site.port}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${home}/tmp/${name};`)
    .join("\n");
  const file = join(home, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log;
events {}
http { access_log off; ${temporary}
${policy === undefined ? server : server.replace(/\/auth\?[^;]*/, `/auth?${policy}`)} }
`,
  );
  const nginx = findProgram("nginx") ?? "";
  const child = Bun.spawn([nginx, "-p", home, "-e", join(home, "error.log"), "-c", file], {
    stdout: "ignore",
    stderr: "inherit",
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url, child);
  return { url, process: child };
}

/** The block for Caddy with the ports of the test. Caddy trusts the address that the test sends, as it would a CDN. */
async function startCaddy(policy?: string): Promise<Front> {
  const port = await findFreePort();
  const block = blockOf("caddyfile")
    .replace("site.example.org", `http://127.0.0.1:${port}`)
    .replace("127.0.0.1:8080 {", `${new URL(service.url).host} {\n trusted_proxies 127.0.0.1/32`)
    .replace("127.0.0.1:3000", `127.0.0.1:${site.port}`);
  const home = mkdtempSync(join(folder, "caddy-"));
  const file = join(home, "Caddyfile");
  const text = policy === undefined ? block : block.replace(/\/auth\?\S*/, `/auth?${policy}`);
  writeFileSync(file, `{\n admin off\n}\n${text}`);
  const caddy = findProgram("caddy") ?? "";
  const child = Bun.spawn([caddy, "run", "--config", file, "--adapter", "caddyfile"], {
    env: { HOME: home },
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url, child);
  return { url, process: child };
}

const FRONTS = [
  { name: "nginx", start: startNginx, header: "x-visitor" },
  { name: "caddy", start: startCaddy, header: "x-forwarded-for" },
] as const;

describe.each(FRONTS)("$name asks limpid before each request", ({ name, start, header }) => {
  const isMissing = findProgram(name) === undefined;
  let front: Front;
  let misspelt: Front;

  beforeAll(async () => {
    if (isMissing) return;
    [front, misspelt] = await Promise.all([start(), start("deny=vpm")]);
  });
  afterAll(async () => {
    for (const one of [front, misspelt]) {
      one?.process.kill();
      await one?.process.exited;
    }
  });

  const visit = (visitor: string, init: RequestInit = {}, { url } = front) =>
    fetch(`${url}/page`, { ...init, headers: { ...init.headers, [header]: visitor } });

  test.skipIf(isMissing)("lets a visitor pass, with the verdict for the site", async () => {
    const response = await visit(ORDINARY, { headers: { "x-ip-purity": "100", "x-ip-flags": "none" } });
    expect(response.status).toBe(200);
    const { path, headers } = (await response.json()) as Received;
    expect(path).toBe("/page");
    expect(headers["x-ip-verdict"]).toBe("pass");
    const report = (await (await fetch(`${service.url}/api/lookup?ip=${ORDINARY}`)).json()) as {
      risk: { purity: number };
    };
    expect(headers["x-ip-purity"]).toBe(String(report.risk.purity));
  });

  test.skipIf(isMissing)("denies a VPN exit, and the site sees nothing of it", async () => {
    const response = await visit(VPN);
    expect(response.status).toBe(403);
    const body = await response.text();
    if (name === "caddy")
      expect([body, response.headers.get("x-ip-verdict")]).toEqual(["DENY VPN\n", "deny vpn"]);
    else expect(body).toContain("403 Forbidden");
  });

  test.skipIf(isMissing)("passes a body on, which limpid does not receive", async () => {
    const response = await visit(ORDINARY, { method: "POST", body: "x".repeat(50_000) });
    const { method, body } = (await response.json()) as Received;
    expect([method, body.length]).toEqual(["POST", 50_000]);
  });

  test.skipIf(isMissing)(
    "lets an unknown visitor pass, starts a survey, and decides by it later",
    async () => {
      const unknown = UNKNOWN[name];
      const first = (await (await visit(unknown, { headers: { "x-ip-purity": "100" } })).json()) as Received;
      expect(first.headers["x-ip-verdict"]).toBe("unknown");
      let verdict = "";
      for (let tries = 0; tries < 100 && verdict !== "pass"; tries += 1) {
        await Bun.sleep(100);
        verdict = ((await (await visit(unknown)).json()) as Received).headers["x-ip-verdict"] ?? "";
      }
      expect(verdict).toBe("pass");
    },
  );

  test.skipIf(isMissing)("serves a private visitor without a verdict", async () => {
    const { headers } = (await (await visit("10.1.2.3")).json()) as Received;
    expect(headers["x-ip-verdict"]).toBe("unknown");
  });

  test.skipIf(isMissing)("answers 100 requests of one page without a limit", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => (await visit(ORDINARY)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test.skipIf(isMissing)("denies everybody with a misspelt policy, and the log says so", async () => {
    const response = await visit(ORDINARY, {}, misspelt);
    expect(response.status).toBe(403);
    if (name === "caddy") expect(response.headers.get("x-ip-error")).toBe("invalid_parameter deny");
    const isLogged = () =>
      service
        .log()
        .split("\n")
        .some((line) => /request_refused/.test(line) && /\/auth.*invalid_parameter/.test(line));
    for (let tries = 0; tries < 100 && !isLogged(); tries += 1) await Bun.sleep(20);
    expect(isLogged(), service.log().slice(-1000)).toBe(true);
  });
});

test("/auth refuses a request that no proxy sent on", async () => {
  const response = await fetch(`${service.url}/auth?lang=en`);
  expect([response.status, response.headers.get("x-ip-error")]).toEqual([403, "forbidden"]);
});
