import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { createTemporaryFolder, findProgram, setUp, setUpService } from "#kit";
import { PROJECT, readDocument } from "../docs/list_documents.ts";

/** Runs the files of deploy/fail2ban with the real fail2ban. */
const SCRIPT = join(PROJECT, "deploy/fail2ban/limpid_spares.sh");
const SETTING = readFileSync(join(PROJECT, "deploy/fail2ban/limpid.local"), "utf8");

const ABUSERS = ["46.4.84.25", "79.192.10.98", "2a01:4f8::7"];
const SPARED = {
  crawler: "66.249.66.1",
  cdn: "151.101.1.57",
  mobile: "172.56.1.1",
  relay: "146.75.130.10",
} as const;
const SHARED = "79.192.10.97";
const TOR_OR_VPN = "8.8.4.66";

const isMissing = findProgram("fail2ban-server") === undefined || findProgram("curl") === undefined;

const folder = createTemporaryFolder("limpid-fail2ban-");
const setup = setUp("all");
const service = setUpService({ LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" }, setup);

/** A real fail2ban-server that writes its bans to a file. */
interface Fail2ban {
  /** Adds lines to the log of the service that fail2ban watches. */
  log(...lines: string[]): void;
  /** The addresses that were banned, in order. */
  bans(): readonly string[];
  /** The server's own log. */
  ownLog(): string;
  waitFor(isDone: () => boolean, what: string): Promise<void>;
  stop(): Promise<void>;
}

async function startFail2ban(url: string): Promise<Fail2ban> {
  const home = mkdtempSync(join(folder, "server-"));
  const config = join(home, "config");
  mkdirSync(join(config, "jail.d"), { recursive: true });
  for (const name of [
    "action.d",
    "filter.d",
    "fail2ban.conf",
    "jail.conf",
    "paths-common.conf",
    "paths-debian.conf",
  ])
    cpSync(join("/etc/fail2ban", name), join(config, name), { recursive: true });
  const [watched, banned, own] = ["auth.log", "banned", "fail2ban.log"].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  // A machine without IPv6 would not look for such addresses.
  const database = `[DEFAULT]\ndbfile = ${join(home, "database")}\nallowipv6 = yes\n`;
  writeFileSync(join(config, "fail2ban.local"), database);
  writeFileSync(watched, "");
  writeFileSync(banned, "");
  const rest = join(home, "rests");
  const setting = SETTING.replace("/etc/fail2ban/limpid_spares.sh", SCRIPT).replace(
    "http://127.0.0.1:8080",
    `${url} ${rest}`,
  );
  writeFileSync(join(config, "jail.d/limpid.local"), setting);
  writeFileSync(
    join(config, "action.d/to_file.conf"),
    `[Definition]\nactionban = echo "<ip>" >> ${banned}\n`,
  );
  writeFileSync(
    join(config, "filter.d/any_id.conf"),
    "[Definition]\nfailregex = ^\\s*login of <F-ID>.+</F-ID> failed$\n",
  );
  const jail = `enabled = true\nlogpath = ${watched}\nbackend = polling\nmaxretry = 3\nbantime = 1h\naction = to_file\nusedns = no\n`;
  writeFileSync(
    join(config, "jail.d/test.local"),
    `[sshd]\n${jail}\n[any_id]\n${jail}filter = any_id\nignorecommand = %(spares)s\n`,
  );
  const child = Bun.spawn(
    [
      findProgram("fail2ban-server") ?? "",
      ...["-f", "-x", "-c", config, "-s", join(home, "socket"), "-p", join(home, "pid")],
      ...["--logtarget", own, "--loglevel", "INFO", "start"],
    ],
    { cwd: home, env: { PATH: Bun.env.PATH ?? "", HOME: home }, stdout: "ignore", stderr: "ignore" },
  );
  const server = watch(child, { watched, banned, own });
  await server.waitFor(() => /Jail 'any_id' started/.test(server.ownLog()), "its start");
  return server;
}

function watch(
  child: Subprocess,
  { watched, banned, own }: { readonly watched: string; readonly banned: string; readonly own: string },
): Fail2ban {
  const ownLog = () => (existsSync(own) ? readFileSync(own, "utf8") : "");
  return {
    log: (...lines) => appendFileSync(watched, lines.map((line) => `${line}\n`).join("")),
    bans: () => readFileSync(banned, "utf8").split("\n").filter(Boolean),
    ownLog,
    async waitFor(isDone, what) {
      for (let tries = 0; tries < 600 && !isDone(); tries += 1) {
        if (child.exitCode !== null) throw new Error(`fail2ban ended with ${child.exitCode}: ${ownLog()}`);
        await Bun.sleep(50);
      }
      if (!isDone()) throw new Error(`fail2ban does not show ${what}: ${ownLog()}`);
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Three lines of one session of sshd, as syslog writes them. */
function failuresOf(address: string, user = "root"): string[] {
  const time = new Date()
    .toString()
    .slice(4, 24)
    .replace(/ \d{4} /, " ");
  sessions += 1;
  const start = `${time} host sshd[${sessions}]: Failed password for invalid user ${user} from ${address}`;
  return [1, 2, 3].map((port) => `${start} port ${port} ssh2`);
}
let sessions = 0;

describe.skipIf(isMissing)("fail2ban with deploy/fail2ban", () => {
  test("bans an abuser, and spares crawlers, CDNs, mobile carriers and relays, without a query to any source", async () => {
    const queries = setup.upstreams.queryCount();
    const server = await startFail2ban(service.url);
    try {
      for (const address of Object.values(SPARED)) server.log(...failuresOf(address));
      for (const address of ABUSERS) server.log(...failuresOf(address));
      await server.waitFor(() => server.bans().length >= ABUSERS.length, "the bans");
      expect(server.bans().toSorted()).toEqual(ABUSERS.toSorted());
      for (const address of Object.values(SPARED))
        expect(server.ownLog()).toContain(`[sshd] Ignore ${address} by command`);
      expect(setup.upstreams.queryCount()).toBe(queries);
    } finally {
      await server.stop();
    }
  });

  test("runs nothing that a line of the log contains, and asks nothing about what is no address", async () => {
    const server = await startFail2ban(service.url);
    // Without a slash: fail2ban 1.0 refuses such an id itself. A command runs in the folder of the server.
    const hostile = [
      "$(touch injected)",
      "`touch injected`",
      "'; touch injected; '",
      '"; touch injected; "',
      '66.249.66.1" || touch injected #',
      "66.249.66.1\\n; touch injected",
      "66.249.66.1 --output",
      "-o injected",
    ];
    try {
      for (const text of hostile) {
        server.log(...failuresOf("46.4.84.25", text));
        server.log(...[1, 2, 3].map(() => `${new Date().toISOString()} login of ${text} failed`));
      }
      const isBanned = () => hostile.every((text) => server.ownLog().includes(`[any_id] Ban ${text}`));
      await server.waitFor(isBanned, "the bans of every text");
      expect(server.ownLog()).not.toContain("Ignore");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      expect(files.filter((name) => name.includes("injected"))).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  test("bans everybody while limpid is away", async () => {
    const away = await setup.start();
    await away.stop();
    const server = await startFail2ban(away.url);
    const everybody = [...Object.values(SPARED), ...ABUSERS];
    try {
      for (const address of everybody) server.log(...failuresOf(address));
      await server.waitFor(() => server.bans().length >= everybody.length, "the bans");
      expect(server.bans().toSorted()).toEqual(everybody.toSorted());
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(isMissing)("limpid_spares.sh", () => {
  const rest = () => join(folder, "rest_file");
  const run = (address: string, url = service.url) => {
    const startedAt = performance.now();
    const { exitCode } = Bun.spawnSync([SCRIPT, address, url, rest()], {
      stdout: "ignore",
      stderr: "ignore",
    });
    return { code: exitCode, ms: performance.now() - startedAt };
  };

  test.each([
    ...Object.entries(SPARED).map(([kind, address]) => [kind, address, 0] as const),
    ...ABUSERS.map((address) => ["an abuser", address, 1] as const),
    ["a private address", "10.1.2.3", 1],
    ["no address", "66.249.66.1, 66.249.66.1", 1],
    ["nothing", "", 1],
    ["an option", "--version", 1],
  ] as const)("judges %s: %s ends with %d", (_, address, code) => {
    expect(run(address).code).toBe(code);
  });

  test("spares an address on which a stored report observed many devices", async () => {
    expect(run(SHARED).code).toBe(1);
    setup.upstreams.gateway.on("proxycheck.io", new RegExp(SHARED.replaceAll(".", "\\.")), () => ({
      json: {
        status: "ok",
        [SHARED]: {
          network: { type: "Residential" },
          detections: { proxy: false, vpn: false, tor: false },
          device_estimate: { address: 500, subnet: 900 },
        },
      },
    }));
    expect((await fetch(`${service.url}/api/lookup?ip=${SHARED}`)).status).toBe(200);
    expect(run(SHARED).code).toBe(0);
  });

  test("never spares an exit, whatever network it is in", async () => {
    setup.upstreams.gateway.on("api.ip2location.io", new RegExp(TOR_OR_VPN.replaceAll(".", "\\.")), () => ({
      json: {
        ip: TOR_OR_VPN,
        country_code: "US",
        is_proxy: true,
        proxy: { is_vpn: true },
        usage_type: "MOB",
      },
    }));
    expect((await fetch(`${service.url}/api/lookup?ip=${TOR_OR_VPN}`)).status).toBe(200);
    expect(run(TOR_OR_VPN).code).toBe(1);
  });

  test("spares nobody when limpid refuses, answers something else, or hangs; then it rests for a minute", async () => {
    const answers = new Map<string, () => Response | Promise<Response>>([
      ["a refusal", () => new Response("", { status: 403, headers: { "X-IP-Error": "forbidden" } })],
      ["another page", () => new Response("crawler,mobile\nX-IP-Flags: mobile\n")],
      ["no flags", () => new Response(null, { status: 204, headers: { "X-IP-Flags": "none" } })],
      ["a word inside a word", () => new Response(null, { headers: { "X-IP-Flags": "not-mobile,mobiles" } })],
      ["silence", () => new Promise<Response>(() => {})],
    ]);
    let answer: () => Response | Promise<Response> = () => new Response();
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer() });
    const url = `http://127.0.0.1:${other.port}`;
    const runLater = async () => {
      const child = Bun.spawn([SCRIPT, SPARED.mobile, url, rest()], { stdout: "ignore", stderr: "ignore" });
      const startedAt = performance.now();
      return { code: await child.exited, ms: performance.now() - startedAt };
    };
    try {
      for (const [what, reply] of answers) {
        answer = reply;
        expect((await runLater()).code, what).toBe(1);
      }
      // The last answer was a time-out.
      const second = await runLater();
      expect(second.code).toBe(1);
      expect(second.ms).toBeLessThan(900);
      const past = new Date(Date.now() - 61_000);
      utimesSync(rest(), past, past);
      answer = () => new Response(null, { headers: { "x-ip-flags": "mobile" } });
      expect((await runLater()).code).toBe(0);
    } finally {
      await other.stop(true);
    }
  });
});

test("docs/operators/fail2ban.md shows the setting that is in deploy/fail2ban", () => {
  const { blocks } = readDocument("docs/operators/fail2ban.md");
  const shown = blocks.find(({ language }) => language === "ini")?.code ?? "";
  expect(SETTING).toContain(shown);
});
