import type { Language } from "#report";
import { toolEn } from "./tool_en.ts";
import type { ToolTexts } from "./tool_texts.ts";
import { toolZh } from "./tool_zh.ts";

const TEXTS = { zh: toolZh, en: toolEn } as const satisfies Record<Language, ToolTexts>;

/** The words of what the tools for models answer, in one language. */
export function toolWordsOf(language: Language): ToolTexts {
  return TEXTS[language];
}
