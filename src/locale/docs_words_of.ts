import type { Language } from "#report";
import { docsEn } from "./docs_en.ts";
import type { DocsTexts } from "./docs_texts.ts";
import { docsZh } from "./docs_zh.ts";

const WORDS: Readonly<Record<Language, DocsTexts>> = { zh: docsZh, en: docsEn };

/** The words of the page that describes the interface. */
export function docsWordsOf(language: Language): DocsTexts {
  return WORDS[language];
}
