import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BANDS, SCENARIO_LEVELS } from "#report";

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

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const INKS = ["ink", "quiet", "link", "pristine", "clean", "neutral", "suspicious", "risky", "dangerous"];

describe.each([
  ["light", ":root", false],
  ["dark", ":root", true],
  ["print", "@media print", false],
] as const)("report.css, %s", (_name, mark, isDark) => {
  const colours = readColours(mark, isDark);

  test.each(INKS)("%s is readable on every ground (WCAG 1.4.3: 4.5 to 1)", (ink) => {
    for (const ground of ["card", "paper"]) {
      expect(
        contrast(colours.get(ink) ?? "#000000", colours.get(ground) ?? "#000000"),
        ground,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(["ink", "quiet", "link"])("%s is readable on chips", (ink) => {
    expect(contrast(colours.get(ink) ?? "#000000", colours.get("chip") ?? "#000000")).toBeGreaterThanOrEqual(
      4.5,
    );
  });

  test.each(BANDS)("the name of band %s is readable on its colour", (band) => {
    expect(contrast(colours.get("card") ?? "#000000", colours.get(band) ?? "#000000")).toBeGreaterThanOrEqual(
      4.5,
    );
  });

  test.each([...BANDS, "quiet", "accent"])(
    "%s as a bar, mark or outline stands out (WCAG 1.4.11: 3 to 1)",
    (tone) => {
      for (const ground of ["card", "paper", "chip"])
        expect(
          contrast(colours.get(tone) ?? "#000000", colours.get(ground) ?? "#000000"),
          ground,
        ).toBeGreaterThanOrEqual(3);
    },
  );

  test("a button is readable", () => {
    expect(
      contrast(colours.get("card") ?? "#000000", colours.get("accent") ?? "#000000"),
    ).toBeGreaterThanOrEqual(4.5);
  });
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
