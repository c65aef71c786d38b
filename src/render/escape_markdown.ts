import { neutralise } from "./neutralise.ts";

// What begins emphasis, code, a link, an image, raw HTML, a cell, struck or mathematical text.
const MARKS = /[\\`*[\]<>|~$]/g;
// An underscore within a word is only an underscore; elsewhere it may begin emphasis.
const LOOSE_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const ENTITY = /&(?=#?[a-z0-9]+;)/gi;
const SCHEME = /\b(https?|ftp|mailto|xmpp):/gi;
const WWW = /\b(www)\./gi;
// What would make a heading, a quotation, a list or a rule of a paragraph that begins with it.
const OPENER = /^(?:([#+=-])|(\d+)([.)])(?= |$))/;

/**
 * A string from outside as the text of a paragraph or a table cell of GitHub-flavoured Markdown
 * (https://github.github.com/gfm/): neutral, in one line, and nothing in it makes a link, markup or a cell.
 * One with an `@` becomes code, since no escape keeps an e-mail address from becoming a link there.
 */
export function escapeMarkdown(text: string): string {
  const plain = neutralise(text).trim();
  if (plain.includes("@")) return quoteMarkdown(plain);
  return plain
    .replace(MARKS, "\\$&")
    .replace(LOOSE_UNDERSCORE, "\\_")
    .replace(ENTITY, "\\&")
    .replace(SCHEME, "$1\\:")
    .replace(WWW, "$1\\.")
    .replace(OPENER, (_, sign: string | undefined, digits: string, end: string) =>
      sign === undefined ? `${digits}\\${end}` : `\\${sign}`,
    );
}

/**
 * A string from outside as inline code: a web address that must not become a link, for example. Pipes are shown as
 * their code point, since no escape of one holds in the code of a table cell behind a backslash.
 */
export function quoteMarkdown(text: string): string {
  const plain = neutralise(text).trim().replaceAll("|", "\\u{7c}");
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = longest > 0 || plain === "" ? " " : "";
  return `${fence}${gap}${plain}${gap}${fence}`;
}
