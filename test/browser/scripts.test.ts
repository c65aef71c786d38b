import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../static");
const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));

interface ProgressScript {
  fill(text: string | undefined, values?: Readonly<Record<string, string | number>>): string;
}
// A script of the page is no part of the typed program; its own types are checked below.
const { fill } = (await import(join(folder, "progress.js"))) as ProgressScript;

describe("scripts of the page", () => {
  test("hold their types", () => {
    const { exitCode, stdout } = Bun.spawnSync([
      join(folder, "../node_modules/.bin/tsc"),
      ..."--ignoreConfig --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess".split(" "),
      ..."--target esnext --module esnext --moduleResolution bundler".split(" "),
      ..."--lib esnext,dom,dom.iterable,dom.asynciterable --types".split(" "),
      "",
      ...scripts.map((name) => join(folder, name)),
    ]);
    expect(stdout.toString()).toBe("");
    expect(exitCode).toBe(0);
  });

  test.each(scripts)("load nothing from elsewhere but what Turnstile needs: %s", (name) => {
    const text = readFileSync(join(folder, name), "utf8").replace(/^\s*(?:\/\/|\*).*$/gm, "");
    const urls = [...text.matchAll(/https?:\/\/[^\s"'`]+/g)].map((match) => match[0]);
    expect(urls.filter((url) => !url.startsWith("https://$")).join()).toBe(
      name === "verify_visitor.js"
        ? "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit"
        : "",
    );
  });
});

describe("fill", () => {
  test("fills what it was given, own names only, and never fills twice", () => {
    expect(fill("{done} of {total}", { done: 1, total: "{done}" })).toBe("1 of {done}");
    expect(fill("{constructor} {toString}", {})).toBe("{constructor} {toString}");
    expect(fill(undefined)).toBe("");
  });
});
