/**
 * Terminal cells of a string, measured by ranges alone (Unicode Standard Annex #11, every wide and full-width
 * character, also emoji): independent of the renderer's own measure. Combining marks count zero.
 */
const WIDE: readonly (readonly number[])[] = `
1100-115f 231a-231b 2329-232a 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2630-2637 2648-2653 267f 268a-268f
2693 26a1 26aa-26ab 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705 270a-270b 2728 274c
274e 2753-2755 2757 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 2e80-303e 3041-3247 3250-a4c6 a960-a97c
ac00-d7a3 f900-fad9 fe10-fe6b ff01-ff60 ffe0-ffe6 16fe0-1b2fb 1d300-1d376 1f004 1f0cf 1f18e 1f191-1f19a
1f200-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0 1f3f4 1f3f8-1f43e 1f440
1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e 1f550-1f567 1f57a 1f595-1f596 1f5a4 1f5fb-1f64f 1f680-1f6c5 1f6cc
1f6d0-1f6d2 1f6d5-1f6df 1f6eb-1f6ec 1f6f4-1f6fc 1f7e0-1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1faff
20000-3fffd
`
  .trim()
  .split(/\s+/)
  .map((range) => range.split("-").map((end) => Number.parseInt(end, 16)));

export function measureCells(text: string): number {
  let cells = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (/\p{Mn}|\p{Me}/u.test(character)) continue;
    cells += WIDE.some(([first = 0, last = first]) => code >= first && code <= last) ? 2 : 1;
  }
  return cells;
}
