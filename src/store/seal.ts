/** First byte of a sealed document; one in plain JSON begins with a brace, one of zstd alone with 0x28. */
const FORM = 2;

const HEAD_BYTES = 17;

/** The bytes of a row's value, as one driver or the other gives them. */
type Bytes = ArrayBuffer | Uint8Array;

/** A packed document as it stands in a row. */
export interface Sealed {
  /** Of the {@link Cast} it was packed with. */
  readonly castId: string;
  readonly body: Uint8Array;
}

/**
 * Puts a packed document under the address it belongs to: form, checksum, id of its cast, body. The checksum (xxHash64,
 * little-endian, over everything behind it) is seeded by the address, so neither a damaged document nor one that stands
 * under another address is taken for what this program wrote.
 */
export function seal(address: string, { castId, body }: Sealed): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  bytes[0] = FORM;
  bytes.write(castId, 9, 8, "hex");
  bytes.set(body, HEAD_BYTES);
  bytes.writeBigUInt64LE(checksum(address, bytes.subarray(9)), 1);
  return bytes;
}

/** Whether a row's value is in this form at all, whole or damaged. */
export function isSealed(value: unknown): value is Bytes {
  return (value instanceof Uint8Array || value instanceof ArrayBuffer) && view(value)[0] === FORM;
}

/** Undefined for what is damaged or belongs to another address. */
export function unseal(address: string, value: Bytes): Sealed | undefined {
  const bytes = view(value);
  if (bytes.length <= HEAD_BYTES || bytes[0] !== FORM) return undefined;
  if (checksum(address, bytes.subarray(9)) !== bytes.readBigUInt64LE(1)) return undefined;
  return { castId: bytes.toString("hex", 9, HEAD_BYTES), body: bytes.subarray(HEAD_BYTES) };
}

function checksum(address: string, bytes: Uint8Array): bigint {
  return Bun.hash.xxHash64(bytes, Bun.hash.xxHash64(address));
}

function view(value: Bytes): Buffer {
  if (value instanceof Buffer) return value;
  return value instanceof ArrayBuffer
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
