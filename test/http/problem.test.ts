import { describe, expect, test } from "bun:test";
import { openApp, openShared, surveying } from "./kit/open_app.ts";
import { tables } from "./kit/scenarios.ts";

const OPERATOR = "noc@limpid.example";

tables("problem", { surveying });

describe("an error in text", () => {
  test("starts with its code, so that the two 429s differ, and has at most 72 columns", async () => {
    const mine = openApp({ limits: { lookups: 1 }, contact: OPERATOR });
    const all = openApp({ lookup: surveying, limits: { openPerMinute: 1 }, contact: OPERATOR });
    const texts: string[] = [];
    for (const testApp of [mine, all]) {
      for (const path of ["/en/ip/8.8.4.77.txt", "/cli/8.8.4.78?lang=en", "/ip/8.8.4.79.md"]) {
        const response = await testApp.ask(path);
        if (response.status === 200) continue;
        expect(response.status).toBe(429);
        texts.push(await response.text());
      }
    }
    expect(texts.map((text) => text.slice(0, text.indexOf(":")))).toEqual([
      "rate_limited",
      "rate_limited",
      "open_rate_limited",
      "open_rate_limited",
    ]);
    const lines = texts.flatMap((text) => text.split("\n"));
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
    for (const text of texts) expect(text.replaceAll("\n", "")).toContain(OPERATOR);
  });
});

describe("an unknown language", () => {
  test.each([
    ["/api/lookup?ip=198.51.100.7&lang=fr", "fr"],
    ["/en/ip/198.51.100.7.json?lang=EN", "EN"],
    ["/cli/198.51.100.7?lang=en-US", "en-US"],
    ["/ip/198.51.100.7?lang=", ""],
  ])("%s is refused in both languages at once", async (path, value) => {
    const response = await openShared().ask(path);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-language")).toBe("zh, en");
    const text = (await response.text())
      .replaceAll("&quot;", '"')
      .replaceAll('\\"', '"')
      .replaceAll("\n", " ");
    expect(text).toContain("invalid_parameter");
    expect(text.replaceAll(" ", "")).toContain(`参数lang的值「${value}」无效，可选：zh、en。`);
    expect(text).toContain(`The value "${value}" of parameter lang is invalid; offered: zh, en.`);
  });
});
