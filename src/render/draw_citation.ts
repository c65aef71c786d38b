import { type PartialTexts, pageWordsOf } from "#locale";
import type { Language, Report } from "#report";
import { drawCard } from "./draw_card.ts";
import { formatMoment } from "./format_moment.ts";
import { type Html, html } from "./html.ts";
import { reportPathOf } from "./report_path_of.ts";
import { webLinkOf } from "./web_link_of.ts";

/** How to cite the report, and the other shapes it comes in. */
export function drawCitation(report: Report, texts: PartialTexts, language: Language): Html {
  const page = pageWordsOf(language);
  const { ip, risk, reportUrl } = report;
  const citation = page.citation({
    ip,
    purity: risk.purity,
    band: risk.label,
    confidence: texts.confidences[risk.confidence],
    moment: formatMoment(report.queriedAt),
  });
  return drawCard(
    texts.headings.cite,
    html`<p class="citation">${citation} <a href="${webLinkOf(reportUrl) ?? "#"}">${reportUrl}</a></p>
<p class="quiet">${page.otherShapes} <a href="${reportPathOf(ip, language, ".json")}">${texts.headings.asJson}</a> <a href="${reportPathOf(ip, language, ".txt")}">${texts.headings.asText}</a> <a href="${reportPathOf(ip, language, ".md")}">${page.asMarkdown}</a></p>`,
  );
}
