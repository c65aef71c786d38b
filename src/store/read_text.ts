/**
 * A text that a statement gave as bytes (`CAST(… AS BLOB)`), or as text. Stored text is asked for as bytes, because
 * libSQL ends the whole process over one that is no UTF-8 any more, as a byte that has turned on the disk makes it.
 */
export function readText(value: unknown): string {
  return value instanceof ArrayBuffer || value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : String(value);
}
