import * as flags from "country-flag-icons/string/3x2";
import type { ScenarioId, UsageType } from "#report";
import { Html, html } from "./html.ts";
import PATHS from "./icons.json" with { type: "json" };

const FLAGS: Readonly<Record<string, string>> = { ...flags };

/** The opening tag of every flag in the package. The name space is not needed inside HTML. */
const FLAG_START = '<svg xmlns="http://www.w3.org/2000/svg" ';

/** Elements of the package end with a slash. In these pages every element has an end tag. */
const EMPTY_ELEMENT = /<((\w+)[^>]*)\/>/g;

/** Renders the flag of a country, or nothing when the code has none. `code` is ISO 3166-1 alpha-2. */
export function renderFlag(code: string | undefined): Html | false {
  const flag = code !== undefined && Object.hasOwn(FLAGS, code) ? FLAGS[code] : undefined;
  if (flag === undefined) return false;
  // The package holds only drawings. The name of the country is next to it, so screen readers skip it.
  return new Html(
    flag.replace(FLAG_START, '<svg class="flag" aria-hidden="true" ').replace(EMPTY_ELEMENT, "<$1></$2>"),
  );
}

/** Renders the sign of the use of a network. Its name is next to it. */
export function renderUsageIcon(usage: UsageType): Html {
  return renderIcon(PATHS.usages[usage]);
}

/** Renders the sign of a use case. Its name is next to it. */
export function renderScenarioIcon(scenario: ScenarioId): Html {
  return renderIcon(PATHS.scenarios[scenario]);
}

/** Draws a path of `icons.json` with strokes, on a square of 16 units. */
function renderIcon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"></path></svg>`;
}
