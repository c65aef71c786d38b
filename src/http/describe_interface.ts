import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { type Problem, type ProblemCode, ProblemSchema, ReportSchema } from "#report";
import {
  ChallengeQuerySchema,
  HomeQuerySchema,
  LanguageQuerySchema,
  LookupQuerySchema,
  MyIpQuerySchema,
  ReportQuerySchema,
} from "./contract.ts";
import {
  ALWAYS,
  BUDGET,
  documentAnswer,
  LIMITED,
  MEDIA_TYPES,
  notModified,
  ownAnswer,
  refer,
  referHeaders,
  reportAnswers,
  SHARED,
} from "./describe_answers.ts";
import { DOCUMENTS } from "./documents.ts";
import { exampleProblem } from "./examples.ts";
import { listFaceOperations } from "./list_face_operations.ts";
import { describeMcp } from "./mcp/describe_mcp.ts";
import { type Described, LOOKUP, type Operation } from "./operation.ts";
import { EXPOSED_HEADERS } from "./reply.ts";

/** Version of the interface, not of the program. */
const INTERFACE_VERSION = "1.0.0";

const HEADERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  "x-request-id": ["Name of this request in the service's log.", "0198c7d2f3"],
  "Cache-Control": [
    "`private, no-cache` where the answer depends on the caller, `no-store` on errors.",
    "private, no-cache",
  ],
  ETag: [
    "Strong tag of this body in this encoding; send it back as If-None-Match.",
    '"3q2-7w1Zk0uVb4n5YcXd0A"',
  ],
  "Last-Modified": ["When the sources were asked.", "Thu, 15 Jan 2026 08:30:00 GMT"],
  Vary: ["Request headers that this answer depends on.", "Accept-Encoding"],
  Location: ["Where to go on.", "/ip/198.51.100.7"],
  Link: [
    "The same in other forms (`rel=alternate`), and the summary for language models that covers it (`rel=describedby`).",
    '</llms.txt>; rel="describedby"; type="text/markdown"',
  ],
  "x-open-budget-remaining": [
    "Lookups of unknown addresses that this client has left today without a human check; at most 5 seconds old.",
    "4",
  ],
  "Set-Cookie": [
    "The pass: for half an hour this browser may look up unknown addresses, refresh and rate.",
    "limpid_pass=eyJ4.c2ln; HttpOnly; SameSite=Lax; Path=/; Max-Age=1800; Secure",
  ],
  "X-Accel-Buffering": ["Asks proxies not to hold the events back.", "no"],
  RateLimit: [
    "What is left of each limit that applied, and seconds until there is more (draft-ietf-httpapi-ratelimit-headers-11).",
    '"lookup";r=29;t=60',
  ],
  "RateLimit-Policy": ["Quota and window in seconds of each limit that applied.", '"lookup";q=30;w=60'],
  "WWW-Authenticate": ["How to come back (RFC 6750).", 'Bearer realm="metrics"'],
  "Retry-After": ["Whole seconds to wait before asking again.", "12"],
  "Access-Control-Allow-Origin": ["Pages of any site may read this answer.", "*"],
  "Access-Control-Expose-Headers": ["Headers those pages may read.", EXPOSED_HEADERS],
  "Content-Security-Policy": ["What a browser may load for this answer.", "default-src 'none'"],
  "X-Content-Type-Options": ["Always `nosniff`.", "nosniff"],
  "Referrer-Policy": ["Always `no-referrer`.", "no-referrer"],
};

/** The cookie of a verified visitor. */
const PASS = {
  type: "apiKey",
  in: "cookie",
  name: "limpid_pass",
  description:
    "Set by `/api/verify` when a person has solved the human check; signed, good for 30 minutes. No endpoint that only reads needs it, but it lifts the daily allowance and lets `refresh=1` through.",
};

/** The operator's token. */
const OPERATOR = {
  type: "http",
  scheme: "bearer",
  description: "Set by whoever runs the service; for `/metrics` alone.",
};

/** What may go wrong, and the codes it carries; the first one is the example. */
const PROBLEMS: Readonly<
  Record<number, { readonly codes: readonly ProblemCode[]; readonly description: string }>
> = {
  400: {
    codes: ["invalid_ip", "invalid_parameter"],
    description: "Not an address, or a parameter that is not offered or repeated.",
  },
  401: { codes: ["unauthorized"], description: "Without the operator's token." },
  403: {
    codes: ["verification_required"],
    description:
      "Needs a person: `hint` says what to do, `reportUrl` is the page to do it on. There the check is solved once, and later calls for the address are answered from the database.",
  },
  404: {
    codes: ["not_found", "not_in_mirror"],
    description:
      "No such thing; or on a mirror, which asks nobody: not in its copy, `reportUrl` leads to the full service.",
  },
  413: { codes: ["too_large"], description: "The body is longer than 16 kB." },
  414: { codes: ["too_large"], description: "The URL is longer than 2048 characters." },
  429: {
    codes: ["rate_limited", "open_rate_limited"],
    description:
      "`rate_limited`: too many requests of this client. `open_rate_limited`: too many lookups of unknown addresses without a check on the whole site. Wait as long as Retry-After says.",
  },
  500: {
    codes: ["internal"],
    description: "The service failed. The hint names the request, nothing else is told.",
  },
  503: {
    codes: ["overloaded"],
    description: "Too busy to ask the sources; wait as long as Retry-After says.",
  },
};
const POST_PROBLEMS = [400, 403, 404, 413, 414, 429, 500];

/** Whether an operation may answer a code. What is not on a mirror is surveys and everything that is written. */
function isPossible(code: ProblemCode, { surveys, body, limited }: Operation): boolean {
  const asksOrWrites = surveys === true || body !== undefined;
  if (code === "open_rate_limited") return surveys === true;
  if (code === "not_found") return !asksOrWrites;
  if (code === "not_in_mirror") return asksOrWrites || limited === true;
  return true;
}

/**
 * The OpenAPI 3.1.0 description, made of the same valibot schemas that requests are read by and documents typed by.
 * Written out here rather than collected from the router: its one pattern `/ip/:name` is six paths to the public,
 * and what matters most (headers, shared documents, examples) is not in a router.
 */
export function describeInterface(baseUrl: string): Described {
  const paths: Record<string, Described> = {};
  for (const operation of [...listOperations(baseUrl), ...listFaceOperations(baseUrl)]) {
    const method = operation.body === undefined ? "get" : "post";
    paths[operation.path] = { [method]: describeOperation(operation, baseUrl) };
  }
  paths["/mcp"] = describeMcp();
  return {
    openapi: "3.1.0",
    info: {
      title: "limpid",
      version: INTERFACE_VERSION,
      summary: "Tells how clean an IP address is, and shows its reasoning.",
      description: [
        "One address in, one report out: purity from 0 to 100, every deduction behind it, what each source said or",
        "failed to say, and what no address can tell. A report without risk signals must not be read as safe: pass",
        "`unknowns` on with any conclusion and cite `reportUrl`. No key and no sign-up.",
        "\n\nEvery GET also answers HEAD; JSON and text may be read by pages of any site. Limits per client (IPv4",
        "address or IPv6 /64): 30 lookups a minute, of these 10 of addresses not known yet, and 5 refreshes a minute.",
        "Without a human check 5 addresses a day that are not known yet, and 15 a minute of all clients together;",
        "then 403 `verification_required`: open `reportUrl` in a browser and solve the check once, and later calls for",
        "that address are answered from the database. What is in the database costs no allowance.",
        "Range scans, bulk and scheduled checks are not what this interface is for.",
      ].join(" "),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This service." }],
    security: [],
    tags: [
      { name: "Reports", description: "What is known and concluded about one address." },
      { name: "Caller", description: "The address a request comes from." },
      {
        name: "Verification",
        description: "The human check and what it opens: for the pages of this site, not for programs.",
      },
      { name: "Service", description: "The service about itself." },
    ],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(DOCUMENTS).map(([name, schema]) => [name, describeSchema(schema)]),
      ),
      securitySchemes: { pass: PASS, operator: OPERATOR },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, [description, example]]) => [
          name,
          { description, schema: { type: "string" }, example },
        ]),
      ),
    },
  };
}

function listOperations(baseUrl: string): Operation[] {
  const operations: Operation[] = [];
  operations.push({
    ...LOOKUP,
    path: "/api/lookup",
    id: "lookUp",
    summary: "Report of an address as JSON",
    description:
      "Answers from memory or the database where the address is known, else asks every source once.",
    language: "zh",
    shape: "json",
    query: LookupQuerySchema,
    answers: reportAnswers("json", baseUrl, "zh", "en"),
  });
  for (const language of ["zh", "en"] as const) {
    const prefix = language === "en" ? "/en" : "";
    const name = language === "en" ? "English" : "Chinese";
    const suffix = language === "en" ? "InEnglish" : "";
    const same = { ...LOOKUP, language, query: ReportQuerySchema };
    operations.push(
      {
        ...same,
        path: `${prefix}/ip/{ip}.json`,
        id: `getReport${suffix}`,
        summary: `Report as JSON, ${name}`,
        description: "The same as `/api/lookup`, with the same limits, under a path of its own.",
        shape: "json",
        answers: reportAnswers("json", baseUrl, language),
      },
      {
        ...same,
        path: `${prefix}/ip/{ip}.txt`,
        id: `getReportText${suffix}`,
        summary: `Report as plain text, ${name}`,
        description: "72 columns of plain text, with the same limits. Errors are one line.",
        shape: "text",
        answers: reportAnswers("text", baseUrl, language),
      },
      {
        ...same,
        path: `${prefix}/ip/{ip}`,
        id: `getReportPage${suffix}`,
        summary: `Report as a web page, ${name}`,
        description: "The page holds the JSON report in `script#service-report`. The same limits apply.",
        shape: "page",
        answers: {
          ...reportAnswers("page", baseUrl, language),
          308: {
            description: "On to the same page under the canonical form of the address. Costs nothing.",
            headers: referHeaders([...ALWAYS, "Location"]),
          },
        },
      },
      {
        path: `${prefix}/method`,
        id: `getMethod${suffix}`,
        tag: "Service",
        summary: `How the score is made, ${name}`,
        description:
          "Every rule, weight, cap, floor, half-life, band and use-case table, made of the tables that score.",
        language,
        shape: "page",
        problems: [414, 500],
        answers: {
          200: {
            description: "The page.",
            headers: referHeaders([...ALWAYS, "ETag", "Vary"]),
            content: { "text/html": { schema: { type: "string" } } },
          },
          304: notModified(["Vary"]),
        },
      },
      {
        path: prefix === "" ? "/" : prefix,
        id: `getFrontPage${suffix}`,
        tag: "Caller",
        summary: `Caller's address for terminals, front page for browsers, ${name}`,
        description: "curl and its like, or `Accept: text/plain`, get their address and a newline.",
        language,
        shape: "page",
        alsoText: true,
        query: HomeQuerySchema,
        problems: [400, 414, 500],
        answers: {
          200: {
            description: "The caller's address, or the page.",
            headers: referHeaders([...ALWAYS, "ETag", "Vary", "Link", ...SHARED]),
            content: {
              "text/html": { schema: { type: "string" } },
              "text/plain": { schema: { type: "string" } },
            },
          },
          302: {
            description: "On to the report of the address in `ip`, or to the comparison of several.",
            headers: referHeaders([...ALWAYS, "Location", "Vary"]),
          },
          304: notModified(["Vary", "Link", ...SHARED]),
        },
      },
    );
  }
  operations.push(
    {
      ...LOOKUP,
      path: "/api/progress",
      id: "watchLookup",
      summary: "A lookup that is watched, as server-sent events",
      description:
        "Events: `queued`; `started` with the sources; `source` for each as it answers, with `done` and `total`; last `report` with its `url`, or `problem` with the error body. A comment every 10 seconds. Whoever stops reading ends the watching only: the survey goes on and its answer is kept. At most 256 watchers.",
      language: "zh",
      shape: "json",
      query: LookupQuerySchema,
      answers: {
        200: {
          description: "The events, from the first one on.",
          headers: referHeaders([...ALWAYS, ...LIMITED, BUDGET, ...SHARED, "X-Accel-Buffering"]),
          content: {
            "text/event-stream": {
              schema: { type: "string" },
              example: `event: report\ndata: {"url":"${baseUrl}/ip/198.51.100.7"}\n\n`,
            },
          },
        },
      },
    },
    {
      path: "/api/challenge",
      id: "getChallenge",
      tag: "Verification",
      summary: "A challenge for the human check",
      description:
        "As the ALTCHA widget reads it; bound to address and action, good for 10 minutes and one solution. Not found where the check is another. Costs a lookup.",
      language: "zh",
      shape: "json",
      query: ChallengeQuerySchema,
      limited: true,
      problems: [400, 404, 414, 429, 500],
      answers: {
        200: {
          description: "The challenge.",
          headers: referHeaders([...ALWAYS, ...LIMITED]),
          content: { "application/json": { schema: { type: "object" } } },
        },
      },
    },
    {
      path: "/api/verify",
      id: "verifyVisitor",
      tag: "Verification",
      summary: "Gives in the solution of a human check",
      description:
        "Only for pages of this site. A solution counts once, for its address and action. Costs a lookup.",
      language: "zh",
      shape: "json",
      query: LanguageQuerySchema,
      body: {
        document: "Solution",
        example: { ip: "198.51.100.7", action: "lookup", payload: "eyJjaGFsbGVuZ2UiOnt9fQ" },
      },
      limited: true,
      problems: POST_PROBLEMS,
      reasons: ["failed", "expired", "replayed", "unavailable", "cross_site"],
      answers: {
        200: ownAnswer("A person, who has a pass now.", "Verified", ["Set-Cookie"], {
          verified: true,
          expiresAt: "2026-01-15T09:00:00.000Z",
        }),
      },
    },
    {
      path: "/api/feedback",
      id: "rateOwnAddress",
      tag: "Caller",
      summary: "Rates the caller's own address for a use",
      description:
        "Only for pages of this site and verified visitors. One vote a client (IPv4 address or IPv6 /64), use, address and UTC day, whatever browser sends it: a later one replaces it. Shown from 3 votes on; no part of the score. Costs a lookup.",
      language: "zh",
      shape: "json",
      query: LanguageQuerySchema,
      body: { document: "Rating", example: { scenario: "ai", rating: 4 } },
      limited: true,
      problems: POST_PROBLEMS,
      reasons: ["feedback", "cross_site"],
      security: [{ pass: [] }],
      answers: {
        200: ownAnswer("What has been said of the address by now.", "Feedback", [], {
          feedback: { ai: { count: 3, average: 4.33 } },
        }),
      },
    },
    {
      path: "/api/myip",
      id: "getCallerAddress",
      tag: "Caller",
      summary: "The caller's public address",
      description: "JSON, or with `format=text` the bare address and a newline. Costs no lookup.",
      language: "zh",
      shape: "json",
      query: MyIpQuerySchema,
      problems: [400, 414, 500],
      answers: {
        200: {
          description: "The caller's address.",
          headers: referHeaders([...ALWAYS, "ETag", ...SHARED]),
          content: {
            "application/json": { schema: refer("MyIp"), example: { ip: "198.51.100.7" } },
            "text/plain": { schema: { type: "string" }, example: "198.51.100.7\n" },
          },
        },
        304: notModified(SHARED),
      },
    },
    {
      path: "/openapi.json",
      id: "getDescription",
      tag: "Service",
      summary: "This description",
      description: "OpenAPI 3.1.0.",
      language: "zh",
      shape: "json",
      problems: [414, 500],
      answers: {
        200: {
          description: "This document.",
          headers: referHeaders([...ALWAYS, "ETag", "Vary", ...SHARED]),
          content: { "application/json": { schema: { type: "object" } } },
        },
        304: notModified(["Vary", ...SHARED]),
      },
    },
    {
      path: "/healthz",
      id: "getHealth",
      tag: "Service",
      summary: "Whether the process answers",
      description: "Asks nothing and nobody.",
      language: "zh",
      shape: "json",
      problems: [414, 500],
      answers: { 200: documentAnswer("It does.", "Health", { status: "ok", version: "0.1.0" }) },
    },
    {
      path: "/readyz",
      id: "getReadiness",
      tag: "Service",
      summary: "Whether the service can do its work",
      description: "Looks at database and tables; asks nobody outside.",
      language: "zh",
      shape: "json",
      problems: [414, 500],
      answers: {
        200: documentAnswer("It can.", "Readiness", { ready: true, checks: { store: { ok: true } } }),
        503: documentAnswer("It cannot, and which check says so.", "Readiness", {
          ready: false,
          checks: { store: { ok: false } },
        }),
      },
    },
    {
      path: "/metrics",
      id: "getMetrics",
      tag: "Service",
      summary: "What the service counts, for who runs it",
      description:
        "Prometheus text format. With the operator's token from anywhere; where none is set, from the service's own machine, and for everybody else there is no such path. Costs no lookup.",
      language: "zh",
      shape: "json",
      security: [{}, { operator: [] }],
      own: true,
      problems: [401, 404, 414, 500],
      answers: {
        200: {
          description: "The metrics.",
          headers: referHeaders([...ALWAYS, "Vary"]),
          content: {
            "text/plain": {
              schema: { type: "string" },
              example:
                '# HELP limpid_answers_total Lookups by the tier that answered, or by why there was no answer.\n# TYPE limpid_answers_total counter\nlimpid_answers_total{result="fresh"} 2\n',
            },
          },
        },
      },
    },
    {
      path: "/static/{file}",
      id: "getStaticFile",
      tag: "Service",
      summary: "A file of the web page",
      description: "Style sheets and icons.",
      language: "zh",
      shape: "json",
      problems: [404, 414, 500],
      answers: {
        200: {
          description: "The file.",
          headers: referHeaders([...ALWAYS, "ETag", "Vary"]),
          content: { "*/*": { schema: {} } },
        },
        304: notModified(["Vary"]),
      },
    },
  );
  return operations;
}

function describeOperation(operation: Operation, baseUrl: string): Described {
  const problems = operation.problems.map(
    (status) => [status, describeProblem(status, operation, baseUrl)] as const,
  );
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.security === undefined ? {} : { security: operation.security }),
    parameters: [...describePathParameters(operation.path), ...describeQuery(operation.query)],
    ...(operation.body === undefined ? {} : { requestBody: describeBody(operation.body) }),
    responses: { ...operation.answers, ...Object.fromEntries(problems) },
  };
}

function describeBody({ document, example }: NonNullable<Operation["body"]>): Described {
  return {
    description: "At most 16 kB.",
    required: true,
    content: { "application/json": { schema: refer(document), example } },
  };
}

function describePathParameters(path: string): Described[] {
  const names = {
    ip: ["IPv4 or IPv6 address; IPv6 may stand in square brackets.", "198.51.100.7"],
    file: ["File name.", "report.css"],
  } as const;
  return (["ip", "file"] as const)
    .filter((name) => path.includes(`{${name}}`))
    .map((name) => ({
      name,
      in: "path",
      required: true,
      description: names[name][0],
      schema: { type: "string" },
      example: names[name][1],
    }));
}

function describeQuery(query: v.GenericSchema | undefined): Described[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(query, {
    target: "draft-2020-12",
    // What is read from a text may be a number; it is described as what it means.
    typeMode: "output",
  });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = typeof property === "object" ? property : {};
    return { name, in: "query", required: required.includes(name), description, schema };
  });
}

function describeProblem(status: number, operation: Operation, baseUrl: string): Described {
  const problem = PROBLEMS[status];
  if (problem === undefined) throw new TypeError(`Cannot describe status ${status}: it has no entry`);
  const examples: Record<string, { readonly value: Problem | string }> = {};
  for (const code of problem.codes) {
    if (!isPossible(code, operation)) continue;
    for (const reason of code === "verification_required" ? (operation.reasons ?? []) : [undefined]) {
      examples[reason ?? code] = { value: exampleProblem(code, operation.language, baseUrl, reason) };
    }
  }
  const retry = status === 429 || status === 503 ? ["Retry-After"] : [];
  const limited = operation.limited && status !== 414 ? LIMITED : [];
  const budget = operation.surveys && status !== 414 ? [BUDGET] : [];
  // What is denied to exist looks as any path that does not: browsers are told so on a page.
  const isHidden = operation.own === true && (status === 404 || status === 414);
  const isOwn = operation.body !== undefined || (operation.own === true && !isHidden);
  const isRead = operation.shape !== "page" || operation.alsoText === true;
  const shared = isRead && !isOwn ? SHARED : [];
  const challenge = status === 401 ? ["WWW-Authenticate"] : [];
  // A page is worth compressing.
  const vary = operation.shape === "page" || isHidden ? ["Vary"] : [];
  return {
    description: problem.description,
    headers: referHeaders([...ALWAYS, ...vary, ...challenge, ...retry, ...limited, ...budget, ...shared]),
    content:
      operation.shape === "json"
        ? {
            "application/json": { schema: refer("Error"), examples },
            ...(isHidden ? { [MEDIA_TYPES.page]: { schema: { type: "string" } } } : {}),
          }
        : Object.fromEntries(
            [operation.shape, ...(operation.alsoText === true ? ["text" as const] : [])].map((shape) => [
              MEDIA_TYPES[shape],
              { schema: { type: "string" } },
            ]),
          ),
  };
}

/**
 * The converter's dialect mark means nothing inside OpenAPI, and it knows choices of whole numbers only as numbers.
 * A report or an error within another document is referred to.
 */
function describeSchema(schema: v.GenericSchema): Described {
  const shared = Object.entries({ Report: ReportSchema, Error: ProblemSchema });
  const {
    $schema: _dialect,
    $defs: _shared,
    ...rest
  } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    definitions: Object.fromEntries(shared.filter(([, other]) => other !== schema)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: ({ jsonSchema }) =>
      jsonSchema.type === "number" && jsonSchema.enum?.every(Number.isInteger)
        ? { ...jsonSchema, type: "integer" }
        : undefined,
  });
  return rest;
}
