import type { Language } from "#report";
import type { CardTexts } from "./card_texts.ts";
import { cardEn } from "./en/cards.ts";
import { methodEn } from "./en/method.ts";
import { llmsEn, toolEn } from "./en/models.ts";
import { checkEn, docsEn, pageEn } from "./en/pages.ts";
import { problemsEn } from "./en/problems.ts";
import { plainEn, reportEn } from "./en/report.ts";
import { reportPageEn } from "./en/report_page.ts";
import { siteEn } from "./en/site.ts";
import type { MethodTexts } from "./method_texts.ts";
import type { LlmsFacts, ToolTexts } from "./model_texts.ts";
import type { CheckTexts, DocsTexts, PageTexts } from "./page_texts.ts";
import type { ReportPageTexts } from "./report_page_texts.ts";
import type { PlainTexts, ProblemTexts, ReportTexts } from "./report_texts.ts";
import type { SiteTexts } from "./site_texts.ts";
import { cardZh } from "./zh/cards.ts";
import interfaceZh from "./zh/interface.json" with { type: "json" };
import { methodZh } from "./zh/method.ts";
import { llmsZh, toolZh } from "./zh/models.ts";
import { checkZh, docsZh, pageZh } from "./zh/pages.ts";
import { problemsZh } from "./zh/problems.ts";
import { plainZh, reportZh } from "./zh/report.ts";
import { reportPageZh } from "./zh/report_page.ts";
import { siteZh } from "./zh/site.ts";

interface Texts {
  readonly report: ReportTexts;
  readonly plain: PlainTexts;
  readonly problems: ProblemTexts;
  readonly page: PageTexts;
  readonly reportPage: ReportPageTexts;
  readonly check: CheckTexts;
  readonly docs: DocsTexts;
  readonly method: MethodTexts;
  readonly tool: ToolTexts;
  readonly card: CardTexts;
  readonly site: SiteTexts;
  readonly llms: (facts: LlmsFacts) => string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  zh: {
    report: reportZh,
    plain: plainZh,
    problems: problemsZh,
    page: pageZh,
    reportPage: reportPageZh,
    check: checkZh,
    docs: docsZh,
    method: methodZh,
    tool: toolZh,
    card: cardZh,
    site: siteZh,
    llms: llmsZh,
  },
  en: {
    report: reportEn,
    plain: plainEn,
    problems: problemsEn,
    page: pageEn,
    reportPage: reportPageEn,
    check: checkEn,
    docs: docsEn,
    method: methodEn,
    tool: toolEn,
    card: cardEn,
    site: siteEn,
    llms: llmsEn,
  },
};

/** Returns the texts of the report, for every format. */
export function reportTextsOf(language: Language): ReportTexts {
  return TEXTS[language].report;
}

/** Returns the texts that only the text, terminal and Markdown formats need. */
export function plainTextsOf(language: Language): PlainTexts {
  return TEXTS[language].plain;
}

/** Returns the texts of the errors. */
export function problemTextsOf(language: Language): ProblemTexts {
  return TEXTS[language].problems;
}

/** Returns the texts of the pages. */
export function pageTextsOf(language: Language): PageTexts {
  return TEXTS[language].page;
}

/** Returns the texts that only the page of a report needs. */
export function reportPageTextsOf(language: Language): ReportPageTexts {
  return TEXTS[language].reportPage;
}

/** Returns the texts of the human check, the live progress and the rating form. */
export function checkTextsOf(language: Language): CheckTexts {
  return TEXTS[language].check;
}

/**
 * Chinese texts of the descriptions of the interface, by their English text, which is in the declarations
 * (`src/http/routes`, `src/http/openapi`, `src/report`).
 */
const INTERFACE: Readonly<Record<string, string>> = interfaceZh;

/**
 * Returns a description of the interface in a language, from its English text. Returns `undefined` for a text without a
 * Chinese form.
 */
export function describeInterface(text: string, language: Language): string | undefined {
  if (language === "en") return text;
  return Object.hasOwn(INTERFACE, text) ? INTERFACE[text] : undefined;
}

/** Returns the texts of the page that documents the API. */
export function docsTextsOf(language: Language): DocsTexts {
  return TEXTS[language].docs;
}

/** Returns the texts of the page that documents the scoring method. */
export function methodTextsOf(language: Language): MethodTexts {
  return TEXTS[language].method;
}

/** Returns the texts of the MCP tools. */
export function toolTextsOf(language: Language): ToolTexts {
  return TEXTS[language].tool;
}

/** Returns the texts of the home page, the comparison and the error pages, beside those of all pages. */
export function siteTextsOf(language: Language): SiteTexts {
  return TEXTS[language].site;
}

/** Returns the texts of the share cards. */
export function cardTextsOf(language: Language): CardTexts {
  return TEXTS[language].card;
}

/** Formats llms.txt, the summary of the site for language models, as Markdown. */
export function formatLlms(facts: LlmsFacts, language: Language): string {
  return TEXTS[language].llms(facts);
}
