import { expect } from "bun:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { EVERY_ANSWER } from "../../../src/http/openapi/describe.ts";
import { EVERY_STATUS } from "../../../src/http/openapi/describe_responses.ts";

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedResponse & { readonly $ref?: string }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", DescribedOperation>>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly "x-accompanies"?: string }>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly schemas: Schema;
  };
}

/** The parts of an answer that are checked. */
interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null; keys(): Iterable<string> };
  json(): Promise<unknown>;
}

const ERROR = { $ref: "#/components/schemas/Error" };

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
  const path = (pathname === "/en" ? "/" : pathname.replace(/^\/en(?=\/.)/, "")).replace(/[^/]*$/, (name) =>
    name.replaceAll("%2E", "."),
  );
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
      expectDocument(document, ERROR, await response.json(), asked);
    }
    return;
  }

  const declared = operation.responses[response.status];
  const find = (one: typeof declared) =>
    one?.$ref === undefined ? one : document.components.responses[one.$ref.split("/").at(-1) ?? ""];
  const described = find(declared);
  expect(described, `${asked} is described`).toBeDefined();
  if (described === undefined) return;
  const ofMain = Object.keys(find(operation.responses[200])?.headers ?? {});
  const own = [
    ...Object.keys(described.headers ?? {}),
    ...(response.status === 304 ? ofMain : ofMain.filter((name) => EVERY_STATUS.includes(name))),
  ];
  const accompanying = Object.entries(document.components.headers).flatMap(([name, header]) =>
    [EVERY_ANSWER, ...own].includes(header["x-accompanies"] ?? "") ? [name] : [],
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
  const isReadable = request.method !== "HEAD" && response.headers.get("content-encoding") === null;
  if (content === undefined || !isReadable || !/[/+]json$/.test(mediaType ?? "")) return;
  expectDocument(document, content.schema, await response.json(), asked);
}

/** The described method of a request: HEAD is GET without a body. */
function methodOf({ method }: Request): "get" | "post" {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  // The description has no entry for any other method.
  return name as "get" | "post";
}

type Schema = Readonly<Record<string, unknown>>;

const validators = new WeakMap<object, ReturnType<AjvJsonSchemaValidator["getValidator"]>>();

/** Expects that a body matches a schema of the description, and has no member that it does not describe. */
function expectDocument({ components }: Description, schema: Schema, body: unknown, asked: string): void {
  let validate = validators.get(schema);
  if (validate === undefined) {
    const closed = { ...closeObjects(schema), components: closeObjects({ schemas: components.schemas }) };
    validate = new AjvJsonSchemaValidator().getValidator(closed as never);
    validators.set(schema, validate);
  }
  expect(validate(body).errorMessage, asked).toBeUndefined();
}

/** The schema, in which no object has other members than the described ones. */
function closeObjects(schema: Schema): Schema {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    return typeof value === "object" && value !== null ? closeObjects(value as Schema) : value;
  };
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, close(value)]));
  const isOpen = schema.type !== "object" || schema.properties === undefined;
  return isOpen || "additionalProperties" in schema ? inner : { ...inner, additionalProperties: false };
}

function findTemplate(templates: readonly string[], path: string): string | undefined {
  // A path parameter is not empty.
  if (path !== "/" && /\/(?:\/|$)/.test(path)) return undefined;
  const fits = templates.filter((template) => {
    const pattern = template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]*");
    return new RegExp(`^${pattern}$`).test(path);
  });
  // `/ip/{ip}` matches `/ip/x.json` too; the longer template is the right one.
  return fits.toSorted((one, other) => other.length - one.length)[0];
}
