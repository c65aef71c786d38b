import { afterAll, beforeAll, expect, test } from "bun:test";
import { findFreePort, type RunningService, setUp } from "#kit";
import { siteTextsOf } from "#locale";
import { STOCK, startStockedService } from "./stocked_service.ts";
import { describeInBrowser, findBarriers, setUpBrowser } from "./visitor.ts";

const { script: words } = siteTextsOf("en").families;

/** What the section shows: each exit, then what the two have in common. Runs in the page. */
const READ = `[...document.querySelectorAll("#families li, #families .compared")].map((it) => it.innerText.replace(/\\n+/g, "\\n"))`;

describeInBrowser("both addresses of a visitor", () => {
  const setup = setUp("all");
  const startVisitor = setUpBrowser(["v4.test 127.0.0.1", "v6.test [::1]"]);
  const gateways: Bun.Server<undefined>[] = [];
  let service: RunningService;
  /** The address that each gateway names as the visitor's. */
  const visitor = { four: STOCK.bad as string, six: STOCK.ipv6 as string };
  let origins = { four: "", six: "" };

  /** A web server in front of the service, which listens in one family only. */
  function startGateway(hostname: string, port: number, own: "four" | "six"): void {
    gateways.push(
      Bun.serve({
        hostname,
        port,
        fetch({ url, headers }) {
          const { pathname, search } = new URL(url);
          const sent = new Headers(headers);
          sent.set("x-forwarded-for", visitor[own]);
          return fetch(service.url + pathname + search, { headers: sent, decompress: false });
        },
      }),
    );
  }

  beforeAll(async () => {
    const [four, six] = [await findFreePort(), await findFreePort()];
    origins = { four: `http://v4.test:${four}`, six: `http://v6.test:${six}` };
    service = await startStockedService(setup, {
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
      LIMPID_IPV4_URL: origins.four,
      LIMPID_IPV6_URL: origins.six,
    });
    startGateway("127.0.0.1", four, "four");
    startGateway("::1", six, "six");
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop(true);
  });

  async function read(path: string): Promise<readonly string[]> {
    const { page, complaints, origins: asked } = await startVisitor();
    await page.goto(origins.four + path);
    await page.locator("#families .compared").waitFor({ state: "attached" });
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...asked].toSorted()).toEqual([origins.four, origins.six]);
    return (await page.evaluate(READ)) as readonly string[]; // the text above makes it one
  }

  test("are shown with their verdicts on the home page and on the own report, and how they differ", async () => {
    for (const path of ["/en", "/en/ip/me"]) {
      visitor.four = STOCK.clean;
      const [four, six, differ] = await read(path);
      expect(four).toMatch(/^IPv4\n81\.2\.69\.10\n\d+\/100 /);
      expect(six).toStartWith(`IPv6\n${STOCK.ipv6}\n`);
      expect(differ).toContain("different countries (United Kingdom / Netherlands)");
      expect(differ).toContain("different kinds (Residential / Hosting (data centre))");
      visitor.four = STOCK.bad;
      const [, , alike] = await read(path);
      expect(alike).toBe(words.same);
    }
  });

  test("of an address without a report show what local tables know, and unknown facts do not differ", async () => {
    visitor.six = "2a01:4f8::1";
    const [, six] = await read("/en");
    expect(six).toContain(words.thin);
    expect(six).toContain("AS24940");
    visitor.six = "2001:db8::1";
    const [, special, compared] = await read("/en");
    expect(special).toContain("2001:db8::1");
    expect(compared).toBe("");
  });

  test("are not mixed up: a name that leads to the other family counts as not reached", async () => {
    visitor.six = STOCK.clean;
    const [, six, compared] = await read("/en");
    expect(six).toBe(`IPv6\n${words.none?.replace("{family}", "IPv6")}`);
    expect(compared).toBe("");
    visitor.six = STOCK.ipv6;
  });

  test("are not asked for on other pages", async () => {
    for (const path of ["/en/method", "/en/compare", `/en/ip/${STOCK.clean}`]) {
      const { page, origins: asked } = await startVisitor();
      const answer = await page.goto(origins.four + path);
      expect((await answer?.allHeaders())?.["content-security-policy"]).not.toContain(origins.six);
      expect(await page.locator("#families").count()).toBe(0);
      expect([...asked]).toEqual([origins.four]);
    }
  });
});
