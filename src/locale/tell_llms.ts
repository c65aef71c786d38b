import type { Language } from "#report";
import { llmsEn } from "./llms_en.ts";
import type { LlmsFacts } from "./llms_facts.ts";
import { llmsZh } from "./llms_zh.ts";

const WRITERS = { zh: llmsZh, en: llmsEn } as const satisfies Record<Language, (facts: LlmsFacts) => string>;

/** The site's summary for language models in a language, as Markdown. */
export function tellLlms(facts: LlmsFacts, language: Language): string {
  return WRITERS[language](facts);
}
