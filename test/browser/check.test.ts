import { beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { MIGRATIONS, type RunningService, setUp, setUpService } from "#kit";
import { checkTextsOf } from "#locale";
import { openStore } from "#store";
import {
  describeInBrowser,
  expectReport,
  findBarriers,
  overflowOf,
  setUpBrowser,
  tick,
  type Visitor,
  type VisitorOptions,
} from "./visitor.ts";

const LANGUAGES = [
  ["zh", ""],
  ["en", "/en"],
] as const;

/** Stores ratings of an address for streaming, one for each day before today. */
async function rateOnEarlierDays(
  { dataDirectory }: RunningService,
  address: string,
  ratings: readonly number[],
): Promise<void> {
  const url = `file:${join(dataDirectory, "limpid.db")}`;
  const store = await openStore({ url, migrations: MIGRATIONS });
  try {
    const today = Math.floor(Date.now() / 86_400_000);
    for (const [index, rating] of ratings.entries()) {
      const vote = { address, scenario: "streaming", voter: "v", day: today - 1 - index, rating };
      await store.ratings.saveVote(vote);
    }
  } finally {
    await store.close();
  }
}

describeInBrowser("the human check in a real browser", () => {
  let delayMs = () => 0;
  const setup = setUp("all", { delayMs: () => delayMs() });
  /** No client has an allowance without a check. */
  const strict = setUpService(
    {
      LIMPID_EXEMPT_CLIENTS: "",
      LIMPID_OPEN_PER_DAY: "0",
      LIMPID_LOOKUPS_PER_MINUTE: "10000",
      LIMPID_NEW_PER_MINUTE: "10000",
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
    },
    setup,
  );
  const startVisitor = setUpBrowser(["limpid.example"]);

  /** Opens the page of an address and passes its check. */
  async function startVerified(ip: string, options: VisitorOptions = {}): Promise<Visitor> {
    const visitor = await startVisitor({ ...options, at: `${strict.url}/en/ip/${ip}` });
    await tick(visitor.page);
    await expectReport(visitor.page, ip);
    return visitor;
  }

  beforeEach(() => {
    delayMs = () => 0;
  });

  test.each(LANGUAGES)("is solved, and the report is there for everybody: %s", async (language, prefix) => {
    const ip = language === "en" ? "8.8.4.11" : "8.8.4.10";
    const words = checkTextsOf(language);
    const { page, complaints, origins } = await startVisitor();
    const answer = await page.goto(`${strict.url}${prefix}/ip/${ip}`);
    expect(answer?.status()).toBe(403);
    expect(answer?.headers()["cache-control"]).toBe("no-store");
    expect(answer?.headers()["content-security-policy"]).not.toContain("unsafe");
    await page.getByRole("heading", { level: 1, name: words.title.lookup(ip) }).waitFor();
    await page.getByRole("checkbox", { name: words.widget.label ?? "-" }).click();
    await expectReport(page, ip);
    expect(new URL(page.url()).pathname).toBe(`${prefix}/ip/${ip}`);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([strict.url]);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: "limpid_pass", httpOnly: true, sameSite: "Lax", path: "/" }]);

    const other = await startVisitor();
    expect((await other.page.goto(`${strict.url}${prefix}/ip/${ip}`))?.status()).toBe(200);
  });

  test("shows each source as it answers, and announces no more than start, quarters and end", async () => {
    let turn = 0;
    delayMs = () => 150 + ((turn++ * 97) % 1500);
    const { page, complaints } = await startVisitor();
    const counts: string[] = [];
    const announced: string[] = [];
    await page.exposeFunction("noteCount", (text: string) => counts.push(text));
    await page.exposeFunction("noteAnnounced", (text: string) => announced.push(text));
    await page.addInitScript(`
      const seen = {};
      new MutationObserver(() => {
        const bar = document.querySelector("#progress progress");
        const live = document.querySelector("#progress [role=status]")?.textContent ?? "";
        if (bar?.hasAttribute("value") && bar.value !== seen.bar) noteCount((seen.bar = bar.value) + "/" + bar.max);
        if (live !== "" && live !== seen.live) noteAnnounced(seen.live = live);
      }).observe(document, { subtree: true, childList: true, attributes: true });
    `);
    await page.goto(`${strict.url}/en/ip/8.8.4.12`);
    await tick(page);
    await page.locator("#progress li[data-state=waiting]").first().waitFor();
    await page.locator("#progress li[data-state=empty]").first().waitFor();
    await expectReport(page, "8.8.4.12");
    const values = counts.map((count) => count.split("/").map(Number));
    const total = values.at(-1)?.[1] ?? 0;
    expect(total).toBeGreaterThan(20);
    expect(values.length).toBeGreaterThan(5);
    expect(values.map(([done]) => done)).toEqual(
      values.map(([done]) => done).toSorted((a = 0, b = 0) => a - b),
    );
    // Several sources that answer at once make one change of the page and one announcement.
    for (const text of announced) {
      expect(text).toMatch(
        /^(?:Querying the sources\.|\d+ of \d+ done(?:, \d+ failed)?(?:, \d+ more not asked)?|All \d+ sources are done\..*)$/,
      );
    }
    expect(announced.length).toBeGreaterThan(1);
    expect(announced.length).toBeLessThanOrEqual(5);
    expect(complaints).toEqual([]);
  });

  test("who stops watching is told that the survey goes on, and so it does", async () => {
    delayMs = () => 1200;
    const words = checkTextsOf("en").progress;
    const { page, complaints } = await startVisitor({ at: `${strict.url}/en/ip/8.8.4.13` });
    await tick(page);
    await page.locator("#progress li").first().waitFor();
    await page.getByRole("button", { name: words.cancel ?? "-" }).click();
    await page.getByText(words.cancelled ?? "-").waitFor();
    expect(await page.getByRole("progressbar").count()).toBe(0);
    await page.getByRole("link", { name: words.openReport ?? "-" }).click();
    await expectReport(page, "8.8.4.13");
    expect(complaints).toEqual([]);
    // Only the survey that continued could have stored it.
    expect((await fetch(`${strict.url}/api/lookup?ip=8.8.4.13`)).status).toBe(200);
  });

  test("works with the keyboard alone, and the focus is always somewhere", async () => {
    delayMs = () => 1500;
    const { page } = await startVisitor();
    const focused = () =>
      page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()");
    await page.goto(`${strict.url}/en/ip/8.8.4.14`);
    await page.getByRole("checkbox").waitFor();
    const stops: unknown[] = [];
    do {
      await page.keyboard.press("Tab");
      stops.push(await focused());
      if (stops.length === 1) await page.keyboard.press("Enter");
    } while (!String(stops.at(-1)).startsWith("altcha-checkbox") && stops.length < 20);
    expect(stops[0]).toBe("Skip to content");
    expect(stops.length).toBeLessThan(4);
    await page.keyboard.press("Space");
    await page.locator("#progress li").first().waitFor();
    expect(await focused()).toBe("progress-title");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe(checkTextsOf("en").progress.cancel ?? "-");
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).not.toBe("none");
    await page.keyboard.press("Enter");
    await page.getByText(checkTextsOf("en").progress.cancelled ?? "-").waitFor();
    expect(await focused()).toBe("progress-title");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expectReport(page, "8.8.4.14");
  });

  test("a solution is good for one time, and for its address alone", async () => {
    const { page, solutions } = await startVerified("8.8.4.15");
    const [solution = ""] = solutions;
    const send = (body: string): Promise<unknown> =>
      page.evaluate(
        `fetch("/api/verify?lang=en", { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)} })
          .then(async (response) => [response.status, (await response.json()).code])`,
      );
    expect(JSON.parse(solution)).toMatchObject({ ip: "8.8.4.15", action: "lookup" });
    expect(await send(solution)).toEqual([403, "forbidden"]);
    expect(await send(solution.replace("8.8.4.15", "8.8.4.16"))).toEqual([403, "forbidden"]);
  });

  test("a check that is not accepted says why and can be tried again at once", async () => {
    const { page } = await startVisitor();
    // The first solution is damaged on the way.
    await page.route(
      "**/api/verify*",
      (route) =>
        route.continue({ postData: (route.request().postData() ?? "").replace("8.8.4.17", "8.8.4.18") }),
      { times: 1 },
    );
    await page.goto(`${strict.url}/en/ip/8.8.4.17`);
    await tick(page);
    await page.locator("#check-notice p").first().waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("check-notice");
    expect(await page.getByRole("checkbox").isChecked()).toBe(false);
    await tick(page);
    await expectReport(page, "8.8.4.17");
  });

  test.each([
    ["light", 390, "zh", ""],
    ["dark", 1280, "en", "/en"],
    ["dark", 390, "zh", ""],
  ] as const)(
    "has no barrier that axe-core can find, nothing wider than the window: %s %d %s",
    async (colorScheme, width, language, prefix) => {
      delayMs = () => 2500;
      const ip = `8.8.5.${(width % 200) + (colorScheme === "dark" ? 1 : 0)}`;
      const { page } = await startVisitor({ colorScheme, viewport: { width, height: 844 } });
      await page.goto(`${strict.url}${prefix}/ip/${ip}`);
      await page.getByRole("checkbox").waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await tick(page);
      await page.locator("#progress li").first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("button", { name: checkTextsOf(language).progress.cancel ?? "-" }).click();
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test("over plain HTTP on another host it says so and leads to HTTPS, without a dead widget", async () => {
    const { page, origins } = await startVisitor();
    const { port } = new URL(strict.url);
    await page.goto(`http://limpid.example:${port}/en/ip/8.8.4.19`);
    await page.getByText(checkTextsOf("en").needsHttps).waitFor();
    expect(await page.getByRole("link", { name: "https://limpid.example" }).getAttribute("href")).toBe(
      "https://limpid.example/en/ip/8.8.4.19",
    );
    expect(await page.getByRole("checkbox").count()).toBe(0);
    expect([...origins]).toEqual([`http://limpid.example:${port}`]);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("without script it says what to do", async () => {
    const visitor = await startVisitor({ javaScriptEnabled: false });
    await visitor.page.goto(`${strict.url}/ip/8.8.4.20`);
    const words = visitor.page.locator("noscript strong");
    expect(await words.textContent()).toBe(checkTextsOf("zh").needsScript);
    expect(await words.isVisible()).toBe(true);
  });

  test("a verified visitor refreshes from the report with live progress, another is led to the check", async () => {
    const { page, complaints } = await startVerified("8.8.4.21");
    delayMs = () => 400;
    setup.upstreams.forget();
    await page.locator("a.js-refresh").click();
    await page.locator("#progress li").first().waitFor();
    await page.waitForURL(/8\.8\.4\.21$/);
    await expectReport(page, "8.8.4.21");
    expect(setup.upstreams.queryCount()).toBeGreaterThan(5);
    expect(complaints).toEqual([]);

    const stranger = await startVisitor();
    await stranger.page.goto(`${strict.url}/en/ip/8.8.4.21`);
    await stranger.page.locator("a.js-refresh").click();
    await stranger.page
      .getByRole("heading", { level: 1, name: checkTextsOf("en").title.refresh("8.8.4.21") })
      .waitFor();
    await tick(stranger.page);
    await expectReport(stranger.page, "8.8.4.21");
    expect(new URL(stranger.page.url()).search).toBe("");
  });

  test("visitors of one address have one rating a day, and it is shown with those of two earlier days", async () => {
    const ip = "8.8.4.50";
    const words = checkTextsOf("en").rating;
    for (const [index, rating] of ([1, 2, 4] as const).entries()) {
      if (index === 2) await rateOnEarlierDays(strict, ip, [5, 4]);
      const visitor = await startVisitor({
        extraHTTPHeaders: { "x-forwarded-for": ip },
        userAgent: `Mozilla/5.0 visitor ${index}`,
      });
      const { page } = visitor;
      await page.goto(`${strict.url}/en/ip/${ip}`);
      if (index === 0) {
        await tick(page);
        await expectReport(page, ip);
      }
      await page.getByRole("button", { name: words.send }).click();
      await page.getByText(words.script.choose ?? "-").waitFor();
      await page.getByRole("radio", { name: `${rating} ${words.meanings[rating]}` }).check();
      await page.getByLabel(words.scenario, { exact: true }).selectOption("streaming");
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole("button", { name: words.send }).click();
      // The first visitor has passed the check of the report; the others pass one here.
      if (index > 0) await tick(page);
      const said = page.locator("#feedback-status");
      await said.getByText("Thank you").waitFor();
      expect(await said.textContent()).toContain(
        index < 2 ? (words.script.notYet ?? "-") : "3 ratings, average 4.33 of 5",
      );
      expect(visitor.complaints).toEqual([]);
    }
    const answer = await fetch(`${strict.url}/api/lookup?ip=${ip}&lang=en`);
    expect(await answer.json()).toMatchObject({ feedback: { streaming: { count: 3, average: 4.33 } } });
  });

  test("somebody else's address offers no rating", async () => {
    const { page } = await startVerified("8.8.4.52", { extraHTTPHeaders: { "x-forwarded-for": "8.8.4.51" } });
    expect(await page.locator("#feedback-form").count()).toBe(0);
  });
});
