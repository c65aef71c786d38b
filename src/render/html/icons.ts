import * as flags from "country-flag-icons/string/3x2";
import type { ScenarioId, UsageType } from "#report";
import { Html, html } from "./html.ts";

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

/** Paths on a square of 16 units, drawn with strokes. */
const USAGE_PATHS: Readonly<Record<UsageType, string>> = {
  residential: "M2 8l6-5.5L14 8M4 7v6.5h8V7M7 13.5V10h2v3.5",
  business: "M3.5 14V2.5h9V14M2 14h12M6 5.5h1M9 5.5h1M6 8h1M9 8h1M7 14v-3h2v3",
  hosting: "M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.01M5 11.25h.01M8 4.75h3M8 11.25h3",
  mobile: "M4.5 1.5h7v13h-7zM7.5 12.5h1",
  education: "M1 6l7-3 7 3-7 3zM4 7.5V11c2 1.7 6 1.7 8 0V7.5M15 6v4",
  government: "M2 6l6-3.5L14 6zM4 8v4M8 8v4M12 8v4M2 14h12",
  unknown: "M6 6.2a2 2 0 1 1 2.9 1.8c-.6.4-.9.8-.9 1.5M8 12.2h.01",
};

const SCENARIO_PATHS: Readonly<Record<ScenarioId, string>> = {
  ai: "M8 1.5l1.6 4.9L14.5 8l-4.9 1.6L8 14.5 6.4 9.6 1.5 8l4.9-1.6z",
  social: "M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.5 14c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5",
  streaming: "M1.5 3h13v8.5h-13zM6.8 5.3v3.9L10 7.25zM5.5 14h5",
  gaming:
    "M4.5 4.5h7A3 3 0 0 1 14.5 7.5v2a2.2 2.2 0 0 1-4 1.2L10 10H6l-.5.7a2.2 2.2 0 0 1-4-1.2v-2a3 3 0 0 1 3-3zM4 7.3h2.4M5.2 6.1v2.4M11 7.3h.01",
  ecommerce: "M1 2h2l1.8 8h7.4L14 4.5H3.6M6 13.5h.01M11.5 13.5h.01",
  email: "M1.5 3.5h13v9h-13zM1.5 4l6.5 5 6.5-5",
};

/** Renders the sign of the use of a network. Its name is next to it. */
export function renderUsageIcon(usage: UsageType): Html {
  return renderIcon(USAGE_PATHS[usage]);
}

/** Renders the sign of a use case. Its name is next to it. */
export function renderScenarioIcon(scenario: ScenarioId): Html {
  return renderIcon(SCENARIO_PATHS[scenario]);
}

function renderIcon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"></path></svg>`;
}
