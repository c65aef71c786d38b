import type { Line } from "./exchange.ts";
import type { ReportWish } from "./report_wish.ts";

/** A request line that was answered before, and what was read of it; all of it depends on the line alone. */
export interface KnownLine extends Line {
  /** Pattern of its route. */
  readonly route: string;
  readonly wish: ReportWish;
}

/** The line of a report with its origin has under 120 characters; longer ones are read anew each time. */
const MAX_LENGTH = 200;

/** Lines of one generation; two are kept. */
const MAX_LINES = 4096;

/**
 * Lines that a report answered, by their URL, so that asking again costs neither routing nor reading. One is
 * kept from when it was last asked until 4096 others were, at least.
 */
export interface KnownLines {
  find(url: string): KnownLine | undefined;
  keep(url: string, line: KnownLine): void;
}

/** Creates {@link KnownLines}; two generations of a plain map cost less than an exact order of use. */
export function createKnownLines(): KnownLines {
  let young = new Map<string, KnownLine>();
  let old = new Map<string, KnownLine>();

  function keep(url: string, line: KnownLine): void {
    if (url.length > MAX_LENGTH) return;
    if (young.size >= MAX_LINES) {
      old = young;
      young = new Map();
    }
    young.set(url, line);
  }

  return {
    find(url) {
      const line = young.get(url);
      if (line !== undefined) return line;
      const older = old.get(url);
      if (older !== undefined) keep(url, older);
      return older;
    },
    keep,
  };
}
