import * as v from "valibot";
import type { Format } from "./context.ts";
import OPERATIONS from "./openapi/operations.json" with { type: "json" };
import type { RequestContext } from "./plugins/request_context.ts";
import { HttpProblem } from "./problem.ts";
import { Reply } from "./reply.ts";

/** What a request costs: nothing, one lookup, or one lookup and possibly a survey. */
export type Cost = "nothing" | "lookup" | "survey";

/** The formats of a route that chooses one for each request. */
export interface FormatChoice {
  readonly formats: readonly Format[];
  readonly choose: (requestContext: RequestContext) => Format;
}

/** Facts about a declared response, in addition to its type. The OpenAPI description shows them. */
export interface ResponseFacts {
  readonly description: string;
  readonly mediaTypes: Readonly<Record<string, ContentFacts>>;
  /** Headers in addition to those that follow from cost, format and caching. */
  readonly headers: readonly string[];
  /** Whether it has an entity tag, so that it may become a 304. */
  readonly isCacheable: boolean;
  /** Whether scripts of any site may read it. */
  readonly shared: boolean;
}

/** One media type of a response. `examples` names examples of the shared table, or is one example itself. */
export interface ContentFacts {
  readonly schema?: v.GenericSchema;
  readonly examples?: readonly string[];
  readonly example?: unknown;
}

/** Facts of the problems of a route, the same for each of its statuses. */
export interface ProblemFacts {
  readonly format: Format | FormatChoice;
  readonly cost: Cost;
  /** The reasons that a 403 may have. */
  readonly reasons: readonly string[];
  readonly access: Access;
  readonly explainInvalid?: ExplainInvalid | undefined;
}

/** How a route answers a request that its schemas refuse, with a status; absent = as a problem of its format. */
export type ExplainInvalid = (invalid: HttpProblem) => readonly [Reply | HttpProblem, number?];

/**
 * Who may read the answers of a route: scripts of any site (never a page), only pages of this site, or only the
 * operator. For everyone else, a hidden path looks unmatched.
 */
export type Access = "shared" | "private" | "hidden";

/** What a route declares about its problems, in addition to cost and format. */
export type ProblemOptions = Partial<Pick<ProblemFacts, "reasons" | "access" | "explainInvalid">>;

const SURVEY_REASONS = ["client_day", "total_day", "refresh"];

interface Options extends ContentFacts, Partial<Pick<ResponseFacts, "headers" | "isCacheable" | "shared">> {}

/** A response schema: Elysia validates what the handler returns with it, and takes the handler's type from it. */
export type ResponseSchema<Content> = v.GenericSchema<Reply<Content>> & {
  readonly responseFacts: ResponseFacts;
};

/** The facts of a declared response; undefined for a problem. */
export function responseFactsOf(schema: unknown): ResponseFacts | undefined {
  return (schema as { readonly responseFacts?: ResponseFacts } | undefined)?.responseFacts;
}

/** The facts of a declared problem. */
export function problemFactsOf(schema: unknown): ProblemFacts | undefined {
  return (schema as { readonly problemFacts?: ProblemFacts } | undefined)?.problemFacts;
}

function declare<Content>(
  description: string,
  mediaType: string | undefined,
  options: Options,
): ResponseSchema<Content> {
  const { headers = [], isCacheable = true, shared = true } = options;
  const mediaTypes = mediaType === undefined ? {} : { [mediaType]: options };
  const schema = v.custom<Reply<Content>>(
    (value) =>
      value instanceof Reply &&
      (mediaType === "*/*" || (value.mediaType ?? "") === "" || value.mediaType === mediaType),
  );
  const responseFacts: ResponseFacts = { description, mediaTypes, headers, isCacheable, shared };
  return Object.assign(schema, { responseFacts });
}

/** Declares a JSON document. */
export function json<const Schema extends v.GenericSchema>(
  description: string,
  schema: Schema,
  options: Options = {},
): ResponseSchema<v.InferOutput<Schema>> {
  return declare(description, "application/json", { ...options, schema });
}

/** Declares a text of a media type; `schema` describes a text that is a JSON document. */
export function text(
  description: string,
  { mediaType = "text/plain", ...options }: Options & { readonly mediaType?: string } = {},
): ResponseSchema<"text"> {
  return declare(description, mediaType, options);
}

/** Declares a web page; scripts of other sites cannot read it. */
export function page(description: string, options: Options = {}): ResponseSchema<"page"> {
  return declare(description, "text/html", { ...options, shared: false });
}

/** Declares a file of any media type. */
export function file(description: string, mediaType: string, options: Options = {}): ResponseSchema<"file"> {
  return declare(description, mediaType, { ...options, shared: false });
}

/** Declares a stream of server-sent events. */
export function events(description: string, options: Options = {}): ResponseSchema<"events"> {
  const headers = ["X-Accel-Buffering", ...(options.headers ?? [])];
  return declare(description, "text/event-stream", { ...options, isCacheable: false, headers });
}

/** Declares an answer without a body. */
export function empty(description: string, options: Options = {}): ResponseSchema<"empty"> {
  return declare(description, undefined, { isCacheable: false, shared: false, ...options });
}

/** Declares one status with several media types. */
export function either<const Schemas extends readonly ResponseSchema<unknown>[]>(
  ...schemas: Schemas
): v.GenericSchema<v.InferOutput<Schemas[number]>> {
  const facts = schemas.map(({ responseFacts }) => responseFacts);
  const [first] = facts;
  if (first === undefined) throw new TypeError("Cannot combine responses: none is declared");
  const schema = v.custom<v.InferOutput<Schemas[number]>>((value) => schemas.some((one) => v.is(one, value)));
  const responseFacts: ResponseFacts = {
    ...first,
    mediaTypes: Object.assign({}, ...facts.map(({ mediaTypes }) => mediaTypes)),
    headers: [...new Set(facts.flatMap(({ headers }) => headers))],
    shared: facts.some(({ shared }) => shared),
  };
  return Object.assign(schema, { responseFacts });
}

/** Declares a status that can be an answer or a problem, which is a text. The description shows the answer. */
export function orProblem<Content>(
  answer: ResponseSchema<Content>,
): v.GenericSchema<Reply<Content> | HttpProblem> {
  const schema = v.union([answer, v.custom<HttpProblem>((value) => value instanceof HttpProblem)]);
  const { mediaTypes } = answer.responseFacts;
  const texts = { ...mediaTypes, "text/plain": mediaTypes["text/plain"] ?? {} };
  return Object.assign(schema, { responseFacts: { ...answer.responseFacts, mediaTypes: texts } });
}

/** Statuses of problems by cost; every route can answer 414 and 500. */
const STATUSES = {
  nothing: [414, 500],
  lookup: [400, 414, 429, 500],
  survey: [400, 403, 404, 414, 429, 500, 503],
} as const satisfies Record<Cost, readonly number[]>;

type ProblemStatus = 400 | 401 | 403 | 404 | 406 | 413 | 414 | 415 | 429 | 500 | 503;
type StatusOf<C extends Cost, Extra extends number> = (typeof STATUSES)[C][number] | Extra;

/**
 * Declares the problems of a route: the statuses of its cost, and `extra` statuses. The page of a route can show a
 * problem itself, so the handler may also return a page.
 */
export function problems<
  const C extends Cost,
  const F extends Format | FormatChoice,
  const Extra extends ProblemStatus = never,
>(
  cost: C,
  format: F,
  extra: readonly Extra[] = [],
  {
    reasons = cost === "survey" ? SURVEY_REASONS : [],
    access = "shared",
    explainInvalid,
  }: ProblemOptions = {},
): {
  [Status in StatusOf<C, Extra>]: v.GenericSchema<HttpProblem | (F extends "page" ? Reply<"page"> : never)>;
} {
  const problemFacts: ProblemFacts = { format, cost, reasons, access, explainInvalid };
  const schema = Object.assign(
    v.custom<HttpProblem>(
      (value) => value instanceof HttpProblem || (format === "page" && value instanceof Reply),
    ),
    { problemFacts },
  );
  const statuses = [...new Set<number>([...STATUSES[cost], ...extra])];
  // The keys are the statuses of the table and the extra ones.
  return Object.fromEntries(statuses.map((status) => [status, schema])) as never;
}

/** The id of an operation. `openapi/operations.json` has its texts, its group and who may call it. */
export type OperationId = keyof typeof OPERATIONS;

/** Describes an operation of a route. */
export function operation(operationId: OperationId): {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  tags?: string[];
  security?: Record<string, string[]>[];
} {
  return { operationId, ...OPERATIONS[operationId] };
}
