import type { Language } from "#report";
import { methodEn } from "./method_en.ts";
import type { MethodTexts } from "./method_texts.ts";
import { methodZh } from "./method_zh.ts";

const TEXTS = { zh: methodZh, en: methodEn } as const satisfies Record<Language, MethodTexts>;

/** The words of the page that tells the method, in one language. */
export function methodWordsOf(language: Language): MethodTexts {
  return TEXTS[language];
}
