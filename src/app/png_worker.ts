import { readFileSync } from "node:fs";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

/** One SVG to draw, and the files that the thread reads before its first drawing: the library, and fonts in gzip. */
export interface DrawOrder {
  readonly svg: string;
  readonly library: string;
  readonly fonts: readonly string[];
}

/** The drawn image, or why there is none. */
export type DrawAnswer = { readonly png: Uint8Array<ArrayBuffer> } | { readonly problem: string };

/** The thread that draws: one drawing takes 30 ms of a fast processor, and more than 100 ms of a slow one. */
declare const self: Worker;

let loading: Promise<readonly Uint8Array[]> | undefined;

self.onmessage = async ({ data }: MessageEvent<DrawOrder>) => {
  try {
    loading ??= load(data);
    const png = draw(data.svg, await loading);
    postMessage({ png } satisfies DrawAnswer, [png.buffer]);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    postMessage({ problem } satisfies DrawAnswer);
  }
};

async function load({ library, fonts }: DrawOrder): Promise<readonly Uint8Array[]> {
  await initWasm(readFileSync(library));
  return fonts.map((path) => Bun.gunzipSync(readFileSync(path)));
}

/** The objects of the library hold memory that garbage collection does not see, so each is freed. */
function draw(svg: string, fonts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const drawing = new Resvg(svg, { font: { fontBuffers: [...fonts], defaultFontFamily: "Noto Sans" } });
  try {
    const image = drawing.render();
    try {
      return new Uint8Array(image.asPng());
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
