import { pageWordsOf } from "#locale";
import type { Language } from "#report";
import { comparePathOf } from "./compare_path_of.ts";
import { type Html, html } from "./html.ts";

/** The field for several candidates. */
export function drawCompareForm(language: Language, text = ""): Html {
  const words = pageWordsOf(language);
  return html`<form action="${comparePathOf(language)}" method="get">
<label for="ips">${words.compareField}</label>
<div class="ask"><textarea id="ips" name="ips" rows="2" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="ips-hint" required>${text}</textarea>
<button type="submit">${words.compareLook}</button></div>
<p class="quiet" id="ips-hint">${words.compareHint}</p>
</form>`;
}
