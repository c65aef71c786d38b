import { CELLS, traitsOf } from "./character_traits.ts";

/**
 * Cells a string takes on a terminal: CJK, full-width characters and emoji two, combining marks none.
 * Counted by code point, so that a sequence a terminal does not know how to join still fits.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x7f) width += 1;
    else if (unit < 0xd800 || unit > 0xdbff) width += traitsOf(unit) & CELLS;
    else {
      const code = text.codePointAt(index) ?? unit;
      width += traitsOf(code) & CELLS;
      if (code > 0xffff) index += 1;
    }
  }
  return width;
}
