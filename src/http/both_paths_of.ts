import type { Exchange } from "./exchange.ts";

/** Segments without anything that could lead a link to another host, or out of a path. */
const PLAIN = /^\/(?:[\w.~:%@,[\]-]+(?:\/[\w.~:%@,[\]-]+)*)?$/;

/** Longest path that a link is made of. */
const MAX_LENGTH = 1024;

/** What was asked for, in both languages, so that a page can lead from one to the other; undefined for odd paths. */
export function bothPathsOf({
  path,
  query,
}: Pick<Exchange, "path" | "query">): { readonly zh: string; readonly en: string } | undefined {
  const bare = path === "/en" ? "/" : path.replace(/^\/en(?=\/)/, "");
  if (!PLAIN.test(bare)) return undefined;
  const kept = new URLSearchParams(query.toString());
  kept.delete("lang");
  const rest = kept.size === 0 ? "" : `?${kept}`;
  if (bare.length + rest.length > MAX_LENGTH) return undefined;
  return { zh: bare + rest, en: (bare === "/" ? "/en" : `/en${bare}`) + rest };
}
