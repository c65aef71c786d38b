import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BANDS, SCENARIO_LEVELS } from "#report";
import { contrastOf } from "../../render/contrast.ts";

const css = await Bun.file(join(import.meta.dir, "../../../static/report.css")).text();

/** Colours of the first `:root` block at or after a mark, of the light or the dark theme. */
function readColours(mark: string, isDark = false): ReadonlyMap<string, string> {
  const block = /:root \{([^}]*)\}/.exec(css.slice(css.indexOf(mark)))?.[1] ?? "";
  const rows = block.matchAll(
    /--([a-z]+): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}));/g,
  );
  return new Map(
    [...rows].map(([, name = "", light, dark, both = ""]) => [name, (isDark ? dark : light) ?? both]),
  );
}

const INKS = ["ink", "quiet", "link", "pristine", "clean", "neutral", "suspicious", "risky", "dangerous"];

describe.each([
  ["light", ":root", false],
  ["dark", ":root", true],
  ["print", "@media print", false],
] as const)("report.css, %s", (_name, mark, isDark) => {
  const colours = readColours(mark, isDark);

  const contrast = (one: string, other: string) =>
    contrastOf(colours.get(one) ?? "#000000", colours.get(other) ?? "#000000");

  test.each([
    ...INKS.flatMap((ink) => [[ink, "card"] as const, [ink, "paper"] as const]),
    ...["ink", "quiet", "link"].map((ink) => [ink, "chip"] as const),
    // The name of a band, and the text of a button.
    ...[...BANDS, "accent"].map((ground) => ["card", ground] as const),
  ])("%s is readable on %s (WCAG 1.4.3: 4.5 to 1)", (ink, ground) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([...BANDS, "quiet", "accent"])(
    "%s as a bar, mark or outline stands out (WCAG 1.4.11: 3 to 1)",
    (tone) => {
      for (const ground of ["card", "paper", "chip"])
        expect(contrast(tone, ground), ground).toBeGreaterThanOrEqual(3);
    },
  );
});

test("report.css has a tone for every band and level, and print has every colour", () => {
  for (const band of BANDS) expect(css).toContain(`.band-${band}`);
  for (const level of SCENARIO_LEVELS) expect(css).toContain(`.level-${level}`);
  expect([...readColours("@media print").keys()].toSorted()).toEqual(
    [...readColours(":root").keys()].toSorted(),
  );
});

test("report.css has no motion with prefers-reduced-motion", () => {
  const still = css.replaceAll(/@media \(prefers-reduced-motion: no-preference\) \{[\s\S]*?\n\}\n/g, "");
  expect(still).not.toMatch(/transition|animation|scroll-behavior/);
  expect(css).toMatch(/transition/);
});

test("report.css loads no other file", () => {
  expect(css).not.toMatch(/url\(|@import|@font-face/);
});
