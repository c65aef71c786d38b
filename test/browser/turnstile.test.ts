import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { setUp, setUpService } from "#kit";
import { checkTextsOf } from "#locale";
import { describeInBrowser, expectReport, setUpBrowser, tick } from "./visitor.ts";

/**
 * Replaces Cloudflare's script, with its documented interface: a button instead of the widget, and a token that
 * passes the parameters of the widget to the local siteverify.
 * https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/
 */
const STAND_IN = `
  window.turnstile = {
    render(container, options) {
      const button = document.createElement("button");
      button.textContent = "solve";
      button.onclick = () => options.callback(btoa(JSON.stringify([options.action, options.cData, options.sitekey, String(Math.random())])));
      container.append(button);
      return "widget-1";
    },
    reset() {},
  };
`;

const SITE_KEY = "1x00000000000000000000AA";

describeInBrowser("the check by Turnstile, with stand-ins for Cloudflare", () => {
  const setup = setUp("all");
  const service = setUpService(
    {
      LIMPID_EXEMPT_CLIENTS: "",
      LIMPID_OPEN_PER_DAY: "0",
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
      LIMPID_VERIFIER: "turnstile",
      LIMPID_TURNSTILE_SITE_KEY: SITE_KEY,
      LIMPID_TURNSTILE_SECRET: "1x0000000000000000000000000000000AA",
    },
    setup,
  );
  const startVisitor = setUpBrowser();

  beforeAll(() => {
    setup.upstreams.gateway.on("challenges.cloudflare.com", /^\/turnstile\/v0\/siteverify/, (call) => {
      const [action, cdata, siteKey] = JSON.parse(atob(new URLSearchParams(call.body).get("response") ?? ""));
      return { json: { success: siteKey === SITE_KEY, action, cdata, "error-codes": [] } };
    });
  });

  /** The widget of {@link STAND_IN} on a page. Returns what the page asked for. */
  async function standIn(page: Page): Promise<readonly string[]> {
    const asked: string[] = [];
    await page.route("https://challenges.cloudflare.com/**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "text/javascript", body: STAND_IN });
    });
    return asked;
  }

  test("the page gives the widget key, action and token, and its answer opens the report", async () => {
    const { page, complaints } = await startVisitor();
    const asked = await standIn(page);
    const answer = await page.goto(`${service.url}/en/ip/8.8.7.10`);
    expect(answer?.status()).toBe(403);
    expect(answer?.headers()["content-security-policy"]).toContain(
      "frame-src https://challenges.cloudflare.com",
    );
    await page.getByText(checkTextsOf("en").thirdPartyCheck).waitFor();
    await page.getByRole("button", { name: "solve" }).click();
    await expectReport(page, "8.8.7.10");
    expect(asked).toEqual(["https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit"]);
    expect(complaints).toEqual([]);
  });

  test("a page without the check may load nothing from Cloudflare", async () => {
    const visitor = await startVisitor();
    const answer = await visitor.page.goto(`${service.url}/en`);
    expect(answer?.headers()["content-security-policy"]).not.toContain("cloudflare");
  });

  test("who rates without a pass is led to the page with the check", async () => {
    const own = { extraHTTPHeaders: { "x-forwarded-for": "8.8.7.12" } };
    const first = await startVisitor(own);
    await standIn(first.page);
    await first.page.goto(`${service.url}/en/ip/8.8.7.12`);
    await first.page.getByRole("button", { name: "solve" }).click();
    await expectReport(first.page, "8.8.7.12");

    const { page } = await startVisitor(own);
    await page.goto(`${service.url}/en/ip/8.8.7.12`);
    await page.locator("#feedback-form input[value='5']").check();
    await page.getByRole("button", { name: checkTextsOf("en").rating.send }).click();
    await tick(page);
    const way = page.getByRole("link", { name: checkTextsOf("en").rating.script.toCheck ?? "-" });
    expect(await way.getAttribute("href")).toBe("/en/ip/8.8.7.12?refresh=1");
  });

  test("says that the check could not be loaded when Cloudflare cannot be reached", async () => {
    const { page } = await startVisitor();
    await page.route("https://challenges.cloudflare.com/**", (route) => route.abort());
    await page.goto(`${service.url}/en/ip/8.8.7.11`);
    await page.getByText(checkTextsOf("en").progress.blocked ?? "-").waitFor();
  });
});
