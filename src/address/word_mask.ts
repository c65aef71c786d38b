/** The unsigned 32-bit mask that a prefix of `bits` lays on word `index` of an address. */
export function wordMask(bits: number, index: number): number {
  const here = bits - 32 * index;
  return here >= 32 ? 0xffffffff : here <= 0 ? 0 : (0xffffffff << (32 - here)) >>> 0;
}
