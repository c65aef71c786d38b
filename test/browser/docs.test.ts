import { expect, test } from "bun:test";
import { setUp, setUpService } from "#kit";
import { describeInBrowser, findBarriers, setUpBrowser } from "./visitor.ts";

describeInBrowser("the documentation of the API in a real browser", () => {
  const service = setUpService({}, setUp("all"));
  const startVisitor = setUpBrowser();

  test("shows each call in three languages with the visitor's address, and tries it on this instance", async () => {
    const { page, complaints, origins } = await startVisitor({ at: `${service.url}/en/docs` });
    const call = page.locator(".shell .call").first();
    const url = `${service.url}/api/myip?format=text`;
    for (const [language, text] of [
      ["curl", `curl '${url}'`],
      ["Python", `urlopen("${url}")`],
      ["JavaScript", `await fetch("${url}")`],
    ] as const) {
      await page.locator("#samples select").selectOption(language);
      expect(await call.locator("code").textContent()).toContain(text);
    }
    expect(await page.locator(".call", { hasText: "198.51.100.7" }).count()).toBe(0);
    await call.getByRole("button", { name: "Try it" }).click();
    await call.getByText(/^200 · text\/plain · \d+ ms$/).waitFor();
    expect(await call.locator("pre").textContent()).toBe("127.0.0.1\n");
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service.url]);
  });
});
