import { expect } from "bun:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import * as v from "valibot";
import { ProblemSchema, ReportSchema, SCENARIOS } from "#report";

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedResponse & { readonly $ref?: string }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", DescribedOperation>>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly "x-accompanies"?: string }>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

const DOCUMENTS: Record<string, v.GenericSchema> = {
  Report: ReportSchema,
  Error: ProblemSchema,
  MyIp: v.strictObject({ ip: v.string() }),
  Health: v.strictObject({ status: v.literal("ok"), version: v.string() }),
  Readiness: v.strictObject({
    ready: v.boolean(),
    checks: v.record(v.string(), v.strictObject({ ok: v.boolean() })),
  }),
  History: v.strictObject({
    ip: v.string(),
    entries: v.array(
      v.strictObject({
        queriedAt: v.pipe(v.string(), v.isoTimestamp()),
        purity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
        level: v.string(),
        scoringVersion: v.pipe(v.number(), v.integer()),
      }),
    ),
  }),
  Comparison: v.strictObject({
    reports: v.array(ReportSchema),
    problems: v.array(v.strictObject({ ip: v.string(), problem: ProblemSchema })),
  }),
  RpcFailure: v.strictObject({
    jsonrpc: v.literal("2.0"),
    id: v.optional(v.union([v.string(), v.number(), v.null()])),
    error: v.strictObject({ code: v.number(), message: v.string() }),
  }),
  Verified: v.strictObject({ verified: v.literal(true), expiresAt: v.pipe(v.string(), v.isoTimestamp()) }),
  Feedback: v.strictObject({
    feedback: v.record(
      v.picklist(SCENARIOS),
      v.strictObject({
        count: v.pipe(v.number(), v.integer(), v.minValue(3)),
        average: v.pipe(v.number(), v.minValue(1), v.maxValue(5)),
      }),
    ),
  }),
};

const { entries } = ReportSchema.pipe[0];

/** A report with `fields` or `sources`. */
const ReportPart = v.strictObject({
  ...v.partial(v.object(entries)).entries,
  ip: entries.ip,
  version: entries.version,
  queriedAt: entries.queriedAt,
  source: entries.source,
  sources: v.optional(
    v.union([
      v.array(v.strictObject({ name: v.string(), state: v.picklist(["answered", "failed", "skipped"]) })),
      entries.sources,
    ]),
  ),
});

/** The parts of an answer that are checked. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null; keys(): Iterable<string> };
  json(): Promise<unknown>;
}

/** Headers of the transport, which the description does not list. */
const UNDESCRIBED = new Set(["content-type", "content-length", "content-encoding", "date"]);

/**
 * Checks an answer against the description: path, status, every header, media type, and the document in the body.
 * For unknown paths and methods, which have no description, checks only the error body.
 */
export async function conform(description: unknown, request: Request, response: Answer): Promise<void> {
  // This function itself checks the parts of the description.
  const document = description as Description;
  const { pathname } = new URL(request.url);
  const path = pathname.replace(/[^/]*$/, (name) => name.replaceAll("%2E", "."));
  const template = findTemplate(Object.keys(document.paths), path);
  const asked = `${request.method} ${path} ${response.status}`;
  expect(response.headers.get("x-request-id"), asked).not.toBeNull();
  expect(response.headers.get("x-content-type-options"), asked).toBe("nosniff");
  expect(response.headers.get("content-security-policy"), asked).toContain("frame-ancestors 'none'");
  if (response.status >= 400) expect(response.headers.get("cache-control"), asked).toBe("no-store");
  // A 503 of /readyz or /gate is an answer, not a refusal, so it needs no Retry-After.
  const isAnswer = path === "/readyz" || /^\/(?:en\/)?gate\//.test(path);
  if (response.status === 429 || (response.status === 503 && !isAnswer)) {
    expect(response.headers.get("retry-after"), asked).toMatch(/^[1-9]\d*$/);
  }
  if (request.method === "OPTIONS") return;
  const operation = template === undefined ? undefined : document.paths[template]?.[methodOf(request)];
  if (operation === undefined) {
    if (request.method !== "HEAD" && response.headers.get("content-type")?.startsWith("application/json")) {
      expectDocument(document, "Error", await response.json());
    }
    return;
  }

  const declared = operation.responses[response.status];
  const shared = declared?.$ref?.split("/").at(-1);
  const described = shared === undefined ? declared : document.components.responses[shared];
  expect(described, `${asked} is described`).toBeDefined();
  if (described === undefined) return;
  const own = Object.keys(described.headers ?? {});
  const accompanying = Object.entries(document.components.headers).flatMap(([name, header]) =>
    own.includes(header["x-accompanies"] ?? "") ? [name] : [],
  );
  const headers = [...own, ...accompanying].map((name) => name.toLowerCase());
  for (const name of response.headers.keys()) {
    if (!UNDESCRIBED.has(name)) expect(headers, `${asked}: header ${name} is described`).toContain(name);
  }
  for (const name of headers)
    expect(Object.keys(document.components.headers).map((key) => key.toLowerCase())).toContain(name);

  const mediaType = response.headers.get("content-type")?.split(";")[0];
  if (described.content === undefined || response.status === 304) {
    expect(mediaType, `${asked} has no body`).toBeUndefined();
    return;
  }
  const content = described.content[mediaType ?? ""] ?? described.content["*/*"];
  expect(content, `${asked}: ${mediaType} is described`).toBeDefined();
  if (mediaType !== "image/png")
    expect(response.headers.get("content-type"), asked).toMatch(/; charset=utf-8$/);
  const name = content?.schema.$ref?.split("/").at(-1);
  const { searchParams } = new URL(request.url);
  const isReadable = request.method !== "HEAD" && response.headers.get("content-encoding") === null;
  if (name === undefined || !isReadable) return;
  const body = await response.json();
  const isPart = name === "Report" && (searchParams.has("fields") || searchParams.has("sources"));
  if (isPart) expect(v.parse(ReportPart, body)).toEqual(body as never);
  else expectDocument(document, name, body);
}

/** The described method of a request: HEAD is GET without a body. */
function methodOf({ method }: Request): "get" | "post" {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  // The description has no entry for any other method.
  return name as "get" | "post";
}

/**
 * Expects that the body has exactly the members of its schema. A document that is not in the table is
 * compared with its described schema.
 */
function expectDocument({ components }: Description, name: string, body: unknown): void {
  const schema = DOCUMENTS[name];
  if (schema !== undefined) {
    expect(v.parse(schema, body)).toEqual(body);
    return;
  }
  const described = { $ref: `#/components/schemas/${name}`, components };
  const checked = new AjvJsonSchemaValidator().getValidator(described as never)(body);
  expect(checked.errorMessage, name).toBeUndefined();
  const known = Object.keys(components.schemas[name]?.properties ?? {});
  expect(known).toEqual(expect.arrayContaining(Object.keys(body as object)));
}

function findTemplate(templates: readonly string[], path: string): string | undefined {
  // A path parameter is not empty.
  if (path !== "/" && path.endsWith("/")) return undefined;
  const fits = templates.filter((template) => {
    const pattern = template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]*");
    return new RegExp(`^${pattern}$`).test(path);
  });
  // `/ip/{ip}` matches `/ip/x.json` too; the longer template is the right one.
  return fits.toSorted((one, other) => other.length - one.length)[0];
}
