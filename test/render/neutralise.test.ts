import { expect, test } from "bun:test";
import { neutralise } from "../../src/render/neutralise.ts";

test("neutralise shows what would act unseen", () => {
  expect(neutralise("a\u001b[2Jb")).toBe("a\\u{1b}[2Jb");
  expect(neutralise("\u202edrow\u200b\ud800\u{e0041}\u00ad")).toBe(
    "\\u{202e}drow\\u{200b}\\u{d800}\\u{e0041}\\u{ad}",
  );
  expect(neutralise("one\r\n\ttwo\u2028three\u00a0\u3000four")).toBe("one two three four");
});

test("neutralise leaves honest names alone", () => {
  for (const name of [
    "Deutsche Telekom AG",
    "São Paulo",
    "中国电信",
    "شركة الاتصالات",
    "Ελλάδα",
    "서울",
    "東京, 日本",
  ]) {
    expect(neutralise(name)).toBe(name);
  }
});

test("neutralise bounds length and piles of marks", () => {
  expect(neutralise("x".repeat(5000))).toHaveLength(2003);
  expect(neutralise(`e${"\u0301".repeat(50)}`)).toBe(`e${"\u0301".repeat(4)}`);
});
