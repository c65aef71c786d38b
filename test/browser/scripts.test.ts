import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const folder = join(import.meta.dir, "../../static");
const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));

interface ProgressScript {
  createEventReader(onEvent: (name: string, data: string) => void): { push(text: string): void };
  fill(text: string | undefined, values?: Readonly<Record<string, string | number>>): string;
}
// The scripts of the pages are not part of the typed program; their types are checked below.
const { createEventReader, fill } = (await import(join(folder, "progress.js"))) as ProgressScript;

function readEvents(pieces: readonly string[]): [string, string][] {
  const events: [string, string][] = [];
  const reader = createEventReader((name, data) => events.push([name, data]));
  for (const piece of pieces) reader.push(piece);
  return events;
}

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

  test.each(scripts)("put text in as text only: %s", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|\.style\b/,
    );
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

describe("createEventReader", () => {
  test("reads names, data of several lines, comments and every end of line", () => {
    expect(
      readEvents([
        ": hello\n\nevent: a\ndata: 1\ndata:2\n\n",
        "data: x\r\rretry: 5\nevent:b\r\ndata\r\n\r\nevent: none\n\ndata: cut off",
      ]),
    ).toEqual([
      ["a", "1\n2"],
      ["message", "x"],
      ["b", ""],
    ]);
  });

  test("reads the same wherever the stream is split", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ""));
    const event = fc.record({
      name: fc.constantFrom("source", "report", "queued"),
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom("\n", "\r\n", "\r"),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (events, cuts) => {
          const text = events
            .map(
              ({ name, data, end }) =>
                `event: ${name}${end}${data.map((part) => `data: ${part}${end}`).join("")}${end}: beat\n`,
            )
            .join("");
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b),
            text.length,
          ];
          const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
          expect(pieces.join("")).toBe(text);
          expect(readEvents(pieces)).toEqual(events.map(({ name, data }) => [name, data.join("\n")]));
        },
      ),
    );
  });

  test("refuses a line and an event that never end, with bounded memory", () => {
    const reader = createEventReader(() => {});
    expect(() => {
      for (let index = 0; index < 100; index++) reader.push("x".repeat(1000));
    }).toThrow(RangeError);
    const other = createEventReader(() => {});
    expect(() => {
      for (let index = 0; index < 100; index++) other.push(`data: ${"x".repeat(1000)}\n`);
    }).toThrow(RangeError);
  });
});

describe("fill", () => {
  test("fills what it was given, own names only, and never fills twice", () => {
    expect(fill("{done} of {total}", { done: 1, total: "{done}" })).toBe("1 of {done}");
    expect(fill("{constructor} {toString}", {})).toBe("{constructor} {toString}");
    expect(fill(undefined)).toBe("");
  });
});
