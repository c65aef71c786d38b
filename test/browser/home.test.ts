import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { setUp, setUpService } from "#kit";
import { checkTextsOf } from "#locale";
import { describeInBrowser, expectReport, findBarriers, setUpBrowser } from "./visitor.ts";

/** Looks an address up in the form of the front page. */
async function submit(page: Page, address: string): Promise<void> {
  await page.locator("#lookup-form input[name=ip]").fill(address);
  await page.keyboard.press("Enter");
}

describeInBrowser("the front page in a real browser", () => {
  // Long enough to see and check the progress.
  const setup = setUp("all", { delayMs: () => 2500 });
  const service = setUpService({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "2" }, setup);
  const startVisitor = setUpBrowser();

  test("shows the progress of a lookup, then the report; without allowance the check", async () => {
    const { page, complaints, origins } = await startVisitor({ at: `${service.url}/en` });
    await submit(page, "8.8.6.10");
    await page.locator("#progress li").first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.10$/);
    await expectReport(page, "8.8.6.10");

    // A known address has no survey, so no progress.
    await page.goto(`${service.url}/en`);
    await submit(page, "8.8.6.10");
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.10$/);

    await page.goto(`${service.url}/`);
    await submit(page, "2001:4860:4860::8844");
    await page.waitForURL(/\/ip\/2001:4860:4860::8844$/);
    await expectReport(page, "2001:4860:4860::8844");

    await page.goto(`${service.url}/en`);
    await submit(page, "8.8.6.11");
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.11$/);
    await page
      .getByRole("heading", { level: 1, name: checkTextsOf("en").title.lookup("8.8.6.11") })
      .waitFor();
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service.url]);
  });

  test("leaves what is no address to the form itself", async () => {
    const { page } = await startVisitor({ at: `${service.url}/en` });
    await submit(page, "not an address");
    await page.waitForURL(/ip=not/);
  });

  test("says in words when there were too many lookups, and tries again when asked", async () => {
    const few = await setup.start({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_LOOKUPS_PER_MINUTE: "2" });
    const { page } = await startVisitor({ at: `${few.url}/en` });
    let status = 200;
    while (status !== 429) ({ status } = await fetch(`${few.url}/api/lookup?ip=8.8.6.12`));
    await submit(page, "8.8.6.12");
    await page.getByRole("button", { name: checkTextsOf("en").progress.tryAgain ?? "-" }).waitFor();
    expect(await page.locator("#progress .progress-message").textContent()).toMatch(/\b2\b.*minute/);
    expect(await findBarriers(page)).toEqual([]);
    const asked = page.waitForRequest(/\/api\/progress/);
    await page.getByRole("button", { name: checkTextsOf("en").progress.tryAgain ?? "-" }).click();
    await asked;
  });

  test("says so when the connection breaks, and when there is none", async () => {
    const words = checkTextsOf("zh").progress;
    const brief = await setup.start();
    const { page } = await startVisitor({ at: `${brief.url}/` });
    await submit(page, "8.8.6.13");
    await page.locator("#progress li").first().waitFor();
    await brief.stop("SIGKILL");
    await page.getByText(words.lost ?? "-").waitFor();
    await page.getByRole("button", { name: words.tryAgain ?? "-" }).click();
    await page.getByText(words.unreachable ?? "-").waitFor();
  });

  test("shows the progress at once for a direct link to a new address, then its report", async () => {
    const fresh = await setup.start({ LIMPID_EXEMPT_CLIENTS: "" });
    const { page, complaints } = await startVisitor();
    const answer = await page.goto(`${fresh.url}/en/ip/8.8.6.21`);
    expect(await answer?.text()).not.toContain("service-report");
    await page.locator("#progress li").first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await expectReport(page, "8.8.6.21");
    expect(page.url()).toBe(`${fresh.url}/en/ip/8.8.6.21`);
    expect(complaints).toEqual([]);
  });

  test("shows a refused direct link as before, and waits without script", async () => {
    const none = await setup.start({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "1" });
    const { page } = await startVisitor({ javaScriptEnabled: false });
    await page.goto(`${none.url}/en/ip/8.8.6.22`);
    await page.waitForURL(/\/en\/ip\/8\.8\.6\.22\?wait=1$/);
    expect(await page.locator("h1").textContent()).toContain("8.8.6.22");
    expect((await page.goto(`${none.url}/en/ip/8.8.6.23`))?.status()).toBe(403);
  });

  test("looks up without script", async () => {
    const { page } = await startVisitor({ javaScriptEnabled: false, at: `${service.url}/en` });
    await page.locator("#lookup-form input[name=ip]").fill("8.8.6.10");
    await page.locator("#lookup-form button").first().click();
    await page.waitForURL(/8\.8\.6\.10/);
    expect(await page.locator("h1").textContent()).toContain("8.8.6.10");
  });
});
