/**
 * How it is said: assessments and problems spoken in Chinese or English.
 * The only room that holds wording, headings of the renderers included. Pure.
 */
export { en } from "./en.ts";
export type { MethodReading, MethodTexts } from "./method_texts.ts";
export { methodWordsOf } from "./method_words_of.ts";
export { nameCountry } from "./name_country.ts";
export { sayProblem } from "./say_problem.ts";
export { speak } from "./speak.ts";
export type { Headings, PartialTexts, Phrase, Tell, Texts } from "./texts.ts";
export { wordsOf } from "./words_of.ts";
export { zh } from "./zh.ts";
