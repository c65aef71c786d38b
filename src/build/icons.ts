/** Draws the icons for home screens as PNG: `bun src/build/icons.ts`, after the drop of the brand changes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPngPainter } from "#app";

const project = join(import.meta.dir, "../..");

/** File name and width in pixels. The systems cut the corners, so the drop stays within the middle 60 percent. */
const ICONS = [
  ["touch_icon.png", 180],
  ["app_icon.png", 512],
] as const;

const draw = createPngPainter({ packages: join(project, "node_modules"), fonts: join(project, "fonts") });
for (const [name, size] of ICONS) {
  const png = await draw(
    () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" fill="#0b6e8f"/><path transform="translate(6.4 5.8) scale(0.6)" fill="#fff" fill-rule="evenodd" d="M16 2c5.6 6.8 10 11.6 10 17.6a10 10 0 0 1-20 0c0-6 4.4-10.8 10-17.6zm-5.5 17.2a5.6 5.6 0 0 0 5 6.2v-2.2a3.6 3.6 0 0 1-3-4z"/></svg>`,
  );
  if (png === undefined) throw new Error(`Cannot draw ${name}: the queue is full`);
  writeFileSync(join(project, "static", name), png);
  console.log(`static/${name}: ${png.length} bytes`);
}
