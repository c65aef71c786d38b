import { type AnyElysia, Elysia } from "elysia";
import { prefixOf, reportPathOf } from "#render";
import type { Language } from "#report";
import type { RequestContext } from "./plugins/request_context.ts";

/** Paths whose segments cannot point a link to another host or to a parent folder. */
const PLAIN = /^\/(?:[\w.~:%@,[\]-]+(?:\/[\w.~:%@,[\]-]+)*)?$/;

/** Longest path that becomes a link. */
const MAX_LINK_LENGTH = 1024;

/**
 * The Link header of a page (RFC 8288): the summary of the site for language models, and with an address the other
 * formats of its report. Relations as of https://llmstxt.org/changes.md, version 2.
 */
export function linkHeader(language: Language, address?: string): string {
  const links = [`<${prefixOf(language)}/llms.txt>; rel="describedby"; type="text/markdown"`];
  if (address !== undefined) {
    links.unshift(
      `<${reportPathOf(address, language, ".txt")}>; rel="alternate"; type="text/plain"`,
      `<${reportPathOf(address, language, ".md")}>; rel="alternate"; type="text/markdown"`,
      `<${reportPathOf(address, language, ".json")}>; rel="alternate"; type="application/json"`,
    );
  }
  return links.join(", ");
}

/** The requested path in both languages, so that a page can link to the other one; undefined for an unusual path. */
export function languagePaths({
  path,
  query,
}: Pick<RequestContext, "path" | "query">): { readonly zh: string; readonly en: string } | undefined {
  const bare = path === "/en" ? "/" : path.replace(/^\/en(?=\/)/, "");
  if (!PLAIN.test(bare)) return undefined;
  const others = new URLSearchParams(query.toString());
  others.delete("lang");
  const rest = others.size === 0 ? "" : `?${others}`;
  if (bare.length + rest.length > MAX_LINK_LENGTH) return undefined;
  return { zh: bare + rest, en: (bare === "/" ? "/en" : `/en${bare}`) + rest };
}

/** Declares a route for both languages: `/x`, in the language of `lang`, and `/en/x` in English. */
export function inBothLanguages(path: string, declare: (path: string) => AnyElysia): AnyElysia {
  return new Elysia().use(declare(path)).use(declare(path === "/" ? "/en" : `/en${path}`));
}
