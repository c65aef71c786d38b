import { join } from "node:path";
import { createPace, hasFreeFiles } from "#concurrency";
import type { HttpContext } from "#http";
import type { Paths } from "./files.ts";
import type { DrawAnswer, DrawOrder } from "./png_worker.ts";

/** The library that draws, relative to the packages folder. */
export const DRAWING_LIBRARY = "@resvg/resvg-wasm/index_bg.wasm";

/** The fonts of the share cards, in the order in which a missing character is looked for. */
const CARD_FONTS = ["latin_medium", "latin_bold", "chinese_medium", "chinese_bold"];

/** The last of them waits for about a second, on half a processor core for two. */
const MAX_WAITING = 16;

/** A drawing that takes longer is given up. The first one on a slow machine takes two seconds. */
const DRAW_MS = 10_000;

/** The thread rests after a drawing for as long as it took, at most for this time. */
const MAX_REST_MS = 500;

/** The thread is stopped when it is idle for this long, which frees its memory. */
const IDLE_MS = 60_000;

/**
 * Creates the function that draws the share cards on another thread, one after another. It reads nothing that an SVG
 * refers to. It returns undefined, and calls nothing, if too many drawings wait, or if the process cannot open the files
 * of a new thread. It rejects when a file of the program is missing, and when the thread ends or does not answer; the
 * next drawing then gets a new thread.
 */
export function createPngPainter(
  options: Pick<Paths, "packages" | "fonts"> & {
    readonly openWorker?: () => Worker;
    readonly timeoutMs?: number;
  },
): HttpContext["drawPng"] {
  const { packages, fonts: folder, timeoutMs = DRAW_MS } = options;
  const openWorker =
    options.openWorker ?? (() => new Worker(new URL("./png_worker.ts", import.meta.url).href));
  const library = join(packages, DRAWING_LIBRARY);
  const fonts = CARD_FONTS.map((name) => join(folder, `${name}.ttf.gz`));
  const pace = createPace({ maxWaiting: MAX_WAITING, maxRestMs: MAX_REST_MS });
  let worker: Worker | undefined;
  let idle: Timer | undefined;
  let finish: ((answer: DrawAnswer) => void) | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
  }

  function lose(problem: string): void {
    end();
    finish?.({ problem });
  }

  function open(): Worker {
    const opened = openWorker();
    const loseOpened = (problem: string) => {
      if (worker === opened) lose(problem);
    };
    opened.onmessage = ({ data }: MessageEvent<DrawAnswer>) => finish?.(data);
    opened.onerror = (event) => {
      event.preventDefault();
      loseOpened(`the thread failed: ${event.message}`);
    };
    opened.addEventListener("close", () => loseOpened("the thread ended"));
    return opened;
  }

  async function draw(svg: string): Promise<Uint8Array> {
    clearTimeout(idle);
    worker ??= open();
    // A drawing keeps the process alive; an idle thread does not.
    worker.ref();
    worker.postMessage({ svg, library, fonts } satisfies DrawOrder);
    const limit = setTimeout(() => lose(`the thread did not answer for ${timeoutMs} ms`), timeoutMs);
    const answer = await new Promise<DrawAnswer>((resolve) => {
      finish = resolve;
    });
    finish = undefined;
    clearTimeout(limit);
    worker?.unref();
    idle = setTimeout(end, IDLE_MS);
    idle.unref();
    if ("problem" in answer) throw new Error(`Cannot draw an image: ${answer.problem}`);
    return answer.png;
  }

  return (renderSvg) =>
    pace.run(async () => (worker === undefined && !hasFreeFiles() ? undefined : draw(await renderSvg())));
}
