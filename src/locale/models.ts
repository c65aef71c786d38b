import type { Language } from "#report";
import enLlms from "./en/llms.txt" with { type: "text" };
import en from "./en/tools.json" with { type: "json" };
import { fill, fillersOf, forLanguages } from "./fill.ts";
import type { ServiceLimits } from "./pages.ts";
import zhLlms from "./zh/llms.txt" with { type: "text" };
import zh from "./zh/tools.json" with { type: "json" };

/** The limits in force, the size of a comparison, and what this client has left of its daily allowance. */
export interface ToolLimits extends Omit<ServiceLimits, "refreshPerMinute" | "openDailyTotal"> {
  readonly addressesPerComparison: number;
  readonly openLeft: number;
  /** How to reach the operator. */
  readonly contact?: string;
}

/** Facts in llms.txt: the public origin without a trailing slash, the parameters of a lookup, the limits in force. */
export interface LlmsFacts extends Omit<ServiceLimits, "openDailyTotal"> {
  readonly origin: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  /** How to reach the operator. */
  readonly contact?: string;
}

/** Returns the texts of the MCP tools, beside those of the text report. */
export const toolTextsOf = forLanguages(en, zh, makeToolTexts);

function makeToolTexts(texts: typeof en) {
  return {
    ...texts,
    // Sources that did not answer, and those that were not asked, with the reasons; what an address cannot tell.
    ...fillersOf(texts, ["unanswered", "skipped", "unknowns"]),
    ...fillersOf(texts, ["cite", "allowanceLeft", "comparison", "waitSeconds", "openPage"]),
    ...fillersOf(texts, ["deductions", "listedOn", "unknownLists"]),
    /** Names and the reason that they share. */
    withReason: (names: string, why: string) => fill(texts.withReason, { names, why }),
    summary: (score: string, confidence: string) => fill(texts.summary, { score, confidence }),
    /** The prompt that asks whether an address is fit for a use. */
    fitForUse: (question: { readonly ip: string; readonly use: string }) => fill(texts.fitForUse, question),
    limits: texts.limits.map((limit) => ({ contact, ...limits }: ToolLimits) => {
      const operator = contact === undefined ? "" : fill(texts.contact, { contact });
      return fill(limit, { ...limits, contact: operator });
    }),
  };
}

/** Formats llms.txt, the summary of the site for language models, as Markdown. */
export function formatLlms({ parameters, contact, ...facts }: LlmsFacts, language: Language): string {
  const { parameter, operator } = toolTextsOf(language);
  return fill(language === "en" ? enLlms : zhLlms, {
    ...facts,
    parameters: parameters.map((values) => fill(parameter, values)).join("\n"),
    operator: contact === undefined ? "" : fill(operator, { contact }),
  });
}
