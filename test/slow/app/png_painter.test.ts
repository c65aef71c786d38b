import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createPngPainter } from "#app";

const project = join(import.meta.dir, "../../..");
const FILES = { packages: join(project, "node_modules"), fonts: join(project, "fonts") };
const svg = (text = "limpid") =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><text y="99" font-size="60">${text}</text></svg>`;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const isPng = (bytes: Uint8Array = new Uint8Array()) => expect([...bytes.subarray(0, 8)]).toEqual(SIGNATURE);

/** The first thread runs this code, the others are real. */
function painterWith(code: string) {
  const broken = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const urls = [broken];
  const real = new URL("../../../src/app/png_worker.ts", import.meta.url).href;
  return createPngPainter({ ...FILES, timeoutMs: 3000, openWorker: () => new Worker(urls.shift() ?? real) });
}

describe("the painter", () => {
  test("draws on a thread of its own, so that the event loop goes on", async () => {
    const draw = createPngPainter(FILES);
    isPng(await draw(() => svg()));
    let ticks = 0;
    let isDone = false;
    const drawing = draw(() => svg("x".repeat(2000))).finally(() => {
      isDone = true;
    });
    for (; !isDone; ticks += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    isPng(await drawing);
    expect(ticks).toBeGreaterThan(10);
  });

  test("refuses what 17 others are before, without rendering it", async () => {
    const draw = createPngPainter(FILES);
    let rendered = 0;
    const render = () => {
      rendered += 1;
      return svg();
    };
    const drawn = await Promise.all(Array.from({ length: 50 }, () => draw(render)));
    expect([drawn.filter((one) => one !== undefined).length, rendered]).toEqual([17, 17]);
  });

  test("rests after a drawing for as long as it took", async () => {
    const tookMs = 200;
    const code = `self.onmessage = () => setTimeout(() => postMessage({ png: new Uint8Array(8) }), ${tookMs});`;
    const draw = painterWith(code);
    const first = draw(() => svg());
    let startedAt = 0;
    const second = draw(() => {
      startedAt = performance.now();
      return svg();
    });
    await first;
    const drawnAt = performance.now();
    await second;
    expect(startedAt - drawnAt).toBeGreaterThan(tookMs * 0.9);
  });

  test.each([
    ["ends", "self.onmessage = () => process.exit(0);", "Cannot draw an image: the thread ended"],
    ["ends before the first drawing", "process.exit(1);", "Cannot draw an image: the thread ended"],
    ["throws", 'self.onmessage = () => { throw new Error("it broke"); };', "it broke"],
    ["does not answer", "self.onmessage = () => { for (;;); };", "the thread did not answer for 3000 ms"],
  ])("replaces a thread that %s; its drawing fails, those that wait are drawn", async (_, code, problem) => {
    const draw = painterWith(code);
    const [lost, next] = await Promise.allSettled([draw(() => svg()), draw(() => svg())]);
    expect(lost.status === "rejected" && String(lost.reason)).toContain(problem);
    if (next.status === "rejected") throw next.reason;
    isPng(next.value);
  });

  test("fails with what is wrong: no such file, no such picture, no text at all", async () => {
    const without = createPngPainter({ ...FILES, fonts: "/nowhere" });
    await expect(without(() => svg())).rejects.toThrow("/nowhere/latin_medium.ttf.gz");
    const draw = createPngPainter(FILES);
    await expect(draw(() => "<svg")).rejects.toThrow("Cannot draw an image: ");
    const broken = () => {
      throw new Error("no text");
    };
    await expect(draw(broken)).rejects.toThrow("no text");
    isPng(await draw(() => svg()));
  });
});
