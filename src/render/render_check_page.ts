import { type CheckPurpose, checkWordsOf } from "#locale";
import type { Language } from "#report";
import { drawDocument } from "./draw_document.ts";
import { drawProgress } from "./draw_progress.ts";
import { type Html, html } from "./html.ts";

/** What the page of the human check is about. */
export interface CheckPageParts {
  /** Normalised address text. */
  readonly ip: string;
  readonly action: CheckPurpose;
  readonly language: Language;
  /** Why the report is not shown: `error` and `hint` of the problem. */
  readonly sentence: string;
  readonly hint: string;
  readonly invitation:
    | { readonly kind: "altcha" }
    | { readonly kind: "turnstile"; readonly siteKey: string; readonly token: string };
  /** Path of the page of the report in this language, such as `/en/ip/192.0.2.1`. */
  readonly reportPath: string;
  /** Why an earlier check did not pass; any other reason is passed over, the sentence says it. */
  readonly problemReason?: string;
}

/**
 * The page that stands where a report needs a human check first: what happens and why, the check, and the live
 * progress of the survey that follows. Without script, and outside a secure context, it says what to do.
 */
export function renderCheckPage(parts: CheckPageParts): string {
  const { ip, action, language, invitation, problemReason } = parts;
  const words = checkWordsOf(language);
  const title = words.title[action](ip);
  const reason =
    problemReason !== undefined && Object.hasOwn(words.reasons, problemReason)
      ? words.reasons[problemReason]
      : undefined;
  return drawDocument({
    language,
    title: `${title} - limpid`,
    head: html`<meta name="robots" content="noindex">
<link rel="stylesheet" href="/static/check.css">
`,
    path: pathsOf(parts),
    scripts: ["/static/check.js"],
    body: html`<section class="card check">
<h1>${title}</h1>
<div id="check" data-ip="${ip}" data-action="${action}" data-language="${language}" data-report-path="${parts.reportPath}" ${drawInvitation(invitation)}>
<p class="check-sentence">${parts.sentence}</p>
<div id="check-notice" class="note check-note" role="alert" tabindex="-1"${reason === undefined && html` hidden`}>${reason !== undefined && html`<p>${reason}</p>`}</div>
<noscript><div class="note check-note"><p><strong>${words.needsScript}</strong></p><p>${words.needsScriptWay}</p></div></noscript>
<div id="check-insecure" class="note check-note" hidden><p><strong>${words.needsHttps}</strong></p><p>${words.needsHttpsWay} <a id="check-https" href="${parts.reportPath}"></a></p></div>
<div id="check-widget" data-words="${JSON.stringify(words.widget)}"><p class="quiet">${words.loading}</p></div>
<p id="check-status" class="unseen" role="status"></p>
<p>${words.why[action]}</p>
<h2>${words.stepsTitle}</h2>
<ol class="check-steps">${words.steps[action].map((step) => html`<li>${step}</li>`)}</ol>
<p class="quiet">${invitation.kind === "altcha" ? words.ownCheck : words.foreignCheck}</p>
<details class="quiet"><summary>${words.forScripts}</summary><p class="check-hint">${parts.hint}</p></details>
</div>
${drawProgress(language, { styled: true })}
</section>`,
  });
}

function drawInvitation(invitation: CheckPageParts["invitation"]): Html {
  return invitation.kind === "altcha"
    ? html`data-kind="altcha"`
    : html`data-kind="turnstile" data-site-key="${invitation.siteKey}" data-token="${invitation.token}"`;
}

/** This page in both languages: the way to it is the report's, and a refresh stays one. */
function pathsOf({ reportPath, action }: CheckPageParts): { readonly zh: string; readonly en: string } {
  const zh = reportPath.replace(/^\/en(?=\/)/, "");
  const suffix = action === "refresh" ? "?refresh=1" : "";
  return { zh: zh + suffix, en: `/en${zh}${suffix}` };
}
