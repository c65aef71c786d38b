import { expect } from "bun:test";
import { measureCells } from "./measure_cells.ts";

/** Expects lines of at most `columns` cells, without blanks at their ends, controls, bidi or zero-width characters. */
export function expectLayout(text: string, columns = 72): void {
  expect(text.endsWith("\n")).toBe(true);
  expect(text.endsWith("\n\n")).toBe(false);
  for (const line of text.slice(0, -1).split("\n")) {
    expect(measureCells(line), line).toBeLessThanOrEqual(columns);
    expect(line, line).toBe(line.trimEnd());
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  }
}
