import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Subprocess } from "bun";
import {
  createTemporaryFolder,
  findFreePort,
  findProgram,
  setUp,
  setUpService,
  type TestUpstreams,
} from "#kit";
import { readDocument } from "../docs/list_documents.ts";
import { waitFor, writeNginx } from "./exits.ts";

/** Runs the blocks of docs/operators/in_front_of_a_site.md with the real programs. */
const { blocks } = readDocument("docs/operators/in_front_of_a_site.md");

/** The configuration of a web server, and the lines that keep a site open while limpid does not answer. */
function blocksOf(language: string): readonly [config: string, additions: string] {
  const [config = "", additions = "", ...more] = blocks
    .filter((block) => block.language === language)
    .map(({ code }) => code);
  if (additions === "" || more.length > 0) throw new Error(`Cannot find two blocks of ${language}`);
  return [config, additions];
}

/** A change of the documented configuration. */
interface FrontOptions {
  /** Replaces the path and policy of the question. */
  readonly question?: string;
  /** Adds the lines that keep the site open while limpid does not answer. */
  readonly staysOpen?: boolean;
  /** Asks at a port where nothing listens. */
  readonly isDown?: boolean;
  /** The port of another site. */
  readonly sitePort?: number;
}

const ORDINARY = "8.8.4.77";
const VPN = "8.8.4.66";
/** The tables name no kind of these addresses. */
const UNKNOWN = { nginx: "79.192.10.98", caddy: "79.192.10.97", haproxy: "79.192.10.96" } as const;

/** The answers while limpid does not answer, and while it answers neither yes nor no. */
const CLOSED = { nginx: [500, 500], caddy: [502, 400], haproxy: [503, 503] } as const;

/** What the site behind the web server received. */
interface Received {
  readonly path: string;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const folder = createTemporaryFolder("limpid-front-");
const setup = setUp("all");
const service = setUpService(
  { LIMPID_EXEMPT_CLIENTS: "", LIMPID_LOG: "info", LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" },
  setup,
);
let site: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  answerVpn(setup.upstreams);
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

/** The address that the web server asks. Nothing listens on port 9. */
const askedHost = ({ isDown = false }: FrontOptions) => (isDown ? "127.0.0.1:9" : new URL(service.url).host);

/** The blocks for nginx with the ports of the test. nginx trusts the address that the test sends, as it would a CDN. */
async function startNginx(options: FrontOptions = {}): Promise<Front> {
  const { question, staysOpen = false, sitePort = site.port } = options;
  const port = await findFreePort();
  const home = mkdtempSync(join(folder, "nginx-"));
  const [config, additions] = blocksOf("nginx");
  const added = /\{\n(?<inside>[^}]*)\}\n(?<beside>[\s\S]*)$/.exec(additions)?.groups ?? {};
  let server = config
    .replace("listen 80;", `listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;`)
    .replace("127.0.0.1:8080", askedHost(options))
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${sitePort}`);
  if (question !== undefined) server = server.replace(/\/auth\?[^;]*/, question);
  if (staysOpen)
    server = server.replace("internal;", `internal; ${added.inside}`).replace(/\}\s*$/, `${added.beside}}\n`);
  return openFront(port, [...writeNginx(home, server)], {});
}

/** The blocks for Caddy with the ports of the test. Caddy trusts the address that the test sends, as it would a CDN. */
async function startCaddy(options: FrontOptions = {}): Promise<Front> {
  const { question, staysOpen = false, sitePort = site.port } = options;
  const port = await findFreePort();
  const home = mkdtempSync(join(folder, "caddy-"));
  const file = join(home, "Caddyfile");
  const [config, additions] = blocksOf("caddyfile");
  let text = config
    .replace("{\n", "{\n admin off\n")
    .replace("site.example.org", `http://127.0.0.1:${port}`)
    .replace("127.0.0.1:8080 {", `${askedHost(options)} {\n trusted_proxies 127.0.0.1/32`);
  if (question !== undefined) text = text.replace(/\/auth\?\S*/, question);
  if (staysOpen) text = text.replace(/\}\s*$/, `${additions}}\n`);
  writeFileSync(file, text.replaceAll("127.0.0.1:3000", `127.0.0.1:${sitePort}`));
  const args = ["run", "--config", file, "--adapter", "caddyfile"];
  return openFront(port, [findProgram("caddy") ?? "", ...args], { HOME: home });
}

/** The blocks for HAProxy with the ports of the test. HAProxy trusts the address that the test sends, as it would a CDN. */
async function startHaproxy(options: FrontOptions = {}): Promise<Front> {
  const { question, staysOpen = false, sitePort = site.port } = options;
  const port = await findFreePort();
  const [config, additions] = blocksOf("haproxy");
  const file = join(mkdtempSync(join(folder, "haproxy-")), "haproxy.cfg");
  let text = config
    .replace("/etc/haproxy/limpid.lua", join(import.meta.dir, "../../deploy/haproxy/limpid.lua"))
    .replace("bind :80", `bind 127.0.0.1:${port}\n    http-request set-src hdr(x-visitor)`)
    .replace("127.0.0.1:8080", askedHost(options))
    .replace("127.0.0.1:3000", `127.0.0.1:${sitePort}`);
  if (question !== undefined) text = text.replace(/\/auth\?\S*/, question);
  if (staysOpen) text = text.replace("    http-request deny if", `${additions}\n    http-request deny if`);
  writeFileSync(file, text);
  return openFront(port, [findProgram("haproxy") ?? "", "-db", "-f", file], {});
}

async function openFront(port: number, command: string[], env: Record<string, string>): Promise<Front> {
  const log = join(mkdtempSync(join(folder, "log-")), "front.log");
  const child = Bun.spawn(command, { env, stdout: "ignore", stderr: Bun.file(log) });
  const url = `http://127.0.0.1:${port}`;
  const isOver = () => child.exitCode !== null;
  await waitFor(() => fetch(url).then(() => true, isOver), "the web server");
  if (isOver()) throw new Error(`The web server ended with ${child.exitCode}: ${await Bun.file(log).text()}`);
  return { url, process: child };
}

/** Starts it once more if it ends at once: another program can take the port between the search and the start. */
function startTwice(start: (options?: FrontOptions) => Promise<Front>) {
  return (options?: FrontOptions) => start(options).catch(() => start(options));
}

const FRONTS = [
  { name: "nginx", start: startTwice(startNginx), header: "x-visitor" },
  { name: "caddy", start: startTwice(startCaddy), header: "x-forwarded-for" },
  { name: "haproxy", start: startTwice(startHaproxy), header: "x-visitor" },
] as const;

describe.each(FRONTS)("$name asks limpid before each request", ({ name, start, header }) => {
  const isMissing = findProgram(name) === undefined;
  let front: Front;
  let open: Front;
  const started: Front[] = [];
  const startAnother = async (options?: FrontOptions) => {
    const one = await start(options);
    started.push(one);
    return one;
  };

  beforeAll(async () => {
    if (isMissing) return;
    [front, open] = await Promise.all([startAnother(), startAnother({ staysOpen: true })]);
  });
  afterAll(async () => {
    for (const one of started) {
      one.process.kill();
      await one.process.exited;
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
    const response = await visit(ORDINARY, {}, await startAnother({ question: "/auth?deny=vpm" }));
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

  const NAMES = ["Verdict", "Source", "Purity", "Level", "Confidence", "Type", "Flags", "Error"];
  const SPELLINGS = NAMES.flatMap((word) =>
    ["X-IP-", "X_IP_", "X-IP_", "X_IP-"].map((start) => start + word),
  );

  test.skipIf(isMissing)(
    "hides every verdict of the visitor from the site, however it is spelt",
    async () => {
      const forged = Object.fromEntries(SPELLINGS.map((spelling) => [spelling, "forged"]));
      for (const one of [front, open, await startAnother({ staysOpen: true, isDown: true })]) {
        const response = await visit(ORDINARY, { headers: forged }, one);
        expect(response.status).toBe(200);
        expect(JSON.stringify(((await response.json()) as Received).headers)).not.toContain("forged");
      }
    },
  );

  /** Header lines of requests that limpid itself would refuse, and some that other programs refuse. */
  const HOSTILE: readonly (readonly string[])[] = [
    ...Array.from({ length: 255 }, (_, at) => String.fromCharCode(at + 1))
      .filter((character) => character !== "\n" && character !== "\r")
      .flatMap((character) => [[`Accept: text/${character}html`], [`X-A${character}b: 1`]]),
    [1, 2, 3].map((at) => `X-${at}: ${"x".repeat(7000)}`),
    [`Cookie: ${"x".repeat(7000)}`],
    Array.from({ length: 150 }, (_, at) => `X-${at}: 1`),
    ["Content-Length: 1", "Content-Length: 2"],
    ["Content-Length: 1", "Transfer-Encoding: chunked"],
    ["Connection: Upgrade", "Upgrade: websocket"],
    ["Range: bytes=0-0", "If-None-Match: *", "If-Modified-Since: 0"],
  ];

  /** Sends one request as bytes and returns the status code, or 0 if the connection ends without an answer. */
  async function send(
    { url }: Front,
    visitor: string,
    target: string,
    lines: readonly string[],
  ): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { port, host } = new URL(url);
    const request = [
      `GET ${target} HTTP/1.1`,
      `Host: ${host}`,
      `${header}: ${visitor}`,
      ...lines,
      "Connection: close",
    ];
    await Bun.connect({
      hostname: "127.0.0.1",
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(Buffer.from(`${request.join("\r\n")}\r\n\r\n`, "latin1")),
        data(socket, bytes) {
          resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1] ?? 0));
          socket.end();
        },
        close: () => resolve(0),
        error: () => resolve(0),
      },
    });
    return promise;
  }

  test.skipIf(isMissing)("lets no denied visitor pass by a request that limpid refuses", async () => {
    // This site accepts what no HTTP library does.
    const anything = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      );
    });
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    anything.listen(0, "127.0.0.1", resolve);
    await listening;
    const { port: sitePort } = anything.address() as AddressInfo;
    for (const staysOpen of [false, true]) {
      const one = await startAnother({ staysOpen, sitePort });
      const passed: string[] = [];
      expect(await send(one, ORDINARY, "/page", [])).toBe(200);
      expect(await send(one, VPN, "/page", [])).toBe(403);
      const tries = [
        ...HOSTILE.map((lines) => ["/page", lines] as const),
        [`/${"x".repeat(7000)}`, []] as const,
      ];
      for (const [target, lines] of tries) {
        const status = await send(one, VPN, target, lines);
        if (status !== 0 && status < 400)
          passed.push(`${status}: ${target} ${lines.join(", ")}`.slice(0, 99));
      }
      expect(passed).toEqual([]);
    }
    anything.close();
  });

  test.skipIf(isMissing)("stays open or closed while limpid does not answer, as configured", async () => {
    const closed = await startAnother({ isDown: true });
    expect((await visit(VPN, {}, closed)).status).toBe(CLOSED[name][0]);
    const opened = await startAnother({ isDown: true, staysOpen: true });
    const response = await visit(VPN, { headers: { "x-ip-verdict": "pass" } }, opened);
    const { headers } = (await response.json()) as Received;
    expect([response.status, headers["x-ip-verdict"]]).toEqual([200, undefined]);
  });

  test.skipIf(isMissing)("stays closed in both forms while limpid answers neither yes nor no", async () => {
    for (const staysOpen of [false, true]) {
      const one = await startAnother({ question: "/api/lookup?ip=wrong", staysOpen });
      expect((await visit(ORDINARY, {}, one)).status).toBe(CLOSED[name][1]);
    }
  });
});

test("/auth refuses a request that no proxy sent on", async () => {
  const response = await fetch(`${service.url}/auth?lang=en`);
  expect([response.status, response.headers.get("x-ip-error")]).toEqual([403, "forbidden"]);
});
