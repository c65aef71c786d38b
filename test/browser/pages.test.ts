import { afterAll, beforeAll, expect, test } from "bun:test";
import { HtmlValidate } from "html-validate";
import type { BrowserContextOptions, Page, Response } from "playwright-core";
import { type RunningService, setUp } from "#kit";
import type { Language } from "#report";
import { STOCK, startStockedService } from "./stocked_service.ts";
import { describeInBrowser, findBarriers, overflowOf, setUpBrowser, type Visitor } from "./visitor.ts";

/** Largest page with its style sheets and scripts, compressed, without the JSON of the report, in bytes. */
const MOST_BYTES = 60_000;

const UNKNOWN = "8.8.4.4";
const NARROW = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 900 };

interface Kind {
  /** Path and query without the language. */
  readonly path: string;
  readonly status: number;
  /** The client that the proxy names; absent = an exempt client. */
  readonly from?: string;
}

const KINDS = {
  overloaded: { path: "/ip/8.8.4.99?wait=1", status: 503 },
  home: { path: "/", status: 200 },
  home_known: { path: "/", status: 200, from: STOCK.bad },
  home_ipv6: { path: "/", status: 200, from: STOCK.ipv6 },
  report_clean: { path: `/ip/${STOCK.clean}`, status: 200 },
  report_bad: { path: `/ip/${STOCK.bad}`, status: 200 },
  report_own: { path: `/ip/${STOCK.bad}`, status: 200, from: STOCK.bad },
  report_stale: { path: `/ip/${STOCK.stale}`, status: 200 },
  report_failing: { path: `/ip/${STOCK.failing}`, status: 200 },
  report_ipv6: { path: `/ip/${STOCK.ipv6}`, status: 200 },
  report_long: { path: `/ip/${STOCK.long}`, status: 200 },
  report_example: { path: "/example", status: 200 },
  report_bogon: { path: "/ip/10.0.0.1", status: 200 },
  compare_empty: { path: "/compare", status: 200 },
  compare: { path: `/compare?ips=${STOCK.clean},${STOCK.bad},${STOCK.ipv6},10.0.0.1`, status: 200 },
  compare_problem: { path: `/compare?ips=${STOCK.long},${UNKNOWN}`, status: 200, from: "23.1.1.3" },
  network: { path: "/net/81.2.69.0/24", status: 200 },
  network_listed: { path: "/net/185.220.101.0/24", status: 200 },
  network_wide: { path: "/net/45.0.0.0/12", status: 200 },
  network_ipv6: { path: "/net/2a02:8010:64f2::/48", status: 200 },
  as: { path: "/as/13335", status: 200 },
  not_prefix: { path: "/net/81.2.69.0/33", status: 400 },
  method: { path: "/method", status: 200 },
  docs: { path: "/docs", status: 200 },
  check: { path: `/ip/${UNKNOWN}`, status: 403, from: "23.1.1.2" },
  invalid_ip: { path: "/ip/300.1.1.1", status: 400 },
  not_found: { path: "/nothing", status: 404 },
  rate_limited: { path: `/ip/${STOCK.clean}`, status: 429, from: "23.1.1.1" },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof KINDS;

function pathIn(language: Language, path: string): string {
  if (language === "zh") return path;
  return path === "/" ? "/en" : `/en${path}`;
}

const validator = new HtmlValidate({ root: true, extends: ["html-validate:recommended"] });

async function findMistakes(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
  );
}

/** Heights of links and buttons that are too low to be hit with a finger. Runs in the page. */
const LIST_LOW = `[...document.querySelectorAll("a[href], button, summary, input, select")]
  .filter((it) => it.checkVisibility() && !it.classList.contains("skip") && it.type !== "radio")
  .filter((it) => it.getBoundingClientRect().height < 24)
  .map((it) => Math.round(it.getBoundingClientRect().height) + " " + it.outerHTML.slice(0, 100))`;

/** Addresses that are on more than one line. Runs in the page. */
const LIST_BROKEN = `[...document.querySelectorAll("bdi.whole")]
  .filter((it) => it.checkVisibility() && it.getClientRects().length > 1)
  .map((it) => it.textContent)`;

/** The usual report is at most this high on a phone, in pixels. */
const MOST_HEIGHT = 3500;

/** Bytes of the responses as sent. The page counts without the JSON of the report, compressed as the service does it. */
async function weigh({ arrived }: Visitor, html: string): Promise<{ page: number; rest: number }> {
  let page = 0;
  let rest = 0;
  for (const request of arrived) {
    const { responseBodySize } = await request.sizes();
    const response = await request.response();
    if (request.resourceType() === "document") {
      expect((await response?.allHeaders())?.["content-encoding"]).toBe("gzip");
      const bare = html.replace(/(<script type="application\/json"[^>]*>).*?(<\/script>)/s, "$1$2");
      page = responseBodySize - Bun.gzipSync(html).length + Bun.gzipSync(bare).length;
    } else rest += responseBodySize;
  }
  return { page, rest };
}

/** Records which elements had the focus, and whether they were visible. Runs in the page. */
const WATCH_FOCUS = `
  window.focused = new Set();
  window.unseen = [];
  document.addEventListener("focusin", ({ target }) => {
    focused.add(target.type === "radio" ? target.name : target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    const isInView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 1 || !isInView) unseen.push(target.outerHTML.slice(0, 120));
  });
`;

/** The controls that the keyboard did not reach. Runs in the page. */
const LIST_UNREACHED = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((it) => !it.disabled && it.type !== "hidden" && it.checkVisibility({ visibilityProperty: true }))
  .filter((it) => !focused.has(it.type === "radio" ? it.name : it))
  .map((it) => it.outerHTML.slice(0, 120))`;

/** Goes through the page with the Tab key and lists the controls that it did not reach. */
async function findUnreached(page: Page): Promise<unknown> {
  const wanted = Number(await page.evaluate(`${LIST_UNREACHED}.length`));
  expect(wanted).toBeGreaterThan(5);
  // A scrollable element can get the focus by itself.
  await Promise.all(Array.from({ length: wanted + 5 }, () => page.keyboard.down("Tab")));
  await page.keyboard.up("Tab");
  return await page.evaluate(LIST_UNREACHED);
}

describeInBrowser("every page in a real browser", () => {
  let delayMs = 0;
  const setup = setUp("all", { delayMs: () => delayMs });
  const startVisitor = setUpBrowser();
  let service: RunningService;
  const background: Promise<unknown>[] = [];

  beforeAll(async () => {
    service = await startStockedService(setup, {
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
      LIMPID_OPEN_PER_DAY: "0",
      // Few surveys at once and short waiting, so that few requests make it busy.
      LIMPID_POOL: "64",
      LIMPID_SURVEY_MS: "20000",
    });
  });
  afterAll(() => Promise.all(background));

  /** Brings the service into the state for this page. */
  async function arrange(status: number, from: string | undefined): Promise<void> {
    const headers = from === undefined ? {} : { "x-forwarded-for": from };
    const ask = (ip: string) => fetch(`${service.url}/api/lookup?ip=${ip}`, { headers });
    // Below the time limits of sources: after failures, a source is not asked, and surveys end soon.
    delayMs = status === 503 ? 2500 : 0;
    if (status === 503) {
      for (let index = 0; index < 8; index++) {
        background.push(ask(`8.8.${20 + background.length}.1`).catch(() => undefined));
      }
      // Each probe asks for another address, because one that was admitted is stored.
      for (let probe = 0; (await ask(`8.9.${background.length}.${probe}`)).status !== 503; probe += 1);
    }
    while (status === 429 && (await ask("10.0.0.1")).status !== 429);
  }

  async function open(kind: Kind, language: Language): Promise<{ visitor: Visitor; answer: Response }> {
    const headers = kind.from === undefined ? {} : { extraHTTPHeaders: { "x-forwarded-for": kind.from } };
    const visitor = await startVisitor({ viewport: WIDE, colorScheme: "light", ...headers });
    await visitor.page.addInitScript(WATCH_FOCUS);
    const answer = await visitor.page.goto(service.url + pathIn(language, kind.path));
    if (answer === null) throw new Error(`Cannot open ${kind.path}: no answer`);
    if (kind.status === 403) await visitor.page.getByRole("checkbox").waitFor();
    return { visitor, answer };
  }

  /** Most CSS pixels that a page is tall on a phone. */
  const MOST_TALL: Partial<Record<KindName, number>> = { method: 5200, docs: 5500 };

  async function look(name: KindName, language: Language): Promise<void> {
    const kind: Kind = KINDS[name];
    const { visitor, answer } = await open(kind, language);
    const { page } = visitor;
    expect(answer.status()).toBe(kind.status);
    const html = await answer.text();
    expect(await findMistakes(html)).toEqual([]);

    // The two languages together cover each theme and each width.
    const themes = language === "zh" ? (["light", "dark"] as const) : (["dark", "light"] as const);
    for (const [index, viewport] of [WIDE, NARROW].entries()) {
      await page.setViewportSize(viewport);
      const mostTall = MOST_TALL[name];
      if (mostTall !== undefined && viewport === NARROW)
        expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(mostTall);
      await page.emulateMedia({ colorScheme: themes[index] ?? null });
      expect(await findBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      if (!name.startsWith("report_")) continue;
      expect(await page.evaluate(LIST_LOW)).toEqual([]);
      expect(await page.evaluate(LIST_BROKEN)).toEqual([]);
    }
    if (name === "report_clean" || name === "report_ipv6" || name === "report_bogon")
      expect(Number(await page.evaluate("document.documentElement.scrollHeight"))).toBeLessThan(MOST_HEIGHT);

    const weight = await weigh(visitor, html);
    expect(weight.page).toBeGreaterThan(500);
    expect(weight.page + weight.rest).toBeLessThan(MOST_BYTES);

    // The other language has the same links and controls in the same places.
    if (language === "en") expect(await findUnreached(page)).toEqual([]);
    expect(await page.evaluate("unseen")).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    expect([...visitor.origins]).toEqual([service.url]);

    // The checks above take longer than a survey.
    if (kind.status === 503) await arrange(503, kind.from);
    const other = language === "zh" ? "en" : "zh";
    const tag = await page.evaluate("document.documentElement.lang");
    await page.locator("header a[hreflang]").click();
    await page.waitForURL(service.url + pathIn(other, kind.path), { timeout: 5000 });
    expect(await page.evaluate("document.documentElement.lang")).not.toBe(tag);
    expect(await page.locator("header a[hreflang]").getAttribute("href")).toBe(pathIn(language, kind.path));
  }

  test.each(Object.keys(KINDS) as KindName[])(
    "is valid, accessible, light, ours alone, and the same page in both languages: %s",
    async (name) => {
      const kind: Kind = KINDS[name];
      await arrange(kind.status, kind.from);
      await Promise.all([look(name, "zh"), look(name, "en")]);
    },
    // The documentation page is long, and a slow machine needs more time for it.
    120_000,
  );

  /** Opens the report and all its sections. */
  async function openReport(options: BrowserContextOptions = {}): Promise<Visitor> {
    const headers = { "x-forwarded-for": STOCK.bad };
    const visitor = await startVisitor({ extraHTTPHeaders: headers, ...options });
    await visitor.page.goto(`${service.url}/en/ip/${STOCK.bad}`);
    return visitor;
  }

  const LIST_MOVING = `[...document.querySelectorAll("*")].filter((it) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(it);
    return transitionDuration.split(", ").some((it) => it !== "0s") || animationName !== "none" || scrollBehavior === "smooth";
  }).map((it) => it.outerHTML.slice(0, 80))`;

  test("moves nothing for those who asked for stillness", async () => {
    const visitor = await openReport({ reducedMotion: "reduce" });
    expect(await visitor.page.evaluate(LIST_MOVING)).toEqual([]);
    await visitor.page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await visitor.page.evaluate(LIST_MOVING)).not.toEqual([]);
  });

  test("prints on white, all of it, and nothing that only a screen can do", async () => {
    const visitor = await openReport({ colorScheme: "dark" });
    const { page } = visitor;
    const hidden = page.locator("details .names li, details .rows li").first();
    expect(await hidden.evaluate((it) => it.checkVisibility())).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await hidden.evaluate((it) => it.checkVisibility())).toBe(true);
    for (const selector of [
      "header nav",
      "footer nav",
      "form",
      ".tools",
      "#feedback-form",
      ".each",
      ".skip",
    ]) {
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    }
    const colours = await page.evaluate(
      `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".card")).backgroundColor, getComputedStyle(document.querySelector("h1")).color]`,
    );
    expect(colours).toEqual(["rgb(255, 255, 255)", "rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(9);
  });

  test("keeps its bars, dial, pills and boxes apart in forced colours", async () => {
    const visitor = await openReport({ forcedColors: "active" });
    const { page } = visitor;
    const read = (selector: string, property: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector("${selector}")).getPropertyValue("${property}")`,
      );
    expect(await read(".bar .fill", "fill")).not.toBe(await read(".bar .rail", "fill"));
    expect(await read(".gauge .value", "stroke")).not.toBe(await read(".gauge .track", "stroke"));
    const ground = await read(".hero", "background-color");
    expect(await read(".gauge .value", "stroke")).not.toBe(ground);
    expect(await read(".bar .fill", "fill")).not.toBe(ground);
    for (const box of [".card", ".hero", ".pill", "button:not([hidden])", ".tag", ".cite pre"]) {
      expect(await read(box, "border-top-style"), box).toBe("solid");
    }
    expect(await findBarriers(page)).toEqual([]);
  });

  test("is complete without script: report, lookup, comparison, method, and words where a script is needed", async () => {
    const visitor = await openReport({ javaScriptEnabled: false });
    const { page } = visitor;
    const report = JSON.parse((await page.locator("script#service-report").textContent()) ?? "");
    expect(await page.locator(".gauge text").first().textContent()).toContain(String(report.risk.purity));
    for (const { label } of report.risk.factors) {
      expect(await page.locator(".bill").textContent()).toContain(label);
    }
    const group = page.locator("details.each");
    await group.locator("summary").first().click();
    expect(await group.getAttribute("open")).not.toBeNull();
    expect(await page.locator(".rating noscript").isVisible()).toBe(true);
    expect(await page.locator("#feedback-form button").isDisabled()).toBe(true);
    await page.locator("a.js-refresh").click();
    expect(await page.locator("noscript").first().isVisible()).toBe(true);

    await page.goto(`${service.url}/en/compare`);
    await page.locator("textarea").fill(`${STOCK.clean}\n${STOCK.ipv6}`);
    await page.locator("main button").click();
    await page.waitForURL(/compare\?ips=/);
    expect(await page.locator("table.versus th[scope=row] a").count()).toBe(2);
  });

  test("keep the chosen theme, each of them", async () => {
    const { page } = await startVisitor({ colorScheme: "light" });
    await page.goto(`${service.url}/en`);
    await page.locator("#theme").click();
    const paths = "/method /docs /compare /nothing /ip/10.0.0.1 /ip/300.1.1.1 /net/81.2.69.0/24";
    for (const path of paths.split(" ")) {
      await page.goto(`${service.url}/en${path}`);
      expect(await page.evaluate("document.documentElement.dataset.theme"), path).toBe("dark");
      expect(await page.locator("#theme").getAttribute("aria-pressed"), path).toBe("true");
    }
  });

  test("counts a wait down, announces its end alone, and leads back to what was asked", async () => {
    const from = "23.1.1.9";
    await arrange(429, from);
    const visitor = await startVisitor({ extraHTTPHeaders: { "x-forwarded-for": from } });
    const { page } = visitor;
    await page.clock.install({ time: 0 });
    // Without this, real seconds pass too.
    await page.clock.pauseAt(1000);
    await page.goto(`${service.url}/en/ip/${STOCK.clean}?refresh=1`);
    const note = page.locator("#wait");
    const seconds = Number(await note.getAttribute("data-seconds"));
    expect(seconds).toBeGreaterThan(10);
    await page.clock.runFor(2000);
    expect(await note.textContent()).toBe(`Please retry in ${seconds - 2} seconds.`);
    expect(await note.getAttribute("role")).toBeNull();
    await page.clock.runFor((seconds - 3) * 1000);
    expect(await note.textContent()).toContain(" 1 second ");
    await page.clock.runFor(1000);
    expect(await note.textContent()).toBe("You can try again now.");
    expect(await note.getAttribute("role")).toBe("status");
    const asked = page.waitForRequest(`${service.url}/en/ip/${STOCK.clean}?refresh=1`);
    await page.getByRole("link", { name: "Try again" }).click();
    await asked;
  });
});
