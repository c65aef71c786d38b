import type { Format } from "../context.ts";
import {
  type Cost,
  type ProblemFacts,
  problemFactsOf,
  type ResponseFacts,
  responseFactsOf,
} from "../responses.ts";
import COMPONENTS from "./components.json" with { type: "json" };
import { codeOfReason } from "./examples.ts";
import { type Described, describeSchema, type Models, refer } from "./schemas.ts";

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: "application/json",
  text: "text/plain",
  page: "text/html",
};

/** Headers of an answer that pages of any site may read. */
const SHARED = ["Access-Control-Allow-Origin"];

/** Headers of a request that costs a lookup. */
const LIMITED = ["RateLimit"];

/** The header of a request that may start a survey. */
const BUDGET = "x-open-budget-remaining";

/** Errors may have it too if the 200 of the operation names it; then they do not name it themselves. */
export const EVERY_STATUS: readonly string[] = [...SHARED, ...LIMITED, BUDGET];

/** The problems of each status: the codes, and what they mean; a 403 means something else for each reason. */
const PROBLEMS: Readonly<
  Record<string, { codes: readonly string[]; description?: string; reasons?: Record<string, string> }>
> = COMPONENTS.problems;

/** What the responses of an operation depend on, in addition to their declaration. */
export interface ResponseOptions {
  readonly models: Models;
  /** The examples of the document; a response names only these. */
  readonly examples: Described;
  /** Where a route serves several public paths: the format of its errors, and the media type of its answer. */
  readonly format?: Format | undefined;
  readonly mediaType?: string | undefined;
  /** What a request costs, where it is less than the route declares. */
  readonly cost?: Cost | undefined;
}

/** Statuses that only a request with a possible survey has. */
const OF_SURVEYS = ["403", "404"];

/** Describes the declared responses of a route by status: their headers, bodies and examples, and the 304. */
export function describeResponses(
  declared: Readonly<Record<string, unknown>>,
  options: ResponseOptions,
): Described {
  const cost = options.cost ?? problemFactsOf(declared[414])?.cost ?? "nothing";
  const main = responseFactsOf(declared[200]);
  const named = new Set(main === undefined ? [] : headersOf(main, cost, options));
  const responses: Record<string, Described> = {};
  for (const [status, schema] of Object.entries(declared)) {
    const answer = responseFactsOf(schema);
    const problem = problemFactsOf(schema);
    // Only a page redirects to the canonical form of its address.
    if (status === "308" && options.format !== undefined && options.format !== "page") continue;
    if (options.cost === "lookup" && OF_SURVEYS.includes(status)) continue;
    if (answer !== undefined) responses[status] = describeAnswer(answer, cost, options);
    // A wrong address is refused before the ending of the path counts.
    else if (problem !== undefined) {
      const facts = status === "400" ? problem : { ...problem, cost };
      responses[status] = describeProblems(Number(status), facts, { ...options, named });
    }
    // RFC 9110, section 15.4.5: a 304 has the headers of the 200.
    if (answer?.isCacheable === true && status === "200")
      responses["304"] = {
        description: "The client's copy is current.",
        headers: referTo("headers", ["ETag"]),
      };
  }
  return responses;
}

function describeAnswer(facts: ResponseFacts, cost: Cost, options: ResponseOptions): Described {
  const { mediaType, models } = options;
  const contents = Object.entries(facts.mediaTypes).filter(
    ([name]) => mediaType === undefined || name === mediaType,
  );
  const content = contents.map(([name, { schema, examples, example }]) => {
    const text = name === "*/*" || name === "image/png" ? {} : { type: "string" };
    const named = examples?.filter((one) => Object.hasOwn(options.examples, one));
    return [
      name,
      {
        schema: schema === undefined ? text : describeSchema(schema, models),
        ...(example === undefined ? {} : { example }),
        ...(named === undefined || named.length === 0 ? {} : { examples: referTo("examples", named) }),
      },
    ] as const;
  });
  return {
    description: facts.description,
    headers: referTo("headers", headersOf(facts, cost, options)),
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
  };
}

/** Headers of an answer. Other sites cannot read a page, and only a page names its other formats. */
function headersOf(
  { headers, shared, mediaTypes, isCacheable }: ResponseFacts,
  cost: Cost,
  { mediaType }: ResponseOptions,
): readonly string[] {
  const isPage = mediaType === "text/html";
  const hasBody = Object.keys(mediaTypes).length > 0;
  return [
    ...(isCacheable ? ["ETag"] : hasBody ? ["Vary"] : []),
    ...(hasBody ? limitHeaders(cost) : []),
    ...(shared && !isPage && mediaType !== "image/png" ? SHARED : []),
    ...(mediaType === undefined || isPage ? headers : headers.filter((name) => name !== "Link")),
  ];
}

function limitHeaders(cost: Cost): readonly string[] {
  if (cost === "nothing") return [];
  return cost === "lookup" ? LIMITED : [...LIMITED, BUDGET];
}

function describeProblems(
  status: number,
  { format, cost, reasons, access }: ProblemFacts,
  options: ResponseOptions & { readonly named: ReadonlySet<string> },
): Described {
  const problem = PROBLEMS[status];
  if (problem === undefined) throw new TypeError(`Cannot describe status ${status}: it has no entry`);
  const declared = typeof format === "string" ? [format] : format.formats;
  // A path that looks unmatched answers as an unknown path does: a page for browsers, else JSON for any site.
  const looksUnmatched = access === "hidden" && (status === 404 || status === 414);
  const formats = [
    ...(options.format === undefined ? declared : [options.format]),
    ...(looksUnmatched ? ["page" as const] : []),
  ];
  const isShared = formats.some((one) => one !== "page") && (access === "shared" || looksUnmatched);
  const examples = listProblems(status, { cost, reasons, access });
  const ofOperation = [...(status === 414 ? [] : limitHeaders(cost)), ...(isShared ? SHARED : [])];
  const headers = [
    ...(formats.includes("page") ? ["Vary"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...ofOperation.filter((name) => !options.named.has(name)),
  ];
  return {
    description: problem.description ?? reasons.flatMap((one) => problem.reasons?.[one] ?? []).join(" "),
    ...(headers.length === 0 ? {} : { headers: referTo("headers", headers) }),
    content: Object.fromEntries(
      formats.map((one) => [
        MEDIA_TYPES[one],
        one === "json" ? { schema: refer("schemas", "Error"), examples } : { schema: { type: "string" } },
      ]),
    ),
  };
}

/** Examples of the codes that a status of a route can carry; a 403 has one for each reason. */
function listProblems(
  status: number,
  { cost, reasons, access }: Pick<ProblemFacts, "cost" | "reasons" | "access">,
): Described {
  const isPossible = {
    open_rate_limited: cost === "survey",
    not_found: cost !== "survey" && access !== "private",
    not_in_mirror: cost !== "nothing",
  } as const;
  const codes = (PROBLEMS[status]?.codes ?? []).filter(
    (code) => !(code in isPossible) || isPossible[code as keyof typeof isPossible],
  );
  return Object.fromEntries(
    codes.flatMap((code) =>
      (status === 403 ? reasons.filter((reason) => codeOfReason(reason) === code) : [undefined]).map(
        (reason) => [reason ?? code, refer("examples", reason ?? code)],
      ),
    ),
  );
}

function referTo(kind: "headers" | "examples", names: readonly string[]): Described {
  return Object.fromEntries(names.map((name) => [name, refer(kind, name)]));
}
