/**
 * The run of zero groups that RFC 5952 section 4.2 writes as "::" — the longest of at least two, the first
 * of equals — as `start * 16 + length` in 16-bit groups, or 0 when there is none. Packed, so that it costs no object.
 */
export function findZeroRun(words: ArrayLike<number>): number {
  let best = 0;
  let bestLength = 1;
  let length = 0;
  for (let g = 0; g < 8; g++) {
    const word = words[g >> 1] ?? 0;
    const group = (g & 1) === 0 ? word >>> 16 : word & 0xffff;
    if (group !== 0) length = 0;
    else if (++length > bestLength) {
      bestLength = length;
      best = (g + 1 - length) * 16 + length;
    }
  }
  return best;
}
