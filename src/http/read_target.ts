import type { Line, Shape } from "./exchange.ts";
import { readParameters } from "./query.ts";
import { readReportName } from "./read_report_name.ts";
import { shapeOfFormat } from "./report_format.ts";
import { wantsText } from "./wants_text.ts";

/** What the request line asks for. `length` is that of path and query, in characters. */
export interface Target extends Line {
  readonly length: number;
}

const NO_QUERY = readParameters("");

/** Reads path, query, language and shape; never throws, whatever the host part looks like. */
export function readTarget(request: Request): Target {
  const { url } = request;
  const scheme = url.indexOf("://");
  const start = scheme < 0 ? 0 : Math.max(url.indexOf("/", scheme + 3), 0);
  const mark = url.indexOf("?", start);
  const path = mark < 0 ? url.slice(start) : url.slice(start, mark);
  const query = mark < 0 ? NO_QUERY : readParameters(url.slice(mark + 1));
  const english = path.startsWith("/en/") || path === "/en" || query.get("lang") === "en";
  return {
    path,
    query,
    language: english ? "en" : "zh",
    shape: shapeOf(path, request.headers),
    length: url.length - start,
  };
}

/** Paths of what is a page and nothing else. */
export const PAGES: readonly string[] = ["/method", "/compare", "/docs"].flatMap((path) => [
  path,
  `/en${path}`,
]);

/** What exists in one form only, and is not JSON. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...PAGES.map((path) => [path, "page"] as const),
  ...["/llms.txt", "/en/llms.txt", "/robots.txt", "/sitemap.xml"].map((path) => [path, "text"] as const),
]);

const TEXT_FOLDERS = ["/cli/", "/gate/", "/badge/"];

function shapeOf(path: string, headers: Headers): Shape {
  if (path.startsWith("/api/")) return "json";
  if (path.startsWith("/ip/") || path.startsWith("/en/ip/"))
    return shapeOfFormat(readReportName(path).format);
  if (path === "/" || path === "/en") return wantsText(headers) ? "text" : "page";
  if (TEXT_FOLDERS.some((folder) => path.startsWith(folder))) return "text";
  return SHAPES.get(path) ?? "json";
}
