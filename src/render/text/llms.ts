import { formatLlms, type LlmsFacts } from "#locale";
import type { Language } from "#report";

/** What llms.txt states: the language, the public origin without a trailing slash, and the limits in force. */
export interface LlmsParts {
  readonly language: Language;
  readonly origin: string;
  readonly limits: Omit<LlmsFacts, "origin">;
}

/**
 * Renders llms.txt, the summary of the site for language models: Markdown with one H1, a blockquote, free text, and H2
 * sections of links, of which the last is optional (https://llmstxt.org/, version 2).
 */
export function renderLlms({ language, origin, limits }: LlmsParts): string {
  return formatLlms({ origin, ...limits }, language);
}
