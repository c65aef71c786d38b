import { expect } from "bun:test";

/** A rule or cap on the page of the method: the number beside its bar, and how much of the bar is filled, in percent. */
export interface Bar {
  readonly rule: string;
  readonly points: number;
  readonly filled: number;
}

/** Runs in the page, and gives a list of `Bar`. */
export const MEASURE_BARS = `[...document.querySelectorAll(".rules :has(> .weight)")].map((rule) => {
  const { left, width } = rule.querySelector("svg").getBoundingClientRect();
  const ends = [...rule.querySelectorAll("rect:not(.all)")].map((part) => part.getBoundingClientRect().right);
  const points = Number(/[\\d.]+/.exec(rule.querySelector(".figure").textContent)?.[0] ?? 0);
  return { rule: rule.querySelector("h3, h4").textContent, points, filled: ((Math.max(...ends) - left) / width) * 100 };
})`;

export function expectBarsAsPoints(bars: readonly Bar[]): void {
  expect(bars.length).toBeGreaterThan(20);
  for (const bar of bars.filter(({ points }) => points > 0))
    expect(Math.abs(bar.filled - bar.points), JSON.stringify(bar)).toBeLessThan(1);
}
