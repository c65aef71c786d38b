import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ORIGIN, openVictim, SECRETS, type Victim } from "./open_victim.ts";
import { requestText, send } from "./wire.ts";

let victim: Victim;
/** Trusts the proxy on this machine; the addresses of all clients come from it. */
let behindProxy: Victim;
beforeAll(async () => {
  [victim, behindProxy] = await Promise.all([
    openVictim(),
    openVictim({ LIMPID_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8", LIMPID_EXEMPT_CLIENTS: "" }),
  ]);
});
afterAll(() => Promise.all([victim.close(), behindProxy.close()]));

const KNOWN = "8.8.8.8";

/** Every resource, each of which says links or addresses somewhere. */
const PATHS = [
  "/",
  "/en",
  `/ip/${KNOWN}`,
  `/en/ip/${KNOWN}`,
  `/ip/${KNOWN}.json`,
  `/ip/${KNOWN}.txt`,
  `/en/ip/${KNOWN}.md`,
  `/cli/${KNOWN}`,
  `/badge/${KNOWN}.svg`,
  `/gate/${KNOWN}`,
  `/api/lookup?ip=${KNOWN}`,
  `/api/history?ip=${KNOWN}`,
  `/api/compare?ips=${KNOWN},10.0.0.1`,
  `/compare?ips=${KNOWN}`,
  "/api/myip",
  `/api/challenge?ip=${KNOWN}&action=lookup`,
  "/method",
  "/docs",
  "/openapi.json",
  "/llms.txt",
  "/en/llms.txt",
  "/robots.txt",
  "/sitemap.xml",
  "/healthz",
  "/readyz",
  "/nothing",
  "/ip/300.1.1.1",
  "/static/report.css",
];

describe("a forged Host", () => {
  const HOSTS = [
    "Host: evil.test",
    "Host: evil.test:1337",
    "X-Forwarded-Host: evil.test",
    "X-Host: evil.test",
    "X-Original-Host: evil.test",
    "X-Original-URL: /evil.test",
    "X-Rewrite-URL: /evil.test",
    "X-Forwarded-Server: evil.test",
    "X-Forwarded-Proto: evil.test",
    "X-Forwarded-Prefix: /evil.test",
    "Forwarded: host=evil.test;proto=evil.test;for=9.9.9.9",
    "Referer: https://evil.test/",
    "Origin: https://evil.test",
  ];

  test.each(PATHS)("does not appear in %s, with and without a proxy", async (path) => {
    for (const { port } of [victim, behindProxy]) {
      const own = HOSTS[0] ?? "";
      const text = `GET ${path} HTTP/1.1\r\n${[own, ...HOSTS.slice(2)].join("\r\n")}\r\nConnection: close\r\n\r\n`;
      const heard = await send(port, text);
      expect(heard.statuses).toHaveLength(1);
      // 503 is the answer UNKNOWN of the gate about public infrastructure.
      expect(heard.statuses[0]).toBeOneOf(path.startsWith("/gate") ? [503] : [200, 302, 308, 400, 403, 404]);
      expect(heard.text.toLowerCase()).not.toContain("evil.test");
    }
  });

  test("in the request line has no effect", async () => {
    for (const path of PATHS) {
      const heard = await send(victim.port, requestText(`http://evil.test${path}`));
      expect(heard.text, path).not.toContain("evil.test");
    }
  });
});

describe("line ends in the input", () => {
  const BREAKS = [
    "%0d%0a",
    "%0a",
    "%0d",
    "%E5%98%8A%E5%98%8D",
    "%E2%80%A8",
    "%c2%85",
    "\\r\\n",
    "%250d%250a",
  ];
  const PLACES = [
    (end: string) => `/ip/1.1.1.1${end}Set-Cookie:injected=1`,
    (end: string) => `/en/ip/2001:db8::1${end}Set-Cookie:injected=1`,
    (end: string) => `/api/lookup?ip=8.8.8.8&lang=en${end}Set-Cookie:injected=1`,
    (end: string) => `/?ip=8.8.8.8${end}Set-Cookie:injected=1`,
    (end: string) => `/?ip=8.8.8.8,9.9.9.9${end}Set-Cookie:injected=1`,
    (end: string) => `/ip/[2001:DB8::1]?x=${end}Set-Cookie:injected=1`,
    (end: string) => `/compare?ips=8.8.8.8${end}Set-Cookie:injected=1`,
    (end: string) => `/gate/8.8.8.8?scenario=ai${end}Set-Cookie:injected=1`,
    (end: string) => `/badge/8.8.8.8.svg${end}Set-Cookie:injected=1`,
    (end: string) => `/static/report.css${end}Set-Cookie:injected=1`,
    (end: string) => `/nothing${end}Set-Cookie:injected=1`,
    (end: string) => `/api/progress?ip=1${end}event:injected=1`,
  ];

  test("never start a header", async () => {
    for (const end of BREAKS) {
      for (const place of PLACES) {
        const { text } = await send(victim.port, requestText(place(end)));
        const head = text.split("\r\n\r\n")[0] ?? "";
        expect(head, place(end)).toMatch(/^HTTP\/1\.1 [2-5]\d\d /);
        expect(head, place(end)).not.toMatch(/^(?:set-cookie|event):/im);
        for (const line of head.split("\r\n").slice(1)) expect(line).toMatch(/^[A-Za-z-]+: [\x20-\x7e]*$/);
      }
    }
  });

  test("leave the log one JSON object a line, without addresses and secrets", async () => {
    const headers = [
      'User-Agent: x" , "level":"error","forged":"1',
      "X-Forwarded-For: 9.9.9.9",
      "X-Request-Id: forged-request-id",
      "Cookie: limpid_pass=forged-cookie-value",
      "Authorization: Bearer forged-token-value",
    ];
    for (const path of ["/forged%0a%7B%22forged%22:1%7D", "/ip/forged%1b[31m", "/metrics"]) {
      await send(victim.port, requestText(path, headers));
    }
    const lines = victim.log().trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      const entry: unknown = JSON.parse(line);
      expect(Object.keys(entry as object).slice(0, 3)).toEqual(["time", "level", "event"]);
      expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
      expect(line).not.toContain("forged");
      expect(line).not.toMatch(/\b(?:127\.0\.0\.1|9\.9\.9\.9|8\.8\.8\.8)\b/);
      for (const secret of Object.values(SECRETS)) expect(line).not.toContain(secret);
    }
  });
});

describe("a forged X-Forwarded-For", () => {
  async function clientOf(port: number, headers: readonly string[]): Promise<string> {
    const { text } = await send(port, requestText("/api/myip?format=text", headers));
    return text.split("\r\n\r\n")[1]?.trim() ?? "";
  }

  const CLAIMS = [
    "X-Forwarded-For: 9.9.9.9",
    "X-Forwarded-For: 9.9.9.9, 10.0.0.1",
    "X-Real-IP: 9.9.9.9",
    "X-Client-IP: 9.9.9.9",
    "True-Client-IP: 9.9.9.9",
    "CF-Connecting-IP: 9.9.9.9",
    "Forwarded: for=9.9.9.9",
    "X-Forwarded: 9.9.9.9",
    "X-Cluster-Client-IP: 9.9.9.9",
  ];

  test("from an untrusted peer is ignored", async () => {
    for (const claim of CLAIMS) expect(await clientOf(victim.port, [claim])).toBe("127.0.0.1");
  });

  test("from a trusted peer counts, and no other header does", async () => {
    for (const claim of CLAIMS.slice(2)) expect(await clientOf(behindProxy.port, [claim])).toBe("127.0.0.1");
    expect(await clientOf(behindProxy.port, [CLAIMS[0] ?? ""])).toBe("9.9.9.9");
  });

  test.each([
    ["what the client put before the proxy's word", ["X-Forwarded-For: 1.1.1.1, 9.9.9.9"], "9.9.9.9"],
    ["a forged chain of trusted hops", ["X-Forwarded-For: 1.1.1.1, 9.9.9.9, 10.0.0.7"], "9.9.9.9"],
    ["two headers, the proxy's last", ["X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 9.9.9.9"], "9.9.9.9"],
    ["two headers in different case", ["x-forwarded-for: 1.1.1.1", "X-FORWARDED-FOR: 9.9.9.9"], "9.9.9.9"],
    ["garbage in front", ["X-Forwarded-For: <script>, 9.9.9.9"], "9.9.9.9"],
    ["garbage last", ["X-Forwarded-For: 9.9.9.9, <script>"], "127.0.0.1"],
    ["a hidden word", ["X-Forwarded-For: 9.9.9.9, unknown"], "127.0.0.1"],
    ["an empty hop last", ["X-Forwarded-For: 9.9.9.9,"], "127.0.0.1"],
    ["an octal address", ["X-Forwarded-For: 0177.0.0.1"], "127.0.0.1"],
    ["a number for an address", ["X-Forwarded-For: 2130706433"], "127.0.0.1"],
    ["a port", ["X-Forwarded-For: 9.9.9.9:4711"], "9.9.9.9"],
    ["IPv6", ["X-Forwarded-For: 2606:4700::1111"], "2606:4700::1111"],
    ["IPv6 with a port", ["X-Forwarded-For: [2606:4700::1111]:4711"], "2606:4700::1111"],
    ["a mapped address", ["X-Forwarded-For: ::ffff:9.9.9.9"], "9.9.9.9"],
    ["a mapped trusted hop", ["X-Forwarded-For: 9.9.9.9, ::ffff:10.0.0.7"], "9.9.9.9"],
    ["a zone", ["X-Forwarded-For: fe80::1%eth0"], "127.0.0.1"],
    ["a thousand hops", [`X-Forwarded-For: ${"1.1.1.1, ".repeat(1000)}9.9.9.9`], "9.9.9.9"],
  ])("%s", async (_name, headers, client) => {
    expect(await clientOf(behindProxy.port, headers)).toBe(client);
  });

  test("does not multiply an allowance: 31 addresses, one peer, 30 lookups", async () => {
    const direct = await openVictim({ LIMPID_EXEMPT_CLIENTS: "" });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 31; turn++) {
        const forged = [`X-Forwarded-For: 23.0.0.${turn}`];
        statuses.push(...(await send(direct.port, requestText("/ip/10.0.0.1.json", forged))).statuses);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await direct.close();
    }
  });

  test("does not open /metrics", async () => {
    for (const headers of [
      ["X-Forwarded-For: 127.0.0.1"],
      [],
      ["Authorization: Bearer "],
      ["Authorization: Basic Og=="],
    ]) {
      const { statuses, text } = await send(victim.port, requestText("/metrics", headers));
      expect(statuses).toEqual([401]);
      expect(text).not.toContain("# HELP");
    }
    const right = [`Authorization: Bearer ${SECRETS.LIMPID_METRICS_TOKEN}`];
    const { statuses, text } = await send(victim.port, requestText("/metrics", right));
    expect(statuses).toEqual([200]);
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\b(?:9\.9\.9\.9|8\.8\.8\.8|127\.0\.0\.1)\b/);
  });
});

describe("the headers for browsers on every answer", () => {
  test.each(PATHS)("%s", async (path) => {
    for (const accept of ["Accept: text/html", "Accept: */*"]) {
      const { text } = await send(victim.port, requestText(path, [accept, "Origin: https://evil.test"]));
      const head = (text.split("\r\n\r\n")[0] ?? "").toLowerCase();
      expect(head).toContain("x-content-type-options: nosniff");
      expect(head).toContain("referrer-policy: no-referrer");
      const policy = /content-security-policy: (.*)/.exec(head)?.[1] ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
      expect(head).not.toContain("access-control-allow-credentials");
      expect(head).not.toContain("access-control-allow-origin: https://evil.test");
      expect(head).not.toMatch(/^(?:server|x-powered-by|via):/m);
      if (head.includes("text/html")) expect(head).not.toContain("access-control-allow-origin");
      if (/\r\nlocation:/.test(head)) expect(head).toMatch(/\r\nlocation: \/[^/\\]/);
    }
  });
});

describe("redirects go to this site only", () => {
  test.each([
    "/?ip=https://evil.test/",
    "/?ip=//evil.test",
    "/?ip=8.8.8.8@evil.test",
    "/?ip=8.8.8.8%0d%0a//evil.test",
    "/?ip=https://8.8.8.8.evil.test/",
    "/en?ip=%5C%5Cevil.test%5C8.8.8.8",
    "//evil.test/%2e%2e",
    "//evil.test",
    "/%5Cevil.test",
    "/en//evil.test",
    "/ip//evil.test",
    "/ip/2001:DB8::0001/../..//evil.test",
    "/ip/2001:DB8::0001?next=//evil.test",
  ])("%s", async (path) => {
    const { text } = await send(victim.port, requestText(path, ["Accept: text/html"]));
    const location = /^location: (.*)$/im.exec(text)?.[1];
    if (location !== undefined)
      expect(location).toMatch(/^\/(?:en\/)?(?:ip\/[0-9a-f.:]+(?:\?[^\s]*)?|compare\?ips=[0-9a-f.:,]+)$/);
    expect(URL.parse(location ?? "/", ORIGIN)?.origin).toBe(ORIGIN);
  });
});
