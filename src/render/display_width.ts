const ASCII = /^[\x20-\x7e]*$/;

/**
 * Cells a string takes on a terminal: CJK and full-width characters two, combining marks none.
 * Counted by code point, so that a sequence a terminal does not know how to join still fits.
 */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += Bun.stringWidth(character);
  return width;
}
