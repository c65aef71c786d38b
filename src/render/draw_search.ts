import { pageWordsOf } from "#locale";
import type { Language } from "#report";
import { homePathOf } from "./home_path_of.ts";
import { type Html, html } from "./html.ts";

/** The field that takes what people paste; its text is read by the front page, so it works without script. */
export function drawSearch(language: Language, text = ""): Html {
  const words = pageWordsOf(language);
  return html`<search><form id="lookup-form" action="${homePathOf(language)}" method="get">
<label for="ip">${words.field}</label>
<div class="ask"><input id="ip" name="ip" type="text" value="${text}" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="ip-hint" required>
<button type="submit">${words.look}</button></div>
<p class="quiet" id="ip-hint">${words.fieldHint}</p>
</form></search>`;
}
