import { type CheckPurpose, checkTextsOf } from "#locale";
import type { Language } from "#report";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderProgress } from "./parts.ts";

/** What the page of the human check shows. */
export interface CheckPageParts {
  /** The address in normalised form. */
  readonly ip: string;
  readonly action: CheckPurpose;
  readonly language: Language;
  /** Why the report is not shown: the `error` and the `hint` of the problem. */
  readonly sentence: string;
  readonly hint: string;
  readonly provider:
    | { readonly kind: "altcha" }
    | { readonly kind: "turnstile"; readonly siteKey: string; readonly token: string };
  /** Path of the report page in this language, such as `/en/ip/192.0.2.1`. */
  readonly reportPath: string;
  /** Why an earlier check did not pass. A reason without a text of its own is ignored: `sentence` states it. */
  readonly problemReason?: string;
}

/**
 * Renders the page that is shown when a report needs a human check first: why, the check itself, and the live progress
 * of the survey that follows. Without script, or over plain HTTP, it says what to do.
 */
export function renderCheckPage(parts: CheckPageParts): string {
  const { ip, action, language, provider, problemReason } = parts;
  const texts = checkTextsOf(language);
  const title = texts.title[action](ip);
  const reasons: Readonly<Record<string, string>> = texts.reasons;
  const reason =
    problemReason !== undefined && Object.hasOwn(reasons, problemReason) ? reasons[problemReason] : undefined;
  return renderDocument({
    language,
    title: `${title} - limpid`,
    head: html`<link rel="stylesheet" href="/static/check.css">\n`,
    path: pathsOf(parts),
    scripts: ["/static/check.js"],
    body: html`<section class="card check">
<h1>${title}</h1>
<div id="check" data-ip="${ip}" data-action="${action}" data-language="${language}" data-report-path="${parts.reportPath}" ${renderProvider(provider)}>
<p class="check-sentence">${parts.sentence}</p>
<div id="check-notice" class="note check-note" role="alert" tabindex="-1"${reason === undefined && html` hidden`}>${reason !== undefined && html`<p>${reason}</p>`}</div>
<noscript><div class="note check-note"><p><strong>${texts.needsScript}</strong></p><p>${texts.needsScriptHint}</p></div></noscript>
<div id="check-insecure" class="note check-note" hidden><p><strong>${texts.needsHttps}</strong></p><p>${texts.needsHttpsHint} <a id="check-https" href="${parts.reportPath}"></a></p></div>
<div id="check-widget" data-words="${JSON.stringify(texts.widget)}"><p class="quiet">${texts.loading}</p></div>
<p id="check-status" class="unseen" role="status"></p>
<p>${texts.why[action]}</p>
<h2>${texts.stepsTitle}</h2>
<ol class="check-steps">${texts.steps[action].map((step) => html`<li>${step}</li>`)}</ol>
<p class="quiet">${provider.kind === "altcha" ? texts.ownCheck : texts.thirdPartyCheck}</p>
<details class="quiet"><summary>${texts.forScripts}</summary><p class="check-hint">${parts.hint}</p></details>
</div>
${renderProgress(language, { styled: true })}
</section>`,
  });
}

function renderProvider(provider: CheckPageParts["provider"]): Html {
  return provider.kind === "altcha"
    ? html`data-kind="altcha"`
    : html`data-kind="turnstile" data-site-key="${provider.siteKey}" data-token="${provider.token}"`;
}

/** Returns the paths of this page in both languages. It has the path of the report, and a refresh stays a refresh. */
function pathsOf({ reportPath, action }: CheckPageParts): { readonly zh: string; readonly en: string } {
  const zh = reportPath.replace(/^\/en(?=\/)/, "");
  const suffix = action === "refresh" ? "?refresh=1" : "";
  return { zh: zh + suffix, en: `/en${zh}${suffix}` };
}
