import { sanitize } from "../characters.ts";

// Printable ASCII except `"`, `&`, `'`, `<` and `>`, and short enough for sanitize() to keep it whole.
const NEEDS_NO_ESCAPE = /^[ !#-%(-;=?-~]{0,200}$/;

// Characters that could end a script element or a line, and characters that mislead a reader of the source.
const UNSAFE_IN_SCRIPT = /[<>&\p{Cf}\p{Zl}\p{Zp}\u{7f}-\u{9f}]/gu;

/** Markup that is safe to send. Only this file makes it, so that no string can be mistaken for it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a template. `false`, `undefined` and `null` write nothing. */
export type Insert = Html | string | number | false | undefined | null | readonly Insert[];

/**
 * Template tag for HTML. It sanitizes and escapes every value except {@link Html}. Attributes must be in double quotes.
 * It escapes the characters that can end text or a quoted attribute
 * (https://html.spec.whatwg.org/multipage/parsing.html).
 */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  let text = parts[0] ?? "";
  for (let index = 0; index < inserts.length; index++) {
    text += formatInsert(inserts[index]) + (parts[index + 1] ?? "");
  }
  return new Html(text);
}

function formatInsert(insert: Insert): string {
  if (insert instanceof Html) return insert.toString();
  if (typeof insert === "string")
    return NEEDS_NO_ESCAPE.test(insert) ? insert : Bun.escapeHTML(sanitize(insert));
  if (typeof insert === "number") return String(insert);
  if (insert === false || insert === undefined || insert === null) return "";
  let text = "";
  for (const part of insert) text += formatInsert(part);
  return text;
}

/** What stays as it is, which is tags and some elements; and dates, offsets to UTC, and names with hyphens. */
const BROKEN =
  /<(script|style|svg|pre|code|textarea|option)\b[\s\S]*?<\/\1>|<[^>]*>|UTC[+\u2212-]\d+(?::\d\d)?|(?<![A-Za-z\d.])[A-Za-z\d.]+(?:-[A-Za-z\d.]*[A-Za-z\d])+/g;

/**
 * Keeps dates and names such as `ip-api.com` on one line, but no words such as `data-centre`, and no name of more than 24
 * characters: it may be wider than its column. A browser breaks lines after a hyphen. A character that forbids the break
 * would be in what a reader copies; an element is not.
 */
export function keepNamesWhole(markup: Html): Html {
  const wrap = (piece: string) =>
    piece.startsWith("<") || piece.length > 24 || !/[\d.]|-[A-Z]/.test(piece)
      ? piece
      : `<span class="whole">${piece}</span>`;
  return new Html(markup.toString().replace(BROKEN, wrap));
}

/** Escapes a text that this service made, and keeps its lines and columns, for a `pre`. It does not sanitize. */
export function preformatted(text: string): Html {
  return new Html(Bun.escapeHTML(text));
}

/**
 * Makes a script element that holds JSON data and runs nothing. `JSON.parse` of its text returns the value.
 * `<`, `>`, `&`, U+2028, U+2029 and invisible format characters are written as `\uXXXX`.
 */
export function jsonScript(id: "service-report", value: unknown): Html {
  return new Html(`<script type="application/json" id="${id}">${escapeJson(value)}</script>`);
}

/** Makes a script element with linked data for search engines (https://www.w3.org/TR/json-ld11/, 7); it runs nothing. */
export function linkedData(value: Readonly<Record<string, unknown>>): Html {
  const json = escapeJson({ "@context": "https://schema.org", ...value });
  return new Html(`<script type="application/ld+json">${json}</script>`);
}

function escapeJson(value: unknown): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(UNSAFE_IN_SCRIPT, (units) => units.split("").map(escapeUnit).join(""));
}
