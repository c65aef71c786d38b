/**
 * Makes the fonts of the share cards: `bun src/build/card_fonts.ts`, after a Chinese text gets a new character. It
 * writes `fonts/` and `src/render/card/ideographs.json`. The fonts are subsets of Noto Sans and Noto Sans SC (SIL OFL
 * 1.1). The whole fonts have 23 MB, so they and the tool that cuts them are installed only while this runs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listIdeographs, listLetters } from "./card_characters.ts";
import FONTS from "./card_fonts.json" with { type: "json" };

const project = join(import.meta.dir, "../..");

const LATIN = "@expo-google-fonts/noto-sans";
const CHINESE = "@expo-google-fonts/noto-sans-sc";
const PACKAGES = { [LATIN]: "0.4.2", [CHINESE]: "0.4.3", "subset-font": "2.9.0" };

/** The function that `subset-font` exports. */
type Subset = (
  font: Uint8Array,
  characters: string,
  options: {
    readonly targetFormat: "truetype";
    readonly noLayoutClosure: boolean;
    readonly preserveNameIds: readonly number[];
  },
) => Promise<Uint8Array<ArrayBuffer>>;

const folder = mkdtempSync(join(tmpdir(), "limpid-fonts-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  const { success, stderr } = Bun.spawnSync([process.execPath, "install", "--ignore-scripts"], {
    cwd: folder,
  });
  if (!success) throw new Error(`Cannot install the fonts: ${stderr.toString().trim()}`);
  const packages = join(folder, "node_modules");
  const tool = (await import(join(packages, "subset-font/index.js"))) as { readonly default: Subset };
  const fonts = join(project, "fonts");
  mkdirSync(fonts, { recursive: true });
  // The SHA-256 is that of the whole font.
  for (const { name, file, sha256 } of FONTS) {
    const characters = file.startsWith(`${LATIN}/`) ? listLetters() : listIdeographs();
    const whole = readFileSync(join(packages, file));
    if (new Bun.CryptoHasher("sha256").update(whole).digest("hex") !== sha256)
      throw new Error(`Cannot use the font "${file}": its SHA-256 is not ${sha256}`);
    // Names 16 and 17 are the family and the style that CSS means; without them each weight is a family of its own.
    const names = [1, 2, 16, 17];
    const options = { targetFormat: "truetype", noLayoutClosure: true, preserveNameIds: names } as const;
    const packed = Bun.gzipSync(await tool.default(whole, characters, options), { level: 9 });
    writeFileSync(join(fonts, `${name}.ttf.gz`), packed);
    console.log(`fonts/${name}.ttf.gz: ${packed.length} bytes`);
  }
  for (const name of [LATIN, CHINESE]) {
    const licence = name === LATIN ? "latin_OFL.txt" : "chinese_OFL.txt";
    writeFileSync(join(fonts, licence), readFileSync(join(packages, name, "LICENSE_FONT")));
  }
  writeFileSync(join(project, "src/render/card/ideographs.json"), `${JSON.stringify(listIdeographs())}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
