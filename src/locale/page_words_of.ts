import type { Language } from "#report";
import { pageEn } from "./page_en.ts";
import type { PageTexts } from "./page_texts.ts";
import { pageZh } from "./page_zh.ts";

const TEXTS = { zh: pageZh, en: pageEn } as const satisfies Record<Language, PageTexts>;

/** The words of the pages in a language. */
export function pageWordsOf(language: Language): PageTexts {
  return TEXTS[language];
}
