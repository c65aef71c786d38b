import { reportPageTextsOf, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { homePathOf } from "../paths.ts";
import { type Html, html } from "./html.ts";
import { renderAddress } from "./parts.ts";

/**
 * Renders the page of a special-purpose address: what it is for, and where to go from here. Such an address has no purity,
 * so there is no dial and no empty section.
 */
export function renderBogon(report: Report, language: Language): Html {
  const { flags } = reportTextsOf(language);
  const page = reportPageTextsOf(language);
  const { risk } = report;
  return html`<section class="hero bogon" aria-labelledby="address">
<svg class="globe" viewBox="0 0 120 120" aria-hidden="true"><circle cx="60" cy="60" r="46"></circle><path d="M14 60h92M60 14c-30 28-30 64 0 92M60 14c30 28 30 64 0 92"></path><path class="slash" d="M22 98L98 22"></path></svg>
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)}</h1>
<ul class="headline"><li>${page.bogonTitle}</li><li>${flags.isBogon}</li></ul>
<p class="verdict">${risk.verdict}</p>
<p>${page.bogonLead}</p>
<p class="next">${page.bogonNext} <a class="button" href="${homePathOf(language)}">${page.bogonLink}</a></p>
</div>
</section>`;
}
