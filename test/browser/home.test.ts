import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  findProgram,
  type RunningService,
  startChromium,
  startService,
  startUpstreams,
  type TestUpstreams,
} from "#kit";
import { checkTextsOf } from "#locale";
import { expectReport, findBarriers, startVisitor } from "./visitor.ts";

describe.skipIf(findProgram("chromium") === undefined)("the front page in a real browser", () => {
  let browser: Browser;
  let upstreams: TestUpstreams;
  let service: RunningService;

  beforeAll(async () => {
    upstreams = await startUpstreams({ delayMs: () => 700 });
    service = await startService({
      env: { ...upstreams.env, LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "2" },
    });
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await upstreams?.close();
  });

  test("shows the progress of a lookup, then the report; without allowance the check", async () => {
    const visitor = await startVisitor(browser);
    const { page } = visitor;
    await page.goto(`${service.url}/en`);
    await page.locator("#lookup-form input[name=ip]").fill("8.8.6.10");
    await page.keyboard.press("Enter");
    await page.locator("#progress li").first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.10$/);
    await expectReport(page, "8.8.6.10");

    // A known address has no survey, so no progress.
    await page.goto(`${service.url}/en`);
    await page.locator("#lookup-form input[name=ip]").fill("8.8.6.10");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.10$/);

    await page.goto(`${service.url}/`);
    await page.locator("#lookup-form input[name=ip]").fill("2001:4860:4860::8844");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ip\/2001:4860:4860::8844$/);
    await expectReport(page, "2001:4860:4860::8844");

    await page.goto(`${service.url}/en`);
    await page.locator("#lookup-form input[name=ip]").fill("8.8.6.11");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.11$/);
    await page
      .getByRole("heading", { level: 1, name: checkTextsOf("en").title.lookup("8.8.6.11") })
      .waitFor();
    expect(visitor.complaints).toEqual([]);
    expect([...visitor.origins]).toEqual([service.url]);
    await visitor.close();
  });

  test("leaves what is no address to the form itself", async () => {
    const visitor = await startVisitor(browser);
    const { page } = visitor;
    await page.goto(`${service.url}/en`);
    await page.locator("#lookup-form input[name=ip]").fill("not an address");
    await page.keyboard.press("Enter");
    await page.waitForURL(/ip=not/);
    await visitor.close();
  });

  test("says in words when there were too many lookups, and tries again when asked", async () => {
    const few = await startService({
      env: { ...upstreams.env, LIMPID_EXEMPT_CLIENTS: "", LIMPID_LOOKUPS_PER_MINUTE: "2" },
    });
    try {
      const visitor = await startVisitor(browser);
      const { page } = visitor;
      await page.goto(`${few.url}/en`);
      let status = 200;
      while (status !== 429) ({ status } = await fetch(`${few.url}/api/lookup?ip=8.8.6.12`));
      await page.locator("#lookup-form input[name=ip]").fill("8.8.6.12");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: checkTextsOf("en").progress.tryAgain ?? "-" }).waitFor();
      expect(await page.locator("#progress .progress-message").textContent()).toMatch(/\b2\b.*minute/);
      expect(await findBarriers(page)).toEqual([]);
      const asked = page.waitForRequest(/\/api\/progress/);
      await page.getByRole("button", { name: checkTextsOf("en").progress.tryAgain ?? "-" }).click();
      await asked;
      await visitor.close();
    } finally {
      await few.close();
    }
  });

  test("says so when the connection breaks, and when there is none", async () => {
    const words = checkTextsOf("zh").progress;
    const brief = await startService({ env: upstreams.env });
    const visitor = await startVisitor(browser);
    const { page } = visitor;
    try {
      await page.goto(`${brief.url}/`);
      await page.locator("#lookup-form input[name=ip]").fill("8.8.6.13");
      await page.keyboard.press("Enter");
      await page.locator("#progress li").first().waitFor();
      await brief.stop("SIGKILL");
      await page.getByText(words.lost ?? "-").waitFor();
      await page.getByRole("button", { name: words.tryAgain ?? "-" }).click();
      await page.getByText(words.unreachable ?? "-").waitFor();
    } finally {
      await visitor.close();
      await brief.close();
    }
  });

  test("looks up without script", async () => {
    const visitor = await startVisitor(browser, { javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto(`${service.url}/en`);
    await page.locator("#lookup-form input[name=ip]").fill("8.8.6.10");
    await page.locator("#lookup-form button").first().click();
    await page.waitForURL(/8\.8\.6\.10/);
    expect(await page.locator("h1").textContent()).toContain("8.8.6.10");
    await visitor.close();
  });
});
