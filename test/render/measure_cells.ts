/**
 * Terminal cells of a string, measured by ranges alone (Unicode Standard Annex #11, wide and full-width blocks):
 * a second opinion on the renderer's own measure. Combining marks are taken as none.
 */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

export function measureCells(text: string): number {
  let cells = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (/\p{Mn}|\p{Me}/u.test(character)) continue;
    cells += WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
  }
  return cells;
}
