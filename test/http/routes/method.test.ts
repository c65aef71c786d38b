import { describe, expect, test } from "bun:test";
import { openApp } from "../kit/open_app.ts";

describe.each([
  ["/method", "zh-Hans", "评分方法"],
  ["/en/method", "en", "How the score is made"],
])("%s", (path, language, title) => {
  test("explains the score, is cacheable, and allows no frame and no script", async () => {
    const testApp = openApp();
    const response = await testApp.ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const page = await response.text();
    expect(page).toContain(`<html lang="${language}"`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain("Source A");
    expect(testApp.calls).toEqual([]);
  });
});

test("the page of a report links the method in its language", async () => {
  const testApp = openApp();
  expect(await (await testApp.ask("/ip/198.51.100.7")).text()).toContain('<a href="/method">');
  expect(await (await testApp.ask("/en/ip/198.51.100.7")).text()).toContain('<a href="/en/method">');
  expect(await (await testApp.ask("/en/ip/198.51.100.7.txt")).text()).toContain("/en/method");
});
