import { afterAll, afterEach, beforeAll, describe, expect } from "bun:test";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { findProgram, startChromium } from "#kit";

const AXE = await Bun.file(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js")).text();

/** A browser window without history, and what happened in it. */
export interface Visitor {
  readonly page: Page;
  /** Errors and warnings of the console, without those about the status of a response. */
  readonly complaints: string[];
  /** Origins of all requests. */
  readonly origins: Set<string>;
  /** Bodies sent to `/api/verify`. */
  readonly solutions: string[];
  /** All responses. */
  readonly arrived: Request[];
}

/** Tests that need the Chromium of the system. */
export const describeInBrowser = describe.skipIf(findProgram("chromium") === undefined);

/** How a window is opened: at this URL, or at an empty page. */
export type VisitorOptions = BrowserContextOptions & { readonly at?: string };

/** Starts a browser before all tests of a `describe`. The result opens a window in it, until the test ends. */
export function setUpBrowser(names?: readonly string[]): (options?: VisitorOptions) => Promise<Visitor> {
  let browser: Browser;
  const opened: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await startChromium(names);
  });
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });
  afterAll(() => browser?.close());
  return async ({ at, ...options } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    opened.push(context);
    const visitor = watch(await context.newPage());
    if (at !== undefined) await visitor.page.goto(at);
    return visitor;
  };
}

function watch(page: Page): Visitor {
  const complaints: string[] = [];
  const origins = new Set<string>();
  const solutions: string[] = [];
  const arrived: Request[] = [];
  page.on("console", (message) => {
    // Chromium writes this line about a response with an error status.
    const isStatus = /^Failed to load resource: the server responded with a status of (?:4\d\d|503) /.test(
      message.text(),
    );
    if (["error", "warning"].includes(message.type()) && !isStatus) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    origins.add(new URL(request.url()).origin);
    const body = request.postData();
    if (request.url().includes("/api/verify") && body !== null) solutions.push(body);
  });
  page.on("requestfinished", (request) => arrived.push(request));
  return { page, complaints, origins, solutions, arrived };
}

/** Rules of WCAG 2.2 A and AA and of good practice that the page breaks, found by axe-core. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(`if (window.axe === undefined) { ${AXE} }`);
  // Part of WCAG 2.2, but off by default.
  const options = { rules: { "target-size": { enabled: true } } };
  const found: unknown = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + " " + failureSummary)))`,
  );
  return found as string[]; // the text above makes it one
}

/** How many pixels the page is wider than the window. */
export function overflowOf(page: Page): Promise<unknown> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** Clicks the box of the check. */
export async function tick(page: Page): Promise<void> {
  await page.getByRole("checkbox").click();
}

/** Waits for the page of a report. */
export async function expectReport(page: Page, ip: string): Promise<void> {
  await page.locator("script#service-report").waitFor({ state: "attached" });
  const report: unknown = JSON.parse((await page.locator("script#service-report").textContent()) ?? "");
  expect(report).toMatchObject({ ip });
}
