/**
 * Gives the function that reads the left (0) or right (1) record of a node of a MaxMind DB search tree, by the three
 * layouts of the specification (https://maxmind.github.io/MaxMind-DB/, "Node Layout"); undefined for another size.
 */
export function mmdbRecordReader(
  bytes: Buffer,
  recordSize: number,
): ((node: number, side: 0 | 1) => number) | undefined {
  if (recordSize === 24) return (node, side) => bytes.readUIntBE(6 * node + 3 * side, 3);
  if (recordSize === 32) return (node, side) => bytes.readUInt32BE(8 * node + 4 * side);
  if (recordSize !== 28) return undefined;
  return (node, side) => {
    const middle = bytes.readUInt8(7 * node + 3);
    const high = side === 0 ? middle >>> 4 : middle & 15;
    return high * 0x100_0000 + bytes.readUIntBE(7 * node + 4 * side, 3);
  };
}
