import { neutralise } from "./neutralise.ts";

// Printable ASCII but for `"`, `&`, `'`, `<` and `>`; short enough to be shown whole.
const HARMLESS = /^[ !#-%(-;=?-~]{0,200}$/;

/** Markup that is safe to send: made by {@link html} alone, so that no string can pass for it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template; `false`, `undefined` and `null` leave nothing behind. */
export type Insert = Html | string | number | false | undefined | null | readonly Insert[];

/**
 * Template tag that neutralises and escapes every insert except {@link Html}; attributes must stand in double quotes.
 * Escaped are the characters of https://html.spec.whatwg.org/multipage/parsing.html that can end text
 * or a quoted attribute.
 */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  let text = parts[0] ?? "";
  for (let index = 0; index < inserts.length; index++) {
    text += writeInsert(inserts[index]) + (parts[index + 1] ?? "");
  }
  return new Html(text);
}

function writeInsert(insert: Insert): string {
  if (insert instanceof Html) return insert.toString();
  if (typeof insert === "string") return HARMLESS.test(insert) ? insert : Bun.escapeHTML(neutralise(insert));
  if (typeof insert === "number") return String(insert);
  if (insert === false || insert === undefined || insert === null) return "";
  let text = "";
  for (const part of insert) text += writeInsert(part);
  return text;
}
