import type { Palette } from "./text_writer.ts";

/**
 * Colours of a terminal report: Select Graphic Rendition (ECMA-48, 8.3.117). Yellow, white, black and the bright colours
 * are hard to read on one of the usual backgrounds. Dim is used for lines only, because some terminals do not show it.
 */
export const COLOURS: Palette = {
  before: {
    title: "\u001b[1m",
    strong: "\u001b[1m",
    quiet: "\u001b[2m",
    pristine: "\u001b[1;32m",
    clean: "\u001b[32m",
    neutral: "\u001b[36m",
    suspicious: "\u001b[35m",
    risky: "\u001b[31m",
    dangerous: "\u001b[1;31m",
  },
  after: "\u001b[0m",
};
