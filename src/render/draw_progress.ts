import { checkWordsOf } from "#locale";
import type { Language } from "#report";
import { type Html, html } from "./html.ts";

/**
 * The place where scripts show the live progress of a survey, empty and hidden until then, with the words they use
 * as JSON in `data-words`. It brings its style sheet along unless `styled` says that the head has it.
 */
export function drawProgress(language: Language, { styled = false } = {}): Html {
  return html`${!styled && html`<link rel="stylesheet" href="/static/check.css">\n`}<div id="progress" hidden data-words="${JSON.stringify(checkWordsOf(language).progress)}"></div>`;
}
