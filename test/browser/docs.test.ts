import { expect, test } from "bun:test";
import { setUp, setUpService } from "#kit";
import { describeInBrowser, findBarriers, setUpBrowser } from "./visitor.ts";

describeInBrowser("the documentation of the API in a real browser", () => {
  const service = setUpService({ LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" }, setUp("all"));
  const startVisitor = setUpBrowser();

  test("shows each sample in three languages with an address that has a score, and tries it on this instance", async () => {
    const { page, complaints, origins } = await startVisitor({ at: `${service.url}/en/docs` });
    await page.getByText("The report on your address 127.0.0.1 has no score").waitFor();
    const call = page.locator("#start .call").nth(1);
    const url = `${service.url}/en/ip/46.4.84.25.json`;
    for (const [language, text] of [
      ["curl", `curl '${url}'`],
      ["Python", `\nurl = "${url}"\nprint(urlopen(url)`],
      ["JavaScript", `const url = "${url}";`],
    ] as const) {
      await page.locator(".finder select").selectOption(language);
      expect(await call.locator("code").textContent()).toContain(text);
      const gate = (await page.locator("#start .call code").last().textContent()) ?? "";
      expect(gate.includes("min=70&status=200")).toBe(language === "Python");
    }
    expect(await page.locator(".call", { hasText: "198.51.100.7" }).count()).toBe(0);
    // The address passes the limit of the sample; it does not pass this one.
    await page.route("**/gate/**", (route) =>
      route.continue({ url: route.request().url().replace("min=70", "min=100") }),
    );
    await page.locator("#start .call").last().getByRole("button", { name: "Try it" }).click();
    await page.getByText(/^(?:409 means FAIL|503 means UNKNOWN): an answer, not an error · text/).waitFor();
    await call.getByRole("button", { name: "Try it" }).click();
    await call.getByText(/^200 · application\/json · \d+ ms$/).waitFor();
    const shown = JSON.parse((await call.locator("pre").textContent()) ?? "");
    expect(shown).toMatchObject({ ip: "46.4.84.25", risk: { purity: expect.any(Number) } });
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service.url]);
  });

  test("asks about a public visitor's own address", async () => {
    const extraHTTPHeaders = { "x-forwarded-for": "81.2.69.10" };
    const { page } = await startVisitor({ at: `${service.url}/docs`, extraHTTPHeaders });
    await page.locator("#lookUp .call", { hasText: "ip=81.2.69.10" }).waitFor({ state: "attached" });
    const call = page.locator("#start .call", { hasText: "/cli/me" });
    await call.getByRole("button", { name: "试一下" }).click();
    // A Chinese character of 13 pixels has the width of two Latin ones, so that columns stand below each other.
    expect((await call.locator(".wide-sign").first().boundingBox())?.width).toBeCloseTo(15.6, 1);
  });

  test("sends the sample of a POST as it is shown", async () => {
    const { page } = await startVisitor({ at: `${service.url}/en/docs#callTools` });
    await page.locator(".finder select").selectOption("JavaScript");
    const answer = await page.evaluate(
      `(async () => { const shown = []; const console = { log: (...all) => shown.push(...all) }; ${await page.locator("#callTools .call code").textContent()}; return shown; })()`,
    );
    expect(answer).toMatchObject([200, expect.stringContaining('"jsonrpc"')]);
  });

  test("opens the operation that the URL names, and names the one that was opened", async () => {
    const { page } = await startVisitor({ at: `${service.url}/en/docs#passGate` });
    const opened = page.locator("details.operation[open]");
    expect(await opened.locator("summary code").first().textContent()).toBe("/en/gate/{ip}");
    expect(
      await opened.locator(":scope > summary").evaluate((line) => line.getBoundingClientRect().top),
    ).toBeLessThan(450);
    await page.locator("#lookUp").locator("xpath=..").locator(":scope > summary").click();
    await page.waitForURL("**/en/docs#lookUp");
    const example = page.locator("#lookUp details", { hasText: "A residential line without complaints" });
    await example.locator("summary").click();
    expect(await example.locator("pre").textContent()).toStartWith('{\n  "ip": "198.51.100.7",\n');
    expect((await example.locator("pre").boundingBox())?.height).toBeLessThan(450);
    expect(await example.getByRole("button", { name: "Copy" }).isVisible()).toBe(true);
    await page.goto(`${service.url}/en/docs#header-Retry-After`);
    expect((await page.locator("#header-Retry-After").boundingBox())?.y).toBeLessThan(450);
    const errors = await page.locator("#schema-Error summary").allTextContents();
    expect(errors.some((text) => text.startsWith("Example: open_rate_limited Too many"))).toBe(true);
  });

  test("filters by names, then by all texts, from the keyboard", async () => {
    const { page } = await startVisitor({ at: `${service.url}/en/docs` });
    const shown = page.locator("details.operation:visible > summary h3 code");
    await page.keyboard.press("/");
    await page.keyboard.type("scenario gate");
    await page.getByText(/^1 of \d+ operations, 0 of \d+ schemas$/).waitFor();
    expect(await shown.allTextContents()).toEqual(["/en/gate/{ip}"]);
    expect(await page.locator("#start").isVisible()).toBe(false);
    // The only match is open, and the contents show which parts are hidden.
    expect(await page.locator("#passGate").isVisible()).toBe(true);
    expect(await page.locator(".toc a:not(.off)").allTextContents()).toEqual(["Reports"]);
    await page.keyboard.press("Enter");
    expect(await page.locator("#passGate").isVisible()).toBe(true);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    expect(await shown.count()).toBeGreaterThan(25);
    expect(await page.locator("#start").isVisible()).toBe(true);
    await page.getByLabel("Filter").fill("rpcfailure");
    await page.locator("#schema-RpcFailure").waitFor();
    await page.getByLabel("Filter").fill("");
    await page.locator("#schema-RpcFailure").waitFor({ state: "hidden" });
    await page.getByLabel("Filter").fill("invalid_ip");
    await page.getByRole("row", { name: "invalid_ip 400 Not a valid IP address. Give one" }).waitFor();
    await page.getByLabel("Filter").fill("limpid_pass");
    await page.locator("#cookie-limpid_pass").waitFor();
    await page.getByLabel("Filter").fill("429");
    expect(await shown.count()).toBeGreaterThan(5);
    await page.getByLabel("Filter").fill("no_such_thing");
    await page.getByText("Nothing matches.").waitFor();
    await page.getByRole("link", { name: "Networks" }).click();
    await page.locator("#tag-Networks").waitFor();
  });
});
