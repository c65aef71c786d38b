import { describe, expect, test } from "bun:test";
import { ConfigError, readConfig } from "#config";
import refusals from "./fixtures/config_refusals.json";

/** Variables that are refused, and what is said of them. */
const REFUSALS = refusals as [Record<string, string>, string[]][];

const context = {
  sources: [
    { id: "proxycheck", keyed: true },
    { id: "spamhaus_zen", keyed: false },
  ],
  readSecret: (path: string) => {
    if (path === "/run/secrets/proxycheck") return "s3cret\n";
    throw new Error("no such file");
  },
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, context);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("readConfig()", () => {
  test("returns a working configuration for an empty environment", () => {
    const config = readConfig({}, context);
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      baseUrl: undefined,
      database: { url: "file:./data/limpid.db" },
      live: true,
      allowNoncommercial: false,
      surveyMs: 4000,
      pool: 24,
      staleMs: 7 * 86_400_000,
      cacheEntries: 20_000,
      cacheBytes: undefined,
      cacheMs: 600_000,
      lookupsPerMinute: 30,
      newPerMinute: 10,
      refreshPerMinute: 5,
      openPerDay: 5,
      openPerMinute: 15,
      openDailyTotal: 500,
      secret: undefined,
      verifier: { kind: "altcha" },
    });
    expect(config.trustedProxies).toEqual([]);
    expect(config.secrets.size).toBe(0);
  });

  test("takes two origins of one family each, and names what is wrong with them", () => {
    const four = "https://v4.example";
    const six = "https://v6.example";
    const config = readConfig({ LIMPID_IPV4_URL: `${four}/`, LIMPID_IPV6_URL: six }, context);
    expect(config.families).toEqual({ ipv4: four, ipv6: six });
    expect(readConfig({}, context).families).toBeUndefined();
    const problems: readonly (readonly [env: Record<string, string>, problem: string])[] = [
      [{ LIMPID_IPV4_URL: four }, "LIMPID_IPV6_URL: must be set together with LIMPID_IPV4_URL"],
      [{ LIMPID_IPV6_URL: six }, "LIMPID_IPV4_URL: must be set together with LIMPID_IPV6_URL"],
      [{ LIMPID_IPV4_URL: four, LIMPID_IPV6_URL: four }, "LIMPID_IPV6_URL: must be another origin"],
      [
        { LIMPID_IPV4_URL: four, LIMPID_IPV6_URL: "https://[2001:db8::1]" },
        "LIMPID_IPV6_URL: must have a name",
      ],
      [{ LIMPID_IPV4_URL: "v4.example", LIMPID_IPV6_URL: six }, "LIMPID_IPV4_URL: must be an http(s) origin"],
      [
        { LIMPID_BASE_URL: "https://x.example", LIMPID_IPV4_URL: "http://v4.example", LIMPID_IPV6_URL: six },
        "LIMPID_IPV4_URL: must start with https://",
      ],
    ];
    for (const [env, problem] of problems)
      expect(problemsOf(env)).toEqual([expect.stringContaining(problem)]);
  });

  test("reads lists, keys, budgets and secret files", () => {
    const config = readConfig(
      {
        LIMPID_TRUSTED_PROXIES: "192.0.2.1, 2001:db8::/32",
        LIMPID_DNS_SERVERS: "127.0.0.1:5353,[::1]:53",
        LIMPID_SOURCES_OFF: "spamhaus_zen",
        LIMPID_PROXYCHECK_KEY_FILE: "/run/secrets/proxycheck",
        LIMPID_PROXYCHECK_DAILY: "12",
        LIMPID_BASE_URL: "https://limpid.example/",
        LIMPID_DATA_DIR: "/var/lib/limpid/",
        HOME: "/root",
      },
      context,
    );
    expect(config.trustedProxies.map((prefix) => prefix.text)).toEqual(["192.0.2.1/32", "2001:db8::/32"]);
    expect(config.dnsServers).toEqual(["127.0.0.1:5353", "[::1]:53"]);
    expect([...config.sourcesOff]).toEqual(["spamhaus_zen"]);
    expect(config.secrets.get("proxycheck")).toBe("s3cret");
    expect(config.dailyBudgets.get("proxycheck")).toBe(12);
    expect(config.baseUrl).toBe("https://limpid.example");
    expect(config.database.url).toBe("file:/var/lib/limpid/limpid.db");
  });

  test.each([
    ["LIMPID_BASE_URL", "https://user:pass/word@limpid.example/path"],
    ["LIMPID_PRIMARY_URL", "https://token@limpid.example"],
    ["LIMPID_UPSTREAM_GATEWAY", "http://gateway.example/?key=pass"],
    ["LIMPID_DATABASE_URL", "mysql://user:pass@db.example/limpid"],
    ["LIMPID_MIRROR_OF", "libsql://user:pass@db.example"],
    ["LIMPID_BASE_URL", "user:pass@limpid.example"],
  ])("does not print credentials in a wrong %s", (name, value) => {
    const [problem = ""] = problemsOf({ [name]: value });
    expect(problem).toStartWith(`${name}: `);
    expect(problem).toContain("***");
    expect(problem).not.toMatch(/pass|token@|user:/);
  });

  test.each(["dns.example:53", "192.0.2.1:0", "192.0.2.1:99999", "[::1", "::1:53", "[fe80::1%eth0]:53"])(
    "refuses %p as a DNS server",
    (server) => {
      const problem = `LIMPID_DNS_SERVERS: must be a list of ADDRESS:PORT: cannot read "${server}"`;
      expect(problemsOf({ LIMPID_DNS_SERVERS: server })[0]).toStartWith(problem);
    },
  );

  test("reports every problem at once, by name, and never quotes a secret", () => {
    const problems = problemsOf({
      LIMPID_PORT: "70000",
      LIMPID_LIVE: "yes",
      LIMPID_TRUSTED_PROXIES: "10.0.0.0/33",
      LIMPID_DNS_SERVERS: "127.0.0.1",
      LIMPID_BASE_URL: "ftp://x",
      LIMPID_DATABASE_URL: "mysql://x",
      LIMPID_PROXYCHECK_KEY: "top secret with blanks",
      LIMPID_SPAMHAUS_ZEN_DAILY: "many",
      LIMPID_POTR: "80",
      LIMPID_MIRROR_OF: "file:a.db",
    });
    const names = problems.map((problem) => problem.split(":")[0]);
    expect(names.sort()).toEqual(
      [
        "LIMPID_BASE_URL",
        "LIMPID_DATABASE_URL",
        "LIMPID_DNS_SERVERS",
        "LIMPID_LIVE",
        "LIMPID_MIRROR_OF",
        "LIMPID_PORT",
        "LIMPID_POTR",
        "LIMPID_PROXYCHECK_KEY",
        "LIMPID_SPAMHAUS_ZEN_DAILY",
        "LIMPID_TRUSTED_PROXIES",
      ].sort(),
    );
    expect(problems.join("\n")).not.toContain("top secret");
    expect(problems.join("\n")).toContain('current value is "70000"');
  });

  test.each(REFUSALS)("refuses %j, and quotes no secret", (env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });

  test("reads a mirror: its primary, token, period and public origin of the full service", () => {
    expect(readConfig({}, context).mirror).toBeUndefined();
    expect(readConfig({ LIMPID_MIRROR_OF: "libsql://db.example/" }, context).mirror).toEqual({
      primary: "libsql://db.example",
      periodMs: 60_000,
    });
    const full = {
      LIMPID_MIRROR_OF: "http://127.0.0.1:8081",
      LIMPID_DATABASE_TOKEN: "t",
      LIMPID_SYNC_SECONDS: "5",
      LIMPID_PRIMARY_URL: "https://limpid.example/",
    };
    expect(readConfig(full, context).mirror).toEqual({
      primary: "http://127.0.0.1:8081",
      token: "t",
      periodMs: 5000,
      primaryUrl: "https://limpid.example",
    });
  });

  test("reads the token of the metrics, also from a file, and refuses a short one without quoting it", () => {
    const token = "0123456789abcdef";
    expect(readConfig({}, context).metricsToken).toBeUndefined();
    expect(readConfig({ LIMPID_METRICS_TOKEN: token }, context).metricsToken).toBe(token);
    const fromFile = readConfig(
      { LIMPID_METRICS_TOKEN_FILE: "/run/m" },
      { ...context, readSecret: () => `${token}\n` },
    );
    expect(fromFile.metricsToken).toBe(token);
    const short = { LIMPID_METRICS_TOKEN: "hunter2" };
    expect(() => readConfig(short, context)).toThrow("LIMPID_METRICS_TOKEN: must be 16 to 512");
    expect(() => readConfig(short, context)).not.toThrow("hunter2");
  });

  test("reads the allowance, where 0 is none, and the secret, also from a file", () => {
    const readSecret = (path: string) => `${path.slice(1)} 16 letters and more`.replaceAll(" ", "-");
    const config = readConfig(
      {
        LIMPID_OPEN_PER_DAY: "0",
        LIMPID_OPEN_PER_MINUTE: "0",
        LIMPID_OPEN_DAILY_TOTAL: "0",
        LIMPID_SECRET_FILE: "/run/s",
        LIMPID_VERIFIER: "turnstile",
        LIMPID_TURNSTILE_SITE_KEY: "0x4AAA",
        LIMPID_TURNSTILE_SECRET_FILE: "/run/t",
      },
      { ...context, readSecret },
    );
    expect(config).toMatchObject({
      openPerDay: 0,
      openPerMinute: 0,
      openDailyTotal: 0,
      secret: "run/s-16-letters-and-more",
      verifier: { kind: "turnstile", siteKey: "0x4AAA", secret: "run/t-16-letters-and-more" },
    });
  });

  test("treats an empty variable as absent", () => {
    expect(readConfig({ LIMPID_PORT: "" }, context).port).toBe(8080);
  });
});
