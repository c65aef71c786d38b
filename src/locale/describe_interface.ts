import type { Language } from "#report";
import interfaceZh from "./zh/interface.json" with { type: "json" };

/**
 * Chinese texts of the descriptions of the interface, by their English text, which is in the declarations
 * (`src/http/routes`, `src/http/openapi`, `src/report`).
 */
const INTERFACE: Readonly<Record<string, string>> = interfaceZh;

/**
 * Returns a description of the interface in a language, from its English text. Returns `undefined` for a text without a
 * Chinese form.
 */
export function describeInterface(text: string, language: Language): string | undefined {
  if (language === "en") return text;
  return Object.hasOwn(INTERFACE, text) ? INTERFACE[text] : undefined;
}
