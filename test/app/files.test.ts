import { expect, test } from "bun:test";
import { join } from "node:path";
import { locatePaths } from "#app";
import { readStatic } from "../../src/app/files.ts";

const read = readStatic(locatePaths(join(import.meta.dir, "../../src")));

test("the web manifest names icons that exist", () => {
  const manifest = read("site.webmanifest");
  expect(manifest?.contentType).toBe("application/manifest+json; charset=utf-8");
  const { icons } = JSON.parse(new TextDecoder().decode(manifest?.body as Uint8Array)) as {
    icons: readonly { src: string; type: string }[];
  };
  for (const { src, type } of icons)
    expect(read(src.replace("/static/", ""))?.contentType, src).toStartWith(type);
  expect(read("touch_icon.png")?.contentType).toBe("image/png");
});

test("the fonts of the share cards are no static files", () => {
  expect(read("latin_bold.ttf.gz")).toBeUndefined();
});
