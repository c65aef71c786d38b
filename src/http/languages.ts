import { type AnyElysia, Elysia } from "elysia";
import type { Language } from "#report";
import { prefixOf } from "./paths.ts";

/** One language of a route: its path prefix, its English name, and the ending of its operation ids. */
export interface LanguageVariant {
  readonly language: Language;
  readonly prefix: "" | "/en";
  readonly name: "Chinese" | "English";
  readonly suffix: "" | "InEnglish";
}

/** Declares a route once for both languages: `/x` in Chinese and `/en/x` in English. */
export function inBothLanguages(declare: (variant: LanguageVariant) => AnyElysia): AnyElysia {
  return new Elysia()
    .use(declare({ language: "zh", prefix: prefixOf("zh"), name: "Chinese", suffix: "" }))
    .use(declare({ language: "en", prefix: prefixOf("en"), name: "English", suffix: "InEnglish" }));
}
