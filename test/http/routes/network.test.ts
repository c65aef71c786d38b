import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { AsSummarySchema, NetworkSummarySchema, ProblemSchema } from "#report";
import VALUES from "../../fixtures/http/values.json";
import { openNetworks, openSmall } from "../../network/small_networks.ts";
import { openApp, openShared } from "../kit/open_app.ts";

const OPTIONS = {
  networks: openNetworks(
    openSmall({
      asn: [
        ["81.2.0.0/16", 64500, "Example <Broadband>"],
        ["2a02:8010::/32", 64500, "Example <Broadband>"],
      ],
      registration: [["81.2.0.0/16", "LT"]],
      country: [["81.2.0.0/16", "LT"]],
      geofeed: [["81.2.69.0/24", "TH", "Bangkok"]],
      lists: [["81.2.69.7/32", { feed: "tor_exits", meaning: "tor_exit" }]],
    }),
  ),
};

const ask = (path: string, headers: Record<string, string> = {}) =>
  openShared(OPTIONS).ask(path, { headers });
const BROWSER = { accept: "text/html", "user-agent": "Mozilla/5.0" };
const CURL = { accept: "*/*", "user-agent": "curl/8.0" };

describe("/net/{first}/{length}", () => {
  test("answers the summary as JSON, in which language does not matter", async () => {
    const [zh, en] = await Promise.all([ask("/net/81.2.69.0/24.json"), ask("/en/net/81.2.69.0/24.json")]);
    const summary = await zh.json();
    expect<unknown>(v.parse(NetworkSummarySchema, summary)).toEqual(summary);
    expect(await en.json()).toEqual(summary);
    expect(summary).toMatchObject({ listed: 1, isDisputed: true, declared: [{ country: "TH" }] });
  });

  test("answers text with a sign for each cell, in both languages", async () => {
    const en = await (await ask("/en/net/81.2.69.0/24.txt")).text();
    expect(en).toContain("Lists held here accuse 1 of 256 addresses");
    expect(en).toMatch(/ 81\.2\.69\.0 {4}[.?] [.?] [.?] [.?] [.?] [.?] [.?] # /);
    expect(en).toMatch(/Declared as Thailand, but registered in Lithuania and located in\s+Lithuania\./);
    expect(en).toContain("declared by the operator");
    expect(en).toContain("https://limpid.test/en/net/81.2.69.0/24");
    const zh = await (await ask("/net/81.2.69.0/24.txt")).text();
    expect(zh).toContain("256 个地址中有 1 个在本地风险名单上");
    expect(zh).toContain("声明位于泰国，但注册在立陶宛");
    for (const line of `${en}${zh}`.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
    expect(`${en}${zh}`).not.toContain("\u001b");
  });

  test("answers curl with coloured text, and browsers with a page", async () => {
    const text = await ask("/net/81.2.69.0/24", CURL);
    expect(text.headers.get("content-type")).toStartWith("text/plain");
    expect(text.headers.get("vary")).toContain("User-Agent");
    expect(await text.text()).toContain("\u001b[31m");
    expect(await (await ask("/net/81.2.69.0/24?color=0", CURL)).text()).not.toContain("\u001b");
    const page = await (await ask("/en/net/81.2.69.0/24", BROWSER)).text();
    expect(page).toContain('<td class="cell accused" title="81.2.69.7: ');
    expect(page).toContain("Example &lt;Broadband&gt;");
    expect(page).toContain('href="/en/net/81.2.0.0/16"');
    expect(page).toContain('content="noindex"');
  });

  test("has a picture that anyone may cache", async () => {
    const card = await ask("/net/81.2.69.0/24.png");
    expect(card.headers.get("content-type")).toBe("image/png");
    expect(card.headers.get("cache-control")).toBe("public, max-age=300");
    expect(card.headers.get("ratelimit")).toBeNull();
  });

  test("answers programs without a redirect to the canonical form", async () => {
    expect(await (await ask("/net/81.2.69.7/24.json")).json()).toMatchObject({ prefix: "81.2.69.0/24" });
    expect(await (await ask("/net/81.2.69.7.json")).json()).toMatchObject({ prefix: "81.2.69.0/24" });
    expect(await (await ask("/en/net/2a02:8010:1:2::3", CURL)).text()).toContain("2a02:8010:1::/48");
    expect(await (await ask("/as/as64500.json")).json()).toMatchObject({ asn: 64500 });
  });

  test("redirects pages to the canonical form, and from an address to its neighbours", async () => {
    for (const [path, location] of [
      ["/net/81.2.69.7/24", "/net/81.2.69.0/24"],
      ["/net/2A02:8010:0:0::1/48", "/net/2a02:8010::/48"],
      ["/net/81.2.69.7", "/net/81.2.69.0/24"],
      ["/en/net/2a02:8010:1:2::3", "/en/net/2a02:8010:1::/48"],
      ["/en/as/AS64500", "/en/as/64500"],
    ] as const) {
      const answer = await ask(path, BROWSER);
      expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
    }
  });
});

test("/as/{number} answers JSON, text and a page", async () => {
  const summary = await (await ask("/as/64500.json")).json();
  expect<unknown>(v.parse(AsSummarySchema, summary)).toEqual(summary);
  expect(summary).toMatchObject({ asn: 64500, addresses: 65_536, prefixes: [{ listed: 1 }] });
  expect(await (await ask("/en/as/64500.txt")).text()).toContain("65,536 IPv4 addresses");
  const page = await (await ask("/as/64500", BROWSER)).text();
  expect(page).toContain('href="/net/81.2.0.0/16"');
  expect(page).toContain("Example &lt;Broadband&gt;");
});

describe("bad input", () => {
  const REFUSED = VALUES.networks as [string, number, string, string][];

  test.each(REFUSED)(
    "%s is refused in both languages and every format",
    async (path, status, code, words) => {
      const en = await ask(`/en${path}.json`);
      const problem = v.parse(ProblemSchema, await en.json());
      expect<unknown>([en.status, problem.code]).toEqual([status, code]);
      expect(problem.error).toContain(words);
      const zh = v.parse(ProblemSchema, await (await ask(`${path}.json`)).json());
      expect<string>(zh.code).toBe(code);
      expect(zh.error).toMatch(/\p{Script=Han}/u);
      expect((await ask(path, BROWSER)).headers.get("content-type")).toStartWith("text/html");
      expect(await (await ask(`/en${path}.txt`)).text()).toStartWith(`${code}: `);
    },
  );
});

test("a mirror, and a service without a table of networks, say so", async () => {
  const mirror = await openShared({ mirror: { primaryUrl: "https://primary.test" } }).ask(
    "/net/81.2.69.0/24.json",
  );
  expect([mirror.status, v.parse(ProblemSchema, await mirror.json()).code]).toEqual([404, "not_in_mirror"]);
  const bare = openApp({ networks: openNetworks(openSmall({})) });
  expect((await bare.ask("/as/64500.json")).status).toBe(503);
  expect(await (await bare.ask("/en/net/81.2.69.0/24.txt")).text()).toContain(
    "Nobody, as far as the table knows",
  );
});

test("costs a lookup, and asks no source", async () => {
  const app = openApp({ ...OPTIONS, limits: { lookups: 2 } });
  expect((await app.ask("/net/81.2.69.0/24.json")).headers.get("ratelimit")).toContain('"lookup";r=1');
  expect((await app.ask("/as/64500.json")).status).toBe(200);
  expect((await app.ask("/net/81.2.69.0/24.json")).status).toBe(429);
  expect(app.calls).toEqual([]);
});

describe("the page of a report", () => {
  test("shows the address among its neighbours", async () => {
    const page = await (await ask("/en/ip/81.2.69.7", BROWSER)).text();
    expect(page).toContain("Among its neighbours");
    expect(page).toContain("Lists held here accuse 1 of 256 addresses");
    expect(page).toContain('<rect class="accused" x="7"');
    expect(page).toContain('href="/en/net/81.2.69.0/24"');
    expect(await (await openShared().ask("/en/ip/81.2.69.7", { headers: BROWSER })).text()).not.toContain(
      "neighbours",
    );
  });

  test("says nothing of neighbours of a special-purpose address", async () => {
    expect(await (await ask("/en/ip/10.0.0.1", BROWSER)).text()).not.toContain("Among its neighbours");
  });
});
