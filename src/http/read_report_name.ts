import type { Shape } from "./exchange.ts";

/** Splits the last part of a report's path into the address as written and the shape its ending names. */
export function readReportName(path: string): { readonly address: string; readonly shape: Shape } {
  const name = decode(path.slice(path.lastIndexOf("/") + 1));
  if (name.endsWith(".json")) return { address: name.slice(0, -5), shape: "json" };
  if (name.endsWith(".txt")) return { address: name.slice(0, -4), shape: "text" };
  return { address: name, shape: "page" };
}

/** A broken escape stays as it is: it is no address either way. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
