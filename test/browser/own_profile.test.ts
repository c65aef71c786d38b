import { beforeAll, expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { type RunningService, setUp } from "#kit";
import { reportPageTextsOf } from "#locale";
import { STOCK, startStockedService } from "./stocked_service.ts";
import { describeInBrowser, findBarriers, overflowOf, setUpBrowser } from "./visitor.ts";

const EN = reportPageTextsOf("en").profile;

/** Everything that a page can keep in this browser. Runs in the page. */
const LIST_KEPT = `Promise.all([caches.keys(), indexedDB.databases(), navigator.serviceWorker.getRegistrations()])
  .then((lists) => [...lists.flat(), ...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie].filter((it) => it !== ""))`;

/** What the card says: the address, then row by row. Runs in the page. */
const READ_ROWS = `[document.querySelector(".profile thead th:last-child").textContent,
  ...[...document.querySelectorAll(".profile tbody tr")].map((row) =>
    [row.querySelector(".match").textContent, ...[...row.querySelectorAll("td")].map((cell) => [...cell.children].map((line) => line.textContent).join(" | "))])]`;

describeInBrowser("the own exit, seen from a real browser", () => {
  const setup = setUp("all");
  let service: RunningService;
  beforeAll(async () => {
    service = await startStockedService(setup, { LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" });
  });
  const startVisitor = setUpBrowser();

  function openAs(ip: string, options: BrowserContextOptions = {}) {
    return startVisitor({ extraHTTPHeaders: { "x-forwarded-for": ip }, ...options });
  }

  async function readRows(ip: string, options: BrowserContextOptions, path = "/en/ip/me"): Promise<unknown> {
    const visitor = await openAs(ip, options);
    await visitor.page.goto(service.url + path);
    const rows = await visitor.page.evaluate(READ_ROWS);
    expect(visitor.complaints).toEqual([]);
    return rows;
  }

  test("fits an address in the same country, on every page about oneself", async () => {
    const dutch = { timezoneId: "Europe/Amsterdam", locale: "nl-NL" };
    for (const path of ["/en/ip/me", "/en/ip", `/en/ip/${STOCK.bad}`]) {
      expect(await readRows(STOCK.bad, dutch, path)).toEqual([
        "The address (Netherlands)",
        [
          EN.fits,
          expect.stringMatching(/^Europe\/Amsterdam \(UTC\+[12]\)$/),
          expect.stringContaining("Europe/Amsterdam"),
        ],
        [
          EN.fits,
          expect.stringMatching(/^\w{3} \d\d:\d\d \(UTC\+[12]\)$/),
          expect.stringMatching(/^\w{3} \d\d:\d\d$/),
        ],
        [EN.fits, "Dutch (Netherlands)", expect.stringMatching(/^Dutch, /)],
      ]);
    }
  });

  test("shows a difference as a difference, in the language of the page", async () => {
    const chinese = { timezoneId: "Asia/Shanghai", locale: "zh-CN" };
    const { differs } = reportPageTextsOf("zh").profile;
    expect(await readRows(STOCK.bad, chinese, "/ip/me")).toEqual([
      "这个 IP（荷兰）",
      [differs, "Asia/Shanghai (UTC+8)", expect.stringContaining("Europe/Amsterdam")],
      [differs, expect.stringMatching(/^周.\d\d:\d\d \(UTC\+8\)$/), expect.stringMatching(/^周.\d\d:\d\d$/)],
      [differs, "中文（中国）", expect.stringMatching(/^荷兰语、/)],
    ]);
  });

  test("is absent at a special-purpose address, which has no place", async () => {
    const { page } = await openAs("10.0.0.1");
    await page.goto(`${service.url}/en/ip/me`);
    expect(await page.locator("h1").textContent()).toBe("10.0.0.1");
    expect(await page.locator("main").textContent()).not.toContain(EN.title);
  });

  test("sends nothing and keeps nothing", async () => {
    const visitor = await openAs(STOCK.bad, { timezoneId: "Asia/Shanghai", locale: "zh-CN" });
    const { page } = visitor;
    const requests: string[] = [];
    page.on("request", (request) =>
      requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`),
    );
    const answer = await page.goto(`${service.url}/en/ip/me`);
    await page.locator(".profile").waitFor();
    // Only the page and its files, without a query. The page makes no other request by itself.
    await page.waitForTimeout(1500);
    const files = requests.filter((request) => !request.startsWith(`GET ${service.url}/static/`));
    expect(files).toEqual([`GET ${service.url}/en/ip/me `]);
    expect(requests.filter((request) => /[?&]|Shanghai|zh-CN/.test(request))).toEqual([]);
    expect(await page.evaluate(LIST_KEPT)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    // The page may do no more than the page about another address.
    const other = await fetch(`${service.url}/en/ip/${STOCK.clean}`, {
      headers: { "x-forwarded-for": STOCK.bad },
    });
    expect((await answer?.allHeaders())?.["content-security-policy"]).toBe(
      other.headers.get("content-security-policy") ?? "",
    );
    expect(visitor.complaints).toEqual([]);
  });

  test("is absent without script and on pages about others, and is printed", async () => {
    const bare = await openAs(STOCK.bad, { javaScriptEnabled: false });
    await bare.page.goto(`${service.url}/en/ip/me`);
    expect(await bare.page.locator("#own-profile").isVisible()).toBe(false);
    expect(await bare.page.locator("main").textContent()).not.toContain(EN.title);

    const visitor = await openAs(STOCK.bad);
    const { page } = visitor;
    await page.goto(`${service.url}/en/ip/${STOCK.clean}`);
    expect(await page.locator("#own-profile").count()).toBe(0);
    await page.goto(`${service.url}/en/ip/me`);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".profile").isVisible()).toBe(true);
  });

  test.each([
    [STOCK.bad, "light", 390],
    [STOCK.bad, "dark", 1280],
    [STOCK.long, "dark", 390],
  ] as const)("is accessible and fits its card: %s, %s, %d", async (ip, colorScheme, width) => {
    const visitor = await openAs(ip, {
      colorScheme,
      viewport: { width, height: 900 },
      timezoneId: "America/Argentina/ComodRivadavia",
    });
    const { page } = visitor;
    await page.goto(`${service.url}/en/ip/me`);
    await page.locator(".profile").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll(".profile th, .profile td")].filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)`,
      ),
    ).toEqual([]);
  });
});
