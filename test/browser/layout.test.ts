/** What only a drawn page shows: widths of bars, heights of pages, sizes of letters, broken words. */
import { beforeAll, expect, test } from "bun:test";
import { type RunningService, setUp } from "#kit";
import { type Bar, expectBarsAsPoints, MEASURE_BARS } from "./bars.ts";
import { STOCK, startStockedService } from "./stocked_service.ts";
import { describeInBrowser, findBarriers, setUpBrowser, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 900 };

/** The report of a bad address is at most this high on a phone, in pixels. */
const MOST_HEIGHT = 3500;

/** Lists what matches both patterns and is on more than one line, outside of `skipped`. Runs in the page. */
const listBroken = (skipped: string, pattern: RegExp, kept: RegExp) => `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("${skipped}")) continue;
    for (const { index, 0: found } of node.data.matchAll(${pattern})) {
      if (!${kept}.test(found)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(found);
    }
  }
  return broken;
})()`;

/** Words of Latin letters. */
const LIST_BROKEN_WORDS = listBroken(".unseen, code, .url, .versus thead", /[A-Za-z0-9_]+/g, /./);

/** Dates, offsets to UTC, and names with a hyphen such as ip-api.com. */
const LIST_BROKEN_NAMES = listBroken(
  ".unseen, code",
  /UTC[+\u2212]\d+|[A-Za-z\d.]+(?:-[A-Za-z\d]+)+/g,
  /[\d.]|-[A-Z]|UTC/,
);

/** Lists and tables whose content is higher than they are or wider than their card. Runs in the page. */
const LIST_CUT = `[...document.querySelectorAll("main :is(ul, dl, table, section, tbody th)")]
  .filter((it) => it.checkVisibility() && !it.closest(".unseen, .wide *"))
  .filter((it) => it.scrollHeight > it.clientHeight + 2 || it.scrollWidth > (it.matches(".wide") ? Infinity : it.clientWidth + 2)
    || it.getBoundingClientRect().right > (it.closest(".card") ?? it).getBoundingClientRect().right)
  .map((it) => it.outerHTML.slice(0, 80))`;

/** The visible texts that are smaller than 12 px on the screen; a drawing scales its texts. Runs in the page. */
const LIST_SMALL_TEXTS = `[...document.querySelectorAll("main *")]
  .filter((it) => it.checkVisibility() && !it.closest(".unseen") && [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((it) => parseFloat(getComputedStyle(it).fontSize) * (it.closest("svg") ? it.getScreenCTM().a : 1) < 11.99)
  .map((it) => it.outerHTML.slice(0, 80))`;

describeInBrowser("the layout of the pages", () => {
  const setup = setUp("all");
  const startVisitor = setUpBrowser();
  let service: RunningService;
  beforeAll(async () => {
    service = await startStockedService(setup, {
      LIMPID_EXEMPT_CLIENTS: "",
      LIMPID_LOOKUPS_PER_MINUTE: "1000",
    });
  });

  async function open(path: string, viewport = PHONE): Promise<Visitor["page"]> {
    const { page } = await startVisitor({ viewport });
    await page.goto(service.url + path);
    return page;
  }

  test.each([PHONE, WIDE])("bars of rules are as long as their points at %o", async (viewport) => {
    const bars: unknown = await (await open("/en/method", viewport)).evaluate(MEASURE_BARS);
    expectBarsAsPoints(bars as readonly Bar[]);
  });

  test.each(["/en", ""])("reports are short on a phone: %s", async (language) => {
    for (const ip of [STOCK.bad, STOCK.failing, STOCK.clean]) {
      const page = await open(`${language}/ip/${ip}`);
      expect(Number(await page.evaluate("document.documentElement.scrollHeight"))).toBeLessThan(MOST_HEIGHT);
      // The table of sources has room without scrolling.
      expect(
        await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.who .wide'))",
        ),
      ).toBe(0);
      for (const one of await page.locator(".bill .words").all()) expect(await one.isVisible()).toBe(true);
    }
  });

  test("no word is broken inside on a phone", async () => {
    for (const path of [
      `/ip/${STOCK.bad}`,
      `/ip/${STOCK.failing}`,
      "/method",
      "/",
      "/example",
      `/compare?ips=${STOCK.bad},${STOCK.clean}`,
    ])
      for (const language of ["", "/en"]) {
        const page = await open(language + path);
        await page.evaluate(
          "document.querySelectorAll('.columns details').forEach((it) => { it.open = true; })",
        );
        expect(await page.evaluate(LIST_BROKEN_WORDS), language + path).toEqual([]);
      }
  });

  test("no date and no name with a hyphen is broken on a phone, and no page is wider than the screen", async () => {
    for (const path of [
      `/ip/${STOCK.bad}`,
      `/ip/${STOCK.failing}`,
      `/ip/${STOCK.stale}`,
      "/example",
      "/method",
      `/compare?ips=${STOCK.bad},${STOCK.clean},${STOCK.failing}`,
    ])
      for (const language of ["", "/en"]) {
        const page = await open(language + path);
        await page.evaluate("document.querySelectorAll('main details').forEach((it) => { it.open = true; })");
        expect(await page.evaluate(LIST_BROKEN_NAMES), language + path).toEqual([]);
        const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(excess), language + path).toBe(0);
      }
  });

  test("the buttons of a report are in rows of three on a phone, each with one line of text", async () => {
    for (const language of ["", "/en"]) {
      const page = await open(`${language}/ip/${STOCK.bad}`);
      const boxes = (await page.evaluate(
        `[...document.querySelectorAll(".tools > :is(a, button), .menu > summary")].map((it) => it.getBoundingClientRect()).map(({ top, height }) => [top, height])`,
      )) as [number, number][];
      expect(Object.values(Object.groupBy(boxes, ([top]) => `${top}`)).map((row) => row?.length)).toEqual([
        3, 3,
      ]);
      expect(new Set(boxes.map(([, height]) => height)).size).toBe(1);
    }
  });

  test("no list or table is cut or lies over what follows", async () => {
    const compared = `/en/compare?ips=${STOCK.clean},${STOCK.bad},${STOCK.ipv6}`;
    const opened = `document.querySelectorAll(".columns details").forEach((it) => { it.open = true; }), ${LIST_CUT}`;
    for (const path of ["/net/81.0.0.0/8", "/as/15169", "/method", "/docs", `/en/ip/${STOCK.bad}`, compared])
      for (const viewport of [PHONE, WIDE])
        expect(await (await open(path, viewport)).evaluate(opened), path).toEqual([]);
  });

  test("the columns of a report end near each other, opening moves no card aside, and no button moves where a field opens", async () => {
    let page = await open("/example", WIDE);
    const measure = async (selector: string, edges: string) =>
      (await page.evaluate(
        `[...document.querySelectorAll("${selector}")].map((it) => it.getBoundingClientRect()).map(({ ${edges} }) => [${edges}])`,
      )) as [number, number][];
    for (const path of ["/example", `/ip/${STOCK.bad}`, `/en/ip/${STOCK.stale}`]) {
      page = await open(path, WIDE);
      const [one, other] = await measure(".column > :last-child", "left, bottom");
      expect(Math.abs((one?.[1] ?? 0) - (other?.[1] ?? 0)), path).toBeLessThan(230);
      const tops = await measure(".column > .card", "left, top");
      await page.evaluate('document.querySelector(".each").open = true');
      expect(await measure(".column > .card", "left, top"), path).toEqual(tops);
    }
    const buttons = [".tools > :is(a, button), .menu > summary", "left, top"] as const;
    const before = await measure(...buttons);
    await page.locator(".menu > summary").click();
    expect(await measure(...buttons)).toEqual(before);
  });

  test("every text is large enough to read", async () => {
    for (const viewport of [PHONE, WIDE])
      for (const path of [`/en/ip/${STOCK.bad}`, `/ip/${STOCK.failing}`, "/en/example", "/method", "/en"])
        expect(await (await open(path, viewport)).evaluate(LIST_SMALL_TEXTS), path).toEqual([]);
  });

  test("the header has a menu on a phone, beside a search field that is wide enough", async () => {
    const page = await open("/method");
    expect(Number(await page.evaluate("document.querySelector('.seek').clientWidth"))).toBeGreaterThan(110);
    await page.locator(".more summary").click();
    expect(await page.locator(".more a:visible").count()).toBe(3);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".more a:visible").count()).toBe(0);
  });

  test("deductions are no stops of the Tab key", async () => {
    const page = await open(`/en/ip/${STOCK.bad}`, WIDE);
    const stops = page.locator(".bill tr:not(.folded)").locator("a, button, input, summary, [tabindex]");
    expect(await stops.count()).toBe(0);
  });

  test("the card of the winner of a comparison has one mark, beside its text", async () => {
    const page = await open(`/en/compare?ips=${STOCK.clean},${STOCK.bad}`);
    const shadows = await page.evaluate(
      `[".won", ".won th"].map((it) => getComputedStyle(document.querySelector(it)).boxShadow !== "none")`,
    );
    expect(shadows).toEqual([true, false]);
  });
});
