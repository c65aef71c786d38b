/** The parameters of a request, decoded; a name may stand there several times. */
export interface Query {
  /** The first value of a name, or null. */
  get(name: string): string | null;
  getAll(name: string): readonly string[];
  /** All of them, encoded. */
  toString(): string;
}

/** What stands for itself: without escapes, and without the plus that means a blank. */
const PLAIN = /^[\w.~:,=&-]*$/;

const NONE: readonly string[] = [];

/** Reads the part of a target behind its question mark, as the WHATWG URL standard does for `URLSearchParams`. */
export function readParameters(text: string): Query {
  if (!PLAIN.test(text)) return new URLSearchParams(text);
  const names: string[] = [];
  const values: string[] = [];
  for (let from = 0; from < text.length; ) {
    const mark = text.indexOf("&", from);
    const end = mark < 0 ? text.length : mark;
    if (end > from) {
      const equals = text.indexOf("=", from);
      const isBare = equals < 0 || equals > end;
      names.push(text.slice(from, isBare ? end : equals));
      values.push(isBare ? "" : text.slice(equals + 1, end));
    }
    from = end + 1;
  }
  return {
    get(name) {
      return values[names.indexOf(name)] ?? null;
    },
    getAll(name) {
      const first = names.indexOf(name);
      if (first < 0) return NONE;
      return values.filter((_, at) => names[at] === name);
    },
    toString: () => text,
  };
}
