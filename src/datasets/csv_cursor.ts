import { DatasetError } from "./dataset_error.ts";

/** Fields a record may have. */
const MAX_FIELDS = 16;
const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;
const RETURN = 13;

/**
 * Reads CSV (RFC 4180, UTF-8, newline or CR LF) record by record out of bytes in memory; empty lines are passed over.
 * Fields stay bytes until one is asked for.
 */
export class CsvCursor {
  /** Fields of the current record, and the line it begins on, from 1. */
  size = 0;
  line = 0;
  readonly #bytes: Buffer;
  readonly #file: string;
  readonly #from = new Int32Array(MAX_FIELDS);
  readonly #to = new Int32Array(MAX_FIELDS);
  #at = 0;
  #lines = 1;

  constructor(bytes: Buffer, file: string) {
    this.#bytes = bytes;
    this.#file = file;
  }

  /**
   * Steps to the next record; false at the end.
   * @throws {DatasetError} when a quoted field is not closed as it must be, or there are too many fields.
   */
  next(): boolean {
    const bytes = this.#bytes;
    while (bytes[this.#at] === NEWLINE || bytes[this.#at] === RETURN) {
      if (bytes[this.#at++] === NEWLINE) this.#lines++;
    }
    this.line = this.#lines;
    this.size = 0;
    if (this.#at >= bytes.length) return false;
    for (;;) {
      if (this.size === MAX_FIELDS) throw this.fail("it has too many fields");
      this.#readField();
      const end = bytes[this.#at++];
      if (end === COMMA) continue;
      if (end === RETURN && bytes[this.#at] === NEWLINE) this.#at++;
      if (end !== undefined) this.#lines++;
      return true;
    }
  }

  /** The field as a plain decimal number below 2^53; NaN when it is anything else. */
  integer(field: number): number {
    const from = this.#from[field] ?? 0;
    const to = this.#to[field] ?? 0;
    if (field >= this.size || to === from || to - from > 15) return Number.NaN;
    let value = 0;
    for (let at = from; at < to; at++) {
      const digit = this.#bytes[at]! - 48;
      if (!(digit >= 0 && digit <= 9)) return Number.NaN;
      value = value * 10 + digit;
    }
    return value;
  }

  /** The field as text, quotes resolved; empty when there is no such field. */
  text(field: number): string {
    if (field >= this.size) return "";
    const from = this.#from[field] ?? 0;
    const text = this.#bytes.toString("utf8", from, this.#to[field] ?? 0);
    return from > 0 && this.#bytes[from - 1] === QUOTE ? text.replaceAll('""', '"') : text;
  }

  /** The error that something is wrong with the current record. */
  fail(why: string): DatasetError {
    return new DatasetError(`Cannot read "${this.#file}": line ${this.line}: ${why}`);
  }

  #readField(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at] !== QUOTE) {
      this.#from[this.size] = at;
      let byte = bytes[at];
      while (byte !== undefined && byte !== COMMA && byte !== NEWLINE && byte !== RETURN) {
        if (byte === QUOTE) throw this.fail("a quote inside a field that is not quoted");
        byte = bytes[++at];
      }
    } else {
      this.#from[this.size] = ++at;
      for (; bytes[at] !== QUOTE || bytes[at + 1] === QUOTE; at++) {
        if (at >= bytes.length) throw this.fail("a quoted field that does not end");
        if (bytes[at] === QUOTE) at++;
        else if (bytes[at] === NEWLINE) this.#lines++;
      }
      this.#to[this.size++] = at;
      this.#at = ++at;
      const end = bytes[at];
      if (end !== undefined && end !== COMMA && end !== NEWLINE && end !== RETURN) {
        throw this.fail("text behind a quoted field");
      }
      return;
    }
    this.#to[this.size++] = at;
    this.#at = at;
  }
}
