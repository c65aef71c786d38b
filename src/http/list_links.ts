import type { Language } from "#report";
import { reportPathOf } from "./report_url.ts";

/**
 * The Link header of a page (RFC 8288): the site's summary for models, and with an address the report's other forms.
 * Relations as of https://llmstxt.org/changes.md, version 2.
 */
export function listLinks(language: Language, address?: string): string {
  const links = [`<${llmsPathOf(language)}>; rel="describedby"; type="text/markdown"`];
  if (address !== undefined) {
    const path = reportPathOf(address, language);
    links.unshift(
      `<${path}.txt>; rel="alternate"; type="text/plain"`,
      `<${path}.md>; rel="alternate"; type="text/markdown"`,
      `<${path}.json>; rel="alternate"; type="application/json"`,
    );
  }
  return links.join(", ");
}

/** Path of the site's summary for models. */
function llmsPathOf(language: Language): string {
  return language === "en" ? "/en/llms.txt" : "/llms.txt";
}
