/**
 * How it is said: assessments and problems spoken in Chinese or English.
 * The only room that holds wording, headings of the renderers included. Pure.
 */
export { type CheckPurpose, type CheckTexts, RATINGS, type Rating, type ScriptWords } from "./check_texts.ts";
export { checkWordsOf } from "./check_words_of.ts";
export type { DocsTexts } from "./docs_texts.ts";
export { docsWordsOf } from "./docs_words_of.ts";
export { en } from "./en.ts";
export type { LlmsFacts } from "./llms_facts.ts";
export type { MethodReading, MethodTexts } from "./method_texts.ts";
export { methodWordsOf } from "./method_words_of.ts";
export { nameCountry } from "./name_country.ts";
export type { PageTexts } from "./page_texts.ts";
export { pageWordsOf } from "./page_words_of.ts";
export type { PlainTexts } from "./plain_texts.ts";
export { plainWordsOf } from "./plain_words_of.ts";
export { sayProblem } from "./say_problem.ts";
export { type RatingSum, showFeedback } from "./show_feedback.ts";
export { speak } from "./speak.ts";
export { tellLlms } from "./tell_llms.ts";
export type { Headings, PartialTexts, Phrase, Tell, Texts } from "./texts.ts";
export type { ToolLimits, ToolTexts } from "./tool_texts.ts";
export { toolWordsOf } from "./tool_words_of.ts";
export { wordsOf } from "./words_of.ts";
export { zh } from "./zh.ts";
