/** The characters of a font and their widths. */
export interface ReadFont {
  /** Width in thousandths of the font size; undefined for a character without a glyph. */
  readonly widthOf: (character: string) => number | undefined;
}

/** Reads the tables cmap (formats 4 and 12), hmtx, hhea and head of a TrueType font (OpenType specification 1.9). */
export function readFont(bytes: Uint8Array): ReadFont {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = new Map<string, number>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + index * 16;
    tables.set(new TextDecoder().decode(bytes.subarray(at, at + 4)), view.getUint32(at + 8));
  }
  const at = (name: string): number => tables.get(name) ?? Number.NaN;
  const unitsPerEm = view.getUint16(at("head") + 18);
  const measured = view.getUint16(at("hhea") + 34);
  const glyphs = readGlyphs(view, at("cmap"));
  return {
    widthOf(character) {
      const glyph = glyphs.get(character.codePointAt(0) ?? -1);
      if (glyph === undefined || glyph === 0) return undefined;
      return (view.getUint16(at("hmtx") + Math.min(glyph, measured - 1) * 4) * 1000) / unitsPerEm;
    },
  };
}

function readGlyphs(view: DataView, cmap: number): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const start = cmap + view.getUint32(cmap + 4 + index * 8 + 4);
    const format = view.getUint16(start);
    if (format === 4) readSegments(view, start, glyphs);
    if (format === 12) readGroups(view, start, glyphs);
  }
  return glyphs;
}

function readSegments(view: DataView, start: number, glyphs: Map<number, number>): void {
  const size = view.getUint16(start + 6);
  for (let offset = 0; offset < size; offset += 2) {
    const last = view.getUint16(start + 14 + offset);
    const first = view.getUint16(start + 16 + size + offset);
    const delta = view.getUint16(start + 16 + 2 * size + offset);
    const rangeAt = start + 16 + 3 * size + offset;
    const range = view.getUint16(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - first));
      if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
    }
  }
}

function readGroups(view: DataView, start: number, glyphs: Map<number, number>): void {
  for (let index = 0; index < view.getUint32(start + 12); index++) {
    const at = start + 16 + index * 12;
    const first = view.getUint32(at);
    for (let code = first; code <= view.getUint32(at + 4); code++)
      glyphs.set(code, view.getUint32(at + 8) + code - first);
  }
}
