import { describe, expect, test } from "bun:test";
import { type RunningService, setUp, setUpService } from "#kit";
import HEADERS from "../../fixtures/attacks/headers.json";
import { ORIGIN, SECRETS, VICTIM } from "./victim.ts";
import { requestText, send } from "./wire.ts";

const setup = setUp("all");
const victim = setUpService(VICTIM, setup);
/** Trusts the proxy on this machine; the addresses of all clients come from it. */
const trusting = { LIMPID_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8", LIMPID_EXEMPT_CLIENTS: "" };
const behindProxy = setUpService({ ...VICTIM, ...trusting }, setup);

/** Every resource, each of which says links or addresses somewhere; and what is forged. */
const { paths: PATHS, hosts: HOSTS, claims: CLAIMS, ...FORGED } = HEADERS;

describe("a forged Host", () => {
  test.each(PATHS)("does not appear in %s, with and without a proxy", async (path) => {
    for (const service of [victim, behindProxy]) {
      const own = HOSTS[0] ?? "";
      const text = `GET ${path} HTTP/1.1\r\n${[own, ...HOSTS.slice(2)].join("\r\n")}\r\nConnection: close\r\n\r\n`;
      const heard = await send(service, text);
      expect(heard.statuses).toHaveLength(1);
      // 503 is the answer UNKNOWN of the gate about public infrastructure.
      expect(heard.statuses[0]).toBeOneOf(path.startsWith("/gate") ? [503] : [200, 302, 308, 400, 403, 404]);
      expect(heard.text.toLowerCase()).not.toContain("evil.test");
    }
  });

  test("in the request line has no effect", async () => {
    for (const path of PATHS) {
      const heard = await send(victim, requestText(`http://evil.test${path}`));
      expect(heard.text, path).not.toContain("evil.test");
    }
  });
});

describe("line ends in the input", () => {
  test("never start a header", async () => {
    for (const end of FORGED.lineEnds) {
      for (const place of FORGED.places) {
        const path = place.replace("END", end);
        const { text } = await send(victim, requestText(path));
        const head = text.split("\r\n\r\n")[0] ?? "";
        expect(head, path).toMatch(/^HTTP\/1\.1 [2-5]\d\d /);
        expect(head, path).not.toMatch(/^(?:set-cookie|event):/im);
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
      await send(victim, requestText(path, headers));
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
  async function clientOf(service: RunningService, headers: readonly string[]): Promise<string> {
    const { text } = await send(service, requestText("/api/myip?format=text", headers));
    return text.split("\r\n\r\n")[1]?.trim() ?? "";
  }

  test("from an untrusted peer is ignored", async () => {
    for (const claim of CLAIMS) expect(await clientOf(victim, [claim])).toBe("127.0.0.1");
  });

  test("from a trusted peer counts, and no other header does", async () => {
    for (const claim of CLAIMS.slice(2)) expect(await clientOf(behindProxy, [claim])).toBe("127.0.0.1");
    expect(await clientOf(behindProxy, [CLAIMS[0] ?? ""])).toBe("9.9.9.9");
  });

  test.each(FORGED.forwarded)("$name", async ({ headers, client }) => {
    const sent = headers.map((header) => header.replace("HOPS, ", "1.1.1.1, ".repeat(1000)));
    expect(await clientOf(behindProxy, sent)).toBe(client);
  });

  test("does not multiply an allowance: 31 addresses, one peer, 30 lookups", async () => {
    const direct = await setup.start({ ...VICTIM, LIMPID_EXEMPT_CLIENTS: "" });
    const statuses: number[] = [];
    for (let turn = 0; turn < 31; turn++) {
      const forged = [`X-Forwarded-For: 23.0.0.${turn}`];
      statuses.push(...(await send(direct, requestText("/ip/10.0.0.1.json", forged))).statuses);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });

  test("does not open /metrics", async () => {
    for (const headers of [
      ["X-Forwarded-For: 127.0.0.1"],
      [],
      ["Authorization: Bearer "],
      ["Authorization: Basic Og=="],
    ]) {
      const { statuses, text } = await send(victim, requestText("/metrics", headers));
      expect(statuses).toEqual([401]);
      expect(text).not.toContain("# HELP");
    }
    const right = [`Authorization: Bearer ${SECRETS.LIMPID_METRICS_TOKEN}`];
    const { statuses, text } = await send(victim, requestText("/metrics", right));
    expect(statuses).toEqual([200]);
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\b(?:9\.9\.9\.9|8\.8\.8\.8|127\.0\.0\.1)\b/);
  });
});

describe("the headers for browsers on every answer", () => {
  test.each(PATHS)("%s", async (path) => {
    for (const accept of ["Accept: text/html", "Accept: */*"]) {
      const { text } = await send(victim, requestText(path, [accept, "Origin: https://evil.test"]));
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
  test.each(FORGED.redirects)("%s", async (path) => {
    const { text } = await send(victim, requestText(path, ["Accept: text/html"]));
    const location = /^location: (.*)$/im.exec(text)?.[1];
    if (location !== undefined)
      expect(location).toMatch(/^\/(?:en\/)?(?:ip\/[0-9a-f.:]+(?:\?[^\s]*)?|compare\?ips=[0-9a-f.:,]+)$/);
    expect(URL.parse(location ?? "/", ORIGIN)?.origin).toBe(ORIGIN);
  });
});
