import type { AnyElysia } from "elysia";
import type { Format } from "./context.ts";

import { type Access, type Cost, type FormatChoice, problemFactsOf } from "./responses.ts";

/** Facts about a route for the plugins, read from its declaration. */
export interface RouteFacts {
  /** Pattern of the path; "unmatched" for a path without a route. */
  readonly route: string;
  /** Methods that the route declares. */
  readonly methods: readonly string[];
  readonly format: Format | FormatChoice;
  readonly cost: Cost;
  readonly access: Access;
}

/** Finds facts about routes. */
export interface RouteTable {
  /** By the pattern that Elysia matched. */
  readonly get: (pattern: string) => RouteFacts | undefined;
  /** By a path, for any method. */
  readonly match: (path: string) => RouteFacts | undefined;
  /** The route whose fixed first segments match the path. It decides the format of a 404. */
  readonly matchFolder: (path: string) => RouteFacts | undefined;
}

interface Entry extends RouteFacts {
  readonly pattern: RegExp;
  /** The pattern up to its first parameter; undefined without one. */
  readonly folder?: string;
}

/** Reads the declarations of all routes of an app when the first request needs them. */
export function createRouteTable(app: AnyElysia): RouteTable {
  let entries: ReadonlyMap<string, Entry> | undefined;
  const all = () => {
    entries ??= readEntries(app);
    return entries;
  };
  return {
    get: (pattern) => all().get(pattern),
    match: (path) => [...all().values()].find(({ pattern }) => pattern.test(path)),
    matchFolder: (path) =>
      [...all().values()].find(({ folder }) => folder !== undefined && path.startsWith(folder)),
  };
}

function readEntries(app: AnyElysia): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { method, path, hooks } of app.routes) {
    const known = entries.get(path);
    const facts = problemFactsOf(hooks.response?.[414]);
    const methods = [...(known?.methods ?? []), ...(method === "ALL" ? [] : [method])];
    const parameter = path.indexOf(":");
    entries.set(path, {
      route: path,
      methods,
      format: facts?.format ?? known?.format ?? "json",
      cost: facts?.cost ?? known?.cost ?? "nothing",
      access: facts?.access ?? known?.access ?? "shared",
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
      ...(parameter < 0 ? {} : { folder: path.slice(0, parameter) }),
    });
  }
  return entries;
}
