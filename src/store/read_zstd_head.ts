/** RFC 8878, 3.1.1: magic number of a frame. */
export const ZSTD_MAGIC = 0xfd2f_b528;

/** How long a frame's head is, and how long its content will be; undefined for one that says more or less than that. */
export function readZstdHead(
  frame: Uint8Array,
): { readonly bytes: number; readonly contentBytes: number } | undefined {
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, descriptor = 0] = frame;
  if ((m0 | (m1 << 8) | (m2 << 16) | (m3 << 24)) >>> 0 !== ZSTD_MAGIC) return undefined;
  // A checksum would be of other content, and another dictionary, or none, is not ours to know.
  if ((descriptor & 0b1111) !== 0) return undefined;
  const at = (descriptor & 0b10_0000) === 0 ? 6 : 5;
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = frame.subarray(at, at + 4);
  switch (descriptor >> 6) {
    case 0:
      return at === 5 ? { bytes: at + 1, contentBytes: b0 } : undefined;
    case 1:
      return { bytes: at + 2, contentBytes: (b0 | (b1 << 8)) + 256 };
    case 2:
      return { bytes: at + 4, contentBytes: (b0 | (b1 << 8) | (b2 << 16) | (b3 << 24)) >>> 0 };
    default:
      return undefined;
  }
}
