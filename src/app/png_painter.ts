import { readFileSync } from "node:fs";
import { join } from "node:path";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { createQueue, createThrottle } from "#concurrency";
import type { Paths } from "./files.ts";

/** The library that draws, relative to the packages folder. */
export const DRAWING_LIBRARY = "@resvg/resvg-wasm/index_bg.wasm";

/** The fonts of the share cards, in the order in which a missing character is looked for. */
const CARD_FONTS = ["latin_medium", "latin_bold", "chinese_medium", "chinese_bold"];

/** A drawing blocks the event loop for about 30 ms. In the gaps other requests are answered. */
const GAP_MS = 60;

/** The last of them waits for about 1.5 seconds. */
const MAX_WAITING = 16;

/** Draws SVG as PNG. Returns undefined if too many drawings wait. */
export type DrawPng = (svg: string) => Promise<Uint8Array | undefined>;

/** The library has one instance for each process. */
let loading: Promise<void> | undefined;

/**
 * Creates the function that draws the share cards, one after another. It loads the library and the fonts when the first
 * card is drawn. `gapMs` is the pause between two drawings. It reads nothing that an SVG refers to. It rejects if a file of the program is missing.
 */
export function createPngPainter(
  options: Pick<Paths, "packages" | "fonts"> & { readonly gapMs?: number },
): DrawPng {
  const { packages, fonts: folder, gapMs = GAP_MS } = options;
  const queue = createQueue({ maxRunning: 1, maxWaiting: MAX_WAITING });
  const throttle = createThrottle({
    intervalMs: gapMs,
    now: () => performance.now(),
    after: (ms, then) => void setTimeout(then, ms),
  });
  let fonts: readonly Uint8Array[] | undefined;

  async function load(): Promise<readonly Uint8Array[]> {
    loading ??= initWasm(readFileSync(join(packages, DRAWING_LIBRARY)));
    await loading;
    fonts ??= CARD_FONTS.map((name) => Bun.gunzipSync(readFileSync(join(folder, `${name}.ttf.gz`))));
    return fonts;
  }

  return async (svg) => {
    const place = queue.enter();
    if (place === undefined) return undefined;
    try {
      await place.turn;
      const loaded = await load();
      await throttle.wait();
      return draw(svg, loaded);
    } finally {
      place.release();
    }
  };
}

/** The objects of the library hold memory that garbage collection does not see, so each is freed. */
function draw(svg: string, fonts: readonly Uint8Array[]): Uint8Array {
  const drawing = new Resvg(svg, { font: { fontBuffers: [...fonts], defaultFontFamily: "Noto Sans" } });
  try {
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
