import { checkTextsOf } from "#locale";
import type { Language } from "#report";
import { reportPathOf } from "../paths.ts";
import { renderDocument } from "./document.ts";
import { html } from "./html.ts";
import { renderAddress, renderProgress } from "./parts.ts";

/**
 * Renders the page of an address that has no report yet: `/static/survey.js` starts the survey, shows its progress and
 * opens the report. Without script the browser asks for the report itself with `wait=1`, and waits.
 */
export function renderSurveyPage(ip: string, language: Language): string {
  const { progress } = checkTextsOf(language);
  const path = { zh: reportPathOf(ip, "zh"), en: reportPathOf(ip, "en") };
  const title = progress.heading.replace("{ip}", ip);
  return renderDocument({
    language,
    title: `${title} - limpid`,
    head: html`<noscript><meta http-equiv="refresh" content="0; url=${path[language]}?wait=1"></noscript>
<link rel="stylesheet" href="/static/check.css">
`,
    path,
    scripts: ["/static/survey.js"],
    body: html`<section class="card check" id="survey" data-ip="${ip}"><h1>${renderAddress(ip)}</h1>
<noscript><p><a class="button" href="${path[language]}?wait=1">${progress.openReport}</a></p></noscript>
${renderProgress(language, { styled: true })}
</section>`,
  });
}
