import { type LlmsFacts, tellLlms } from "#locale";
import type { Language } from "#report";

/** What llms.txt tells: the language, the public origin without a slash at its end, and the limits in force. */
export interface LlmsParts {
  readonly language: Language;
  readonly origin: string;
  readonly limits: Omit<LlmsFacts, "origin">;
}

/**
 * The site's summary for language models: Markdown with one H1, a blockquote, free text, and H2 sections of
 * links, the last one skippable (https://llmstxt.org/, version 2). `/llms.txt` is Chinese, `/en/llms.txt` English.
 */
export function renderLlms({ language, origin, limits }: LlmsParts): string {
  return tellLlms({ origin, ...limits }, language);
}
