import { sanitize } from "../characters.ts";

// Characters that begin emphasis, code, a link, an image, raw HTML, a cell, struck-through or mathematical text.
const MARKS = /[\\`*[\]<>|~$]/g;
// An underscore inside a word is harmless. Elsewhere it may begin emphasis.
const LOOSE_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const ENTITY = /&(?=#?[a-z0-9]+;)/gi;
const SCHEME = /\b(https?|ftp|mailto|xmpp):/gi;
const WWW = /\b(www)\./gi;
// At the beginning of a paragraph: a heading, a quotation, a list or a rule.
const BLOCK_START = /^(?:([#+=-])|(\d+)([.)])(?= |$))/;

/**
 * Escapes a string from outside as the text of a paragraph or a table cell of GitHub-flavoured Markdown
 * (https://github.github.com/gfm/). It sanitizes the string into one line, and nothing in it can become a link, markup
 * or a cell. A string with `@` becomes code, because no escape prevents a link to an e-mail address.
 */
export function escapeMarkdown(text: string): string {
  const plain = sanitize(text).trim();
  if (plain.includes("@")) return quoteMarkdown(plain);
  return plain
    .replace(MARKS, "\\$&")
    .replace(LOOSE_UNDERSCORE, "\\_")
    .replace(ENTITY, "\\&")
    .replace(SCHEME, "$1\\:")
    .replace(WWW, "$1\\.")
    .replace(BLOCK_START, (_, sign: string | undefined, digits: string, end: string) =>
      sign === undefined ? `${digits}\\${end}` : `\\${sign}`,
    );
}

/**
 * Formats a string from outside as inline code, for example a URL that must not become a link. A pipe is shown as its
 * code point, because a pipe in the code of a table cell cannot be escaped after a backslash.
 */
export function quoteMarkdown(text: string): string {
  const plain = sanitize(text).trim().replaceAll("|", "\\u{7c}");
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = longest > 0 || plain === "" ? " " : "";
  return `${fence}${gap}${plain}${gap}${fence}`;
}
