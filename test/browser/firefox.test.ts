/** The main pages in Firefox: the other tests of pages use Chromium. */
import { beforeAll, describe, expect, test } from "bun:test";
import { type FirefoxWindow, findProgram, type RunningService, setUp, startFirefox } from "#kit";
import { expectBarsAsPoints, MEASURE_BARS } from "./bars.ts";
import { STOCK, startStockedService } from "./stocked_service.ts";

/** Firefox starts in three seconds, and slower beside other tests. */
const START_MS = 30_000;

/** How far the page is wider than the window, in pixels. */
const OVERFLOW = "String(document.documentElement.scrollWidth - innerWidth)";

const PAGES = ["", `/ip/${STOCK.bad}`, `/compare?ips=${STOCK.bad},${STOCK.clean}`, "/method"];

describe.skipIf(findProgram("firefox-esr") === undefined)("the pages in Firefox", () => {
  const setup = setUp("all");
  let service: RunningService;
  let firefox: FirefoxWindow;
  beforeAll(async () => {
    service = await startStockedService(setup);
    firefox = setup.keep(await startFirefox(setup.makeFolder()));
  }, START_MS);

  test.each([390, 1280])("have no errors and fit at a width of %d pixels", async (width) => {
    await firefox.resize({ width, height: 900 });
    for (const language of ["/en", ""])
      for (const path of PAGES) {
        await firefox.open(service.url + (language + path || "/"));
        expect(await firefox.evaluate("document.querySelector('h1').textContent"), path).not.toBe("");
        expect(Number(await firefox.evaluate(OVERFLOW)), `${language}${path}`).toBeLessThanOrEqual(0);
        if (path === "/method")
          expectBarsAsPoints(JSON.parse(await firefox.evaluate(`JSON.stringify(${MEASURE_BARS})`)));
      }
    expect(firefox.complaints).toEqual([]);
  });

  test("tells what it refuses", async () => {
    await firefox.open(`${service.url}/en`);
    await firefox.evaluate(
      "document.body.append(Object.assign(new Image(), { src: 'https://example.com/a.png' }))",
    );
    await firefox.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    expect(firefox.complaints.splice(0)).toEqual([
      expect.stringContaining("(img-src) at https://example.com/a.png"),
    ]);
  });
});
