import type { AnyElysia, ElysiaCustomStatusResponse } from "elysia";
import type * as v from "valibot";
import type { RequestContext } from "./plugins/request_context.ts";
import type { HttpProblem } from "./problem.ts";
import type { Reply } from "./reply.ts";
import { type ProblemFacts, problemFactsOf } from "./responses.ts";

/** The handler of a GET route, as far as the pipeline calls it itself. */
export type Handler = (input: {
  readonly params: unknown;
  readonly query: unknown;
  readonly requestContext: RequestContext;
}) => HandlerAnswer | Promise<HandlerAnswer>;

export type HandlerAnswer = Reply | HttpProblem | ElysiaCustomStatusResponse<number, Reply | HttpProblem>;

/** Facts about a route for the plugins, read from its declaration. */
export interface RouteFacts extends Omit<ProblemFacts, "reasons"> {
  /** Pattern of the path; "unmatched" for a path without a route. */
  readonly route: string;
  /** Methods that the route declares. */
  readonly methods: readonly string[];
  /** Of GET. */
  readonly handle?: Handler | undefined;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined> | undefined;
}

/** Finds facts about routes. */
export type RouteTable = ReturnType<typeof createRouteTable>;

interface Entry extends RouteFacts {
  readonly pattern: RegExp;
  /** The pattern up to its first parameter; undefined without one. */
  readonly folder?: string;
}

/** Reads the declarations of all routes of an app when the first request needs them. */
export function createRouteTable(app: AnyElysia) {
  let entries: ReadonlyMap<string, Entry> | undefined;
  const all = () => {
    entries ??= readEntries(app);
    return entries;
  };
  return {
    /** By the pattern that Elysia matched. */
    get: (pattern: string): RouteFacts | undefined => all().get(pattern),
    /** By a path, for any method. */
    match: (path: string): RouteFacts | undefined =>
      [...all().values()].find(({ pattern }) => pattern.test(path)),
    /** The route whose fixed first segments match the path. It decides the format of a 404. */
    matchFolder: (path: string): RouteFacts | undefined =>
      [...all().values()].find(({ folder }) => folder !== undefined && path.startsWith(folder)),
  };
}

function readEntries(app: AnyElysia): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { method, path, handler, hooks } of app.routes) {
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
      explainInvalid: facts?.explainInvalid,
      handle: method === "GET" ? (handler as unknown as Handler) : known?.handle,
      // Elysia keeps the valibot schema of the route, under a type of its own.
      query: hooks.query as RouteFacts["query"],
      ...(parameter < 0 ? {} : { folder: path.slice(0, parameter) }),
    });
  }
  return entries;
}
