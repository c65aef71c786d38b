import { findZeroRun } from "./find_zero_run.ts";

/** What {@link scanAddress} found. `ipv6Canonical` = IPv6 that is already spelled as RFC 5952 wants it. */
export const SCAN = { refused: 0, ipv4: 4, ipv6: 6, ipv6Canonical: 7 } as const;

/** The words of the address scanned last: index 0 for IPv4, 0 to 3 for IPv6. Read it before the next scan. */
export const scannedWords = new Uint32Array(4);

const groups = new Uint16Array(8);

/**
 * Reads the address in `text[start, end)` with exactly the strictness of `inet_pton` (POSIX.1-2017) and
 * leaves its words in {@link scannedWords}. Returns one value of {@link SCAN}. Does not fold mapped forms.
 */
export function scanAddress(text: string, start: number, end: number): number {
  // The first separator of either family stands within the first five characters.
  for (let i = start; i < end && i < start + 5; i++) {
    const code = text.charCodeAt(i);
    if (code === 46) {
      const word = scanIpv4(text, start, end);
      if (word < 0) return SCAN.refused;
      scannedWords[0] = word;
      return SCAN.ipv4;
    }
    if (code === 58) return scanIpv6(text, start, end);
  }
  return SCAN.refused;
}

/** The 32-bit word of a dotted quad without leading zeros, or -1. */
function scanIpv4(text: string, start: number, end: number): number {
  let word = 0;
  let octet = -1;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (octet < 0) octet = code - 48;
      else if (octet === 0) return -1;
      else octet = octet * 10 + code - 48;
      if (octet > 255) return -1;
    } else if (code === 46) {
      if (octet < 0 || dots === 3) return -1;
      word = (word << 8) | octet;
      octet = -1;
      dots++;
    } else return -1;
  }
  return dots === 3 && octet >= 0 ? ((word << 8) | octet) >>> 0 : -1;
}

function scanIpv6(text: string, start: number, end: number): number {
  let i = start;
  let count = 0;
  let gap = -1;
  let canonical = true;
  if (text.charCodeAt(i) === 58) {
    if (end - start < 2 || text.charCodeAt(i + 1) !== 58) return SCAN.refused;
    gap = 0;
    i += 2;
  }
  let groupStart = i;
  let value = 0;
  let digits = 0;
  while (i < end) {
    const code = text.charCodeAt(i);
    let digit = -1;
    if (code >= 48 && code <= 57) digit = code - 48;
    else {
      const lower = code | 32;
      if (lower >= 97 && lower <= 102) {
        digit = lower - 87;
        if (lower !== code) canonical = false;
      }
    }
    if (digit >= 0) {
      if (digits === 4) return SCAN.refused;
      if (digits > 0 && value === 0) canonical = false;
      value = (value << 4) | digit;
      digits++;
      i++;
    } else if (code === 58) {
      if (digits === 0 || count === 7) return SCAN.refused;
      groups[count++] = value;
      value = 0;
      digits = 0;
      i++;
      if (i === end) return SCAN.refused;
      if (text.charCodeAt(i) === 58) {
        if (gap >= 0) return SCAN.refused;
        gap = count;
        i++;
      }
      groupStart = i;
    } else if (code === 46) {
      if (count > 6) return SCAN.refused;
      const tail = scanIpv4(text, groupStart, end);
      if (tail < 0) return SCAN.refused;
      groups[count++] = tail >>> 16;
      groups[count++] = tail & 0xffff;
      digits = 0;
      canonical = false;
      break;
    } else return SCAN.refused;
  }
  if (digits > 0) groups[count++] = value;

  const gapLength = 8 - count;
  if (gap < 0) {
    if (gapLength !== 0) return SCAN.refused;
  } else {
    // "::" stands for at least one group.
    if (gapLength === 0) return SCAN.refused;
    groups.copyWithin(gap + gapLength, gap, count);
    groups.fill(0, gap, gap + gapLength);
  }
  for (let w = 0; w < 4; w++) {
    scannedWords[w] = (((groups[2 * w] ?? 0) << 16) | (groups[2 * w + 1] ?? 0)) >>> 0;
  }
  if (!canonical) return SCAN.ipv6;
  const run = findZeroRun(scannedWords);
  const wanted = gap < 0 ? 0 : gap * 16 + gapLength;
  return run === wanted ? SCAN.ipv6Canonical : SCAN.ipv6;
}
