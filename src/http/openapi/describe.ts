import { toOpenAPISchema } from "@elysiajs/openapi";
import type { AnyElysia } from "elysia";
import type * as v from "valibot";
import type { Format } from "../plugins/request_context.ts";
import { HEADERS, INFO, SECURITY_SCHEMES, TAGS } from "./components.ts";
import { listExamples } from "./examples.ts";
import { type Described, describedOf, describeSchema, type Models, refer } from "./schemas.ts";
import { describeResponses } from "./describe_responses.ts";

/** The version that `openapi` states. */
const OPENAPI_VERSION = "3.1.0";

/** One path that a route serves to the public, where its pattern stands for several or for another one. */
interface PublicPath extends Described {
  readonly path: string;
  readonly format: Format;
  readonly mediaType: string;
}

/** A route of the app, as far as the description needs it. */
interface DeclaredRoute {
  readonly path: string;
  readonly method: string;
  readonly hooks: {
    readonly response?: Readonly<Record<string, unknown>>;
    readonly detail?: Described & { readonly "x-paths"?: readonly PublicPath[] };
  };
}

/**
 * The OpenAPI description of the app. `@elysiajs/openapi` generates operations, parameters, bodies and schemas from the
 * routes. This function adds what the plugin cannot express: headers, examples, problems, and the several paths below
 * `/ip/{ip}`. Responses that occur more than once become components.
 */
export function describeApp(app: AnyElysia, baseUrl: string): Described {
  // Elysia protects the member, and the plugin reads it too. All models are valibot schemas.
  const { type: models } = (app as unknown as { readonly definitions: { readonly type: Models } }).definitions;
  const generated = toOpenAPISchema(
    app,
    { staticFile: false },
    undefined,
    { valibot: (schema: v.GenericSchema) => describeSchema(schema, models) },
    OPENAPI_VERSION,
  );
  const schemas = Object.fromEntries(
    Object.entries(models).map(([name, schema]) => [name, describeSchema(schema, models, true)]),
  );
  const paths: Record<string, Record<string, Described>> = {};
  // Elysia types its routes with all of its own types.
  for (const route of app.routes as readonly DeclaredRoute[]) {
    if (route.hooks.detail?.hide === true) continue;
    const pattern = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const method = route.method.toLowerCase();
    const operation = describedOf(describedOf(generated.paths[pattern])[method]);
    for (const [path, completed] of completeOperation(route, operation, { baseUrl, pattern, models, schemas }))
      paths[path] = { ...paths[path], [method]: completed };
  }
  const components = {
    schemas,
    securitySchemes: SECURITY_SCHEMES,
    examples: listExamples(baseUrl),
    headers: Object.fromEntries(
      Object.entries(HEADERS).map(([name, [description, example]]) => [
        name,
        { description, schema: { type: "string" }, example },
      ]),
    ),
  };
  const shared = shareResponses(paths);
  return {
    openapi: OPENAPI_VERSION,
    info: INFO,
    servers: [{ url: baseUrl, description: "This service." }],
    security: [],
    tags: TAGS,
    paths: shared.paths,
    components: { ...components, responses: shared.responses },
  };
}

interface Surroundings {
  readonly baseUrl: string;
  /** The path of the route, as OpenAPI writes it. */
  readonly pattern: string;
  readonly models: Models;
  readonly schemas: Described;
}

function completeOperation(
  { hooks }: DeclaredRoute,
  operation: Described,
  { baseUrl, pattern, models, schemas }: Surroundings,
): readonly (readonly [path: string, operation: Described])[] {
  const { "x-paths": _, requestBody, ...rest } = operation;
  const parameters = itemsOf(operation.parameters).map(liftDescription);
  const body = requestBody === undefined ? {} : { requestBody: describeBody(requestBody, schemas) };
  const describe = (shown: { readonly format?: Format; readonly mediaType?: string }) =>
    describeResponses(hooks.response ?? {}, { ...shown, baseUrl, pattern, models });
  const publicPaths = hooks.detail?.["x-paths"];
  if (publicPaths === undefined)
    return [[pattern, { ...rest, parameters, ...body, responses: describe({}) }]];
  return publicPaths.map(({ path, format, mediaType, ...detail }) => [
    path,
    {
      ...rest,
      ...detail,
      parameters: parameters.map((one) => (one.in === "path" ? { ...one, name: "ip" } : one)),
      responses: describe({ format, mediaType }),
    },
  ]);
}

/** OpenAPI describes a parameter beside its schema, not in it. */
function liftDescription(parameter: Described): Described {
  const { description, ...schema } = describedOf(parameter.schema);
  return { ...parameter, description, schema };
}

function describeBody(requestBody: unknown, schemas: Described): Described {
  const content = describedOf(describedOf(describedOf(requestBody).content)["application/json"]);
  const schema = describedOf(content.schema);
  const name = String(schema.$ref ?? "").replace(/^.*\//, "");
  const { examples } = describedOf(schemas[name] ?? schema);
  const example = Array.isArray(examples) ? { example: examples[0] } : {};
  return {
    description: "At most 16 kB.",
    required: true,
    content: { "application/json": { schema, ...example } },
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** Moves responses that occur more than once into components named `Status404`, `Status404_2` and so on. */
function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Described } {
  const all = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) => Object.entries(describedOf(responses))),
  );
  const counts = new Map<string, number>();
  for (const [, response] of all) {
    const text = JSON.stringify(response);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};
  for (const [status, response] of all) {
    const text = JSON.stringify(response);
    if ((counts.get(text) ?? 0) < 2 || names.has(text)) continue;
    const others = Object.keys(shared).filter((name) => name.startsWith(`Status${status}`)).length;
    const name = others === 0 ? `Status${status}` : `Status${status}_${others + 1}`;
    names.set(text, name);
    shared[name] = response;
  }
  const share = (response: unknown): unknown => {
    const name = names.get(JSON.stringify(response));
    return name === undefined ? response : refer("responses", name);
  };
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) => ({
        ...operation,
        responses: mapValues(describedOf(operation.responses), share),
      })),
    ),
    responses: shared,
  };
}

/** The description with responses and examples in place of their references, as the docs page shows them. */
export function resolveReferences(document: Described): Described {
  const components = describedOf(document.components);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const [, kind = "", name = ""] =
      /^#\/components\/(responses|examples)\/(.+)$/.exec(String(describedOf(value).$ref)) ?? [];
    if (kind !== "") return resolve(describedOf(components[kind])[name]);
    return mapValues(describedOf(value), resolve);
  };
  return { ...document, paths: resolve(document.paths) };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

function itemsOf(value: unknown): readonly Described[] {
  return Array.isArray(value) ? value : [];
}
