import { displayWidth } from "./display_width.ts";

// Marks that may not begin a line, and marks that may not end one (JIS X 4051 and GB/T 15834 line breaking).
const CLOSING = /^[，。、；：？！）」』】》〉〕｝％,.;:?!)\]}%]$/u;
const OPENING = /^[（「『【《〈〔｛([{]$/u;

interface Token {
  readonly text: string;
  readonly width: number;
  /** A blank before it, given up at a line end. */
  readonly spaced: boolean;
}

/**
 * Breaks a text into lines of at most `width` cells, `width` being 4 or more: between words, between
 * ideographs, never before closing or after opening punctuation; a longer word is cut where the line ends.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const token of tokens(text)) {
    const gap = token.spaced && used > 0 ? 1 : 0;
    if (used > 0 && used + gap + token.width > width) {
      lines.push(line);
      line = "";
      used = 0;
    } else if (gap === 1) {
      line += " ";
      used += 1;
    }
    for (const piece of token.width > width ? cut(token.text, width) : [token]) {
      if (used > 0 && used + piece.width > width) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += piece.text;
      used += piece.width;
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

/** Words, and single ideographs with the punctuation that clings to them. */
function tokens(text: string): Token[] {
  const found: Token[] = [];
  for (const word of text.split(" ")) {
    if (word === "") continue;
    let spaced = found.length > 0;
    for (const piece of splitWide(word)) {
      found.push({ text: piece, width: displayWidth(piece), spaced });
      spaced = false;
    }
  }
  return found;
}

function splitWide(word: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let afterWide = false;
  let afterOpening = false;
  for (const character of word) {
    const wide = Bun.stringWidth(character) === 2;
    const opening = OPENING.test(character);
    const clings = afterOpening || CLOSING.test(character) || Bun.stringWidth(character) === 0;
    if (piece !== "" && !clings && (wide || afterWide)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
    afterWide = wide || (clings && afterWide);
    afterOpening = opening && wide;
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

function cut(text: string, width: number): { readonly text: string; readonly width: number }[] {
  const pieces: { text: string; width: number }[] = [];
  let piece = { text: "", width: 0 };
  for (const character of text) {
    const cells = Bun.stringWidth(character);
    if (piece.width > 0 && piece.width + cells > width) {
      pieces.push(piece);
      piece = { text: "", width: 0 };
    }
    piece = { text: piece.text + character, width: piece.width + cells };
  }
  pieces.push(piece);
  return pieces;
}
