import fc from "fast-check";
import INPUT from "../../fixtures/attacks/requests.json";

/** A request as sent: path and query as written, headers, and an optional body. */
export interface MadeRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const LONG_TEXTS = [
  "9".repeat(400),
  "a".repeat(1500),
  "a".repeat(5000),
  "1.1.1.1,".repeat(200),
  ":".repeat(300),
  "[".repeat(300),
  "%25".repeat(300),
];

const LONG_BODIES = [
  "[".repeat(9000),
  `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`,
  `{"ip":"${"1".repeat(15_000)}"}`,
  "x".repeat(17_000),
];

/** Makes requests from an OpenAPI description: right, nearly right, and hostile. */
export function makeRequests(described: unknown): fc.Arbitrary<MadeRequest> {
  // test/http checks its form.
  const document = described as Description;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const ordinary = fc
    .constantFrom(...operations)
    .chain(({ path, method, operation }) => makeFor(document, path, method, operation));
  const anywhere = fc.record({
    method: fc.constantFrom(...INPUT.methods),
    target: fc
      .oneof(hostileText(), fc.webPath(), fc.string({ unit: "binary", maxLength: 60 }))
      .map((text) => `/${escapeUnsendable(text)}`),
    headers: makeHeaders(),
  });
  return fc.oneof({ weight: 12, arbitrary: ordinary }, { weight: 1, arbitrary: anywhere });
}

function makeFor(
  document: Description,
  path: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<MadeRequest> {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  return fc
    .record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(method, method, "HEAD") },
        { weight: 1, arbitrary: fc.constantFrom(...INPUT.methods) },
      ),
      parts: fc.tuple(...inPath.map(({ name, schema }) => makeValue(name, schema))),
      query: fc.tuple(...inQuery.map((parameter) => queryOf(parameter))),
      extra: fc.oneof(
        { weight: 6, arbitrary: fc.constant("") },
        { weight: 1, arbitrary: hostileText().map(escapeUnsendable) },
      ),
      headers: makeHeaders(),
      body:
        operation.requestBody === undefined
          ? fc.constant(undefined)
          : makeBody(document, path, operation.requestBody),
      isJson: fc.integer({ min: 0, max: 9 }).map((chance) => chance < 9),
    })
    .map(({ method: chosen, parts, query, extra, headers, body, isJson }) => {
      let at = 0;
      const filled = path.replaceAll(/\{\w+\}/g, () => escapeUnsendable(parts[at++] ?? ""));
      const pieces = [...query.filter((piece) => piece !== ""), extra].filter((piece) => piece !== "");
      const sent = body !== undefined && chosen !== "GET" && chosen !== "HEAD";
      return {
        method: chosen,
        target: `${filled}${pieces.length === 0 ? "" : `?${pieces.join("&")}`}`,
        headers: {
          ...headers,
          ...(sent && isJson
            ? {
                "content-type": "application/json",
                "sec-fetch-site": "same-origin",
                origin: "https://limpid.test",
              }
            : {}),
        },
        ...(sent ? { body } : {}),
      };
    });
}

function queryOf({ name, schema, required }: Parameter): fc.Arbitrary<string> {
  const pair = makeValue(name, schema).map((value) => `${name}=${escapeUnsendable(value)}`);
  const twice = fc.tuple(pair, pair).map((pairs) => pairs.join("&"));
  const odd = fc.constantFrom(
    "",
    name,
    `${name}[]=1`,
    `${name}[a]=1`,
    `${name.toUpperCase()}=1`,
    `__proto__[${name}]=1`,
  );
  return fc.oneof(
    { weight: required === true ? 12 : 3, arbitrary: pair },
    { weight: required === true ? 1 : 6, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: twice },
    { weight: 1, arbitrary: odd },
  );
}

/** Right six times in ten, nearly right three, hostile once. */
function makeValue(name: string, schema: Schema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: rightValue(name, schema) },
    { weight: 3, arbitrary: rightValue(name, schema).chain(nearly) },
    { weight: 1, arbitrary: hostileText() },
  );
}

function rightValue(name: string, schema: Schema): fc.Arbitrary<string> {
  if (name === "ips") return fc.array(address(), { minLength: 1, maxLength: 6 }).map((all) => all.join(","));
  if (name === "ip") return address();
  if (name === "file") return fc.constantFrom("report.css", "check.css", "icon.svg", "nothing.js");
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String));
  if (schema.type === "integer")
    return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 }).map(String);
  return fc.string({ maxLength: 30 });
}

function address(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...INPUT.addresses) },
    { weight: 2, arbitrary: fc.ipV4() },
    { weight: 1, arbitrary: fc.ipV6() },
  );
}

/** One thing wrong with it. */
function nearly(text: string): fc.Arbitrary<string> {
  return fc
    .record({
      at: fc.nat({ max: Math.max(0, text.length) }),
      piece: fc.oneof(
        fc.constantFrom("%", " ", ".", ":", "/", "0", "\u0000", "%2f", "é", "]", ";a=b", "//"),
        fc.string({ unit: "binary", maxLength: 3 }),
      ),
      cut: fc.nat({ max: 2 }),
    })
    .map(({ at, piece, cut }) => text.slice(0, at) + piece + text.slice(at + cut));
}

function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...INPUT.hostile, ...LONG_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  );
}

function makeHeaders(): fc.Arbitrary<Record<string, string>> {
  const pair = fc
    .constantFrom(...Object.entries(INPUT.headers))
    .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const));
  return fc.array(pair, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
}

function makeBody(
  document: Description,
  path: string,
  body: NonNullable<Operation["requestBody"]>,
): fc.Arbitrary<string> {
  const { schema = {}, example } = body.content["application/json"] ?? {};
  const right = path === "/mcp" ? rpcMessage() : objectOf(resolve(document, schema));
  const text = right.map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 5, arbitrary: text },
    { weight: 1, arbitrary: fc.constant(JSON.stringify(example ?? {})) },
    { weight: 2, arbitrary: text.chain(nearly) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 6 }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...INPUT.bodies, ...LONG_BODIES),
    },
  );
}

function objectOf(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) =>
      [
        name,
        fc.oneof(
          {
            weight: 8,
            arbitrary: name === "rating" ? fc.constantFrom(...(field.enum ?? [1])) : makeValue(name, field),
          },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
        ),
      ] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }) as fc.Arbitrary<Record<string, unknown>>;
}

function rpcMessage(): fc.Arbitrary<unknown> {
  const params = fc.record(
    {
      name: fc.constantFrom(...INPUT.mcpTools),
      arguments: fc.oneof(
        fc.record(
          {
            ip: fc.oneof(address(), hostileText()),
            ips: fc.array(address(), { maxLength: 7 }),
            lang: fc.constantFrom("en", "zh", "xx"),
            factorId: fc.constantFrom("hosting", "tor", "__proto__"),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue({ maxDepth: 3 }),
      ),
      protocolVersion: fc.constantFrom("2025-06-18", "2024-11-05", "x"),
      capabilities: fc.constant({}),
      clientInfo: fc.constant({ name: "x", version: "1" }),
      _meta: fc.constantFrom(
        {},
        {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      ),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0"),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom(...INPUT.mcpMethods),
      params,
    },
    { requiredKeys: ["method"] },
  );
}

/** Follows one reference. */
function resolve<Value extends { readonly $ref?: string }>(document: Description, value: Value): Value {
  const [section, name] = value.$ref?.split("/").slice(-2) ?? [];
  if (section === undefined || name === undefined) return value;
  // References of a document that was checked lead to their own kind.
  return document.components[section]?.[name] as Value;
}

/** Any character in a path that a client can send. */
function escapeUnsendable(text: string): string {
  return text.replaceAll(/[\s#?&\u0000-\u0020\u007f-\uffff]/g, (one) => {
    try {
      return encodeURIComponent(one);
    } catch {
      return "%ED%A0%80";
    }
  });
}
