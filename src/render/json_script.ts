import { Html } from "./html.ts";

// Markup and line ends that could leave a script element, and characters that would mislead its reader.
const RISKY = /[<>&\p{Cf}\p{Zl}\p{Zp}\u{7f}-\u{9f}]/gu;

/**
 * A script element that holds data and runs nothing: `JSON.parse` of its text gives the value back.
 * `<`, `>`, `&`, U+2028, U+2029 and invisible format characters are written as `\uXXXX`.
 */
export function jsonScript(id: "service-report", value: unknown): Html {
  const json = JSON.stringify(value).replace(RISKY, escapeUnits);
  return new Html(`<script type="application/json" id="${id}">${json}</script>`);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
