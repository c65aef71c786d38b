import { toOpenAPISchema } from "@elysiajs/openapi";
import type { AnyElysia } from "elysia";
import type * as v from "valibot";
import type { Format } from "../context.ts";
import type { Cost } from "../responses.ts";
import COMPONENTS from "./components.json" with { type: "json" };
import { describeResponses, EVERY_STATUS, type ResponseOptions } from "./describe_responses.ts";
import { listExamples } from "./examples.ts";
import { type DescribedService, describeInfo } from "./info.ts";
import { type Described, describedOf, describeSchema, type Models, REPORT_PARTS, refer } from "./schemas.ts";

/** The version that `openapi` states. */
const OPENAPI_VERSION = "3.1.0";

/** Stands in `components.json` for a header that is on every answer, so that no response names it. */
export const EVERY_ANSWER = "every answer";

/** The tag of pages and of their files, which no program calls. */
const PAGES = "Pages";

/** A public path of a route whose pattern stands for several paths or for a different path. */
interface PublicPath extends Described {
  readonly path: string;
  /** Absent where the client chooses the format. */
  readonly format?: Format;
  readonly mediaType?: string;
  /** Parameters of the route that this path does not offer. */
  readonly omits?: readonly string[];
  /** What a request costs, where it is less than the route declares. */
  readonly cost?: Cost | undefined;
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
 * `/ip/{ip}`. Parameters and responses that occur more than once become components. A path with `/en` in front answers
 * as the path without it does, so only that one is described; `x-in-english` notes that it exists. For programs, the
 * pages are left out.
 */
export function describeApp(
  app: AnyElysia,
  service: DescribedService,
  readers: "programs" | "people" = "people",
): Described {
  // Elysia declares the member as protected; the plugin reads it too. All models are valibot schemas.
  const { definitions } = app as unknown as { readonly definitions: { readonly type: Models } };
  const models: Models = { ...definitions.type, ...REPORT_PARTS };
  const generated = toOpenAPISchema(
    app,
    { staticFile: false },
    undefined,
    { valibot: (schema: v.GenericSchema) => describeSchema(schema, models) },
    OPENAPI_VERSION,
  );
  const schemas = mapValues(models, (schema, name) => {
    const described = describeSchema(schema, models, true);
    return name === "ReportPart" && readers === "programs" ? omitDescriptions(described) : described;
  });
  // Generators and mock servers need no long examples; the docs page shows them.
  const examples = listExamples(service, readers === "people");
  const surroundings = { models, schemas, examples };
  // Elysia's type of the routes contains all its type parameters.
  const routes = app.routes as readonly DeclaredRoute[];
  const english = new Set(routes.map(({ path }) => path).filter((path) => /^\/en(?:\/|$)/.test(path)));
  const paths: Record<string, Record<string, Described>> = {};
  for (const route of routes) {
    if (route.hooks.detail?.hide === true || english.has(route.path)) continue;
    const pattern = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const method = route.method.toLowerCase();
    const operation = describedOf(describedOf(generated.paths[pattern])[method]);
    for (const [path, completed] of completeOperation(route, operation, { pattern, ...surroundings })) {
      if (readers === "programs" && String(completed.tags) === PAGES) continue;
      const twin = readers === "people" && english.has(`/en${route.path}`.replace(/\/$/, ""));
      paths[path] = { ...paths[path], [method]: twin ? { ...completed, "x-in-english": true } : completed };
    }
  }
  const shared = shareRepeated(paths);
  const used = JSON.stringify([shared.paths, shared.responses]);
  return {
    openapi: OPENAPI_VERSION,
    info: describeInfo(service),
    servers: [{ url: service.baseUrl, description: "This service." }],
    security: [],
    tags: COMPONENTS.tags.filter(({ name }) => readers === "people" || name !== PAGES),
    paths: shared.paths,
    components: {
      schemas,
      securitySchemes: COMPONENTS.securitySchemes,
      headers: mapValues<HeaderFacts, Described>(COMPONENTS.headers, describeHeader),
      parameters: shared.parameters,
      responses: shared.responses,
      examples: Object.fromEntries(
        Object.entries(examples).filter(([name]) => used.includes(`"#/components/examples/${name}"`)),
      ),
    },
  };
}

/** Omits the descriptions of fields that a part of a report has in common with the whole one. */
function omitDescriptions({ properties, ...schema }: Described): Described {
  const plain = Object.entries(describedOf(properties)).map(([name, field]) => {
    const { description: _, ...rest } = describedOf(field);
    return [name, rest] as const;
  });
  return { ...schema, properties: Object.fromEntries(plain) };
}

interface Surroundings {
  /** The path of the route, as OpenAPI writes it. */
  readonly pattern: string;
  readonly models: Models;
  readonly schemas: Described;
  readonly examples: Described;
}

function completeOperation(
  { hooks }: DeclaredRoute,
  operation: Described,
  { pattern, models, schemas, examples }: Surroundings,
): readonly (readonly [path: string, operation: Described])[] {
  const { "x-paths": _, requestBody, ...rest } = operation;
  const parameters = itemsOf(operation.parameters).map(liftDescription);
  const body = requestBody === undefined ? {} : { requestBody: describeBody(requestBody, schemas) };
  const describe = (shown: Pick<ResponseOptions, "format" | "mediaType" | "cost">) =>
    describeResponses(hooks.response ?? {}, { ...shown, models, examples });
  const publicPaths = hooks.detail?.["x-paths"];
  if (publicPaths === undefined)
    return [[pattern, { ...rest, parameters, ...body, responses: describe({}) }]];
  return publicPaths.map(({ path, format, mediaType, cost, omits = [], ...detail }) => [
    path,
    {
      ...rest,
      ...detail,
      parameters: parameters
        .filter(({ name }) => !omits.includes(String(name)))
        .map((one) => (one.in === "path" && path.includes("{ip}") ? { ...one, name: "ip" } : one)),
      responses: describe({ format, mediaType, cost }),
    },
  ]);
}

/** OpenAPI describes a parameter beside its schema, not in it. */
function liftDescription(parameter: Described): Described {
  const { description, ...schema } = describedOf(parameter.schema);
  return { ...parameter, description, schema };
}

/** A route that reads its body itself describes it, and the description is kept. */
function describeBody(requestBody: unknown, schemas: Described): Described {
  if (describedOf(requestBody).description !== undefined) return describedOf(requestBody);
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

/** A header. A response does not name one that accompanies another: the document would be a third longer. */
interface HeaderFacts {
  readonly description: string;
  readonly example: string;
  /** The other header, or {@link EVERY_ANSWER}. */
  readonly accompanies?: string;
}

function describeHeader({ description, example, accompanies: other }: HeaderFacts, name: string): Described {
  const with_ =
    other === EVERY_ANSWER ? " On every answer." : other === undefined ? "" : ` Comes with ${other}.`;
  const errors = EVERY_STATUS.includes(name) ? " Errors have it too if the 200 names it." : "";
  return {
    description: `${description}${with_}${errors}`,
    schema: { type: "string" },
    example,
    ...(other === undefined ? {} : { "x-accompanies": other }),
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** Moves parameters and responses that occur more than once into components. */
function shareRepeated(paths: Paths) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = createSharing(
    "parameters",
    operations.flatMap((operation) =>
      itemsOf(operation.parameters).map((one) => [String(one.name), one] as const),
    ),
  );
  const responses = createSharing(
    "responses",
    operations.flatMap((operation) =>
      Object.entries(describedOf(operation.responses)).map(
        ([status, one]) => [`Status${status}`, one] as const,
      ),
    ),
  );
  return {
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) => ({
        ...operation,
        parameters: itemsOf(operation.parameters).map(parameters.share),
        responses: mapValues(describedOf(operation.responses), responses.share),
      })),
    ),
    parameters: parameters.shared,
    responses: responses.shared,
  };
}

/** Gives values that occur more than once a name: `Status404`, `Status404_2` and so on. */
function createSharing(
  kind: "parameters" | "responses",
  all: readonly (readonly [name: string, value: unknown])[],
): { readonly shared: Described; readonly share: (value: unknown) => unknown } {
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};
  for (const [text, [first, second]] of Map.groupBy(all, ([, value]) => JSON.stringify(value))) {
    if (first === undefined || second === undefined) continue;
    const [name, value] = first;
    let unique = name;
    for (let at = 2; Object.hasOwn(shared, unique); at += 1) unique = `${name}_${at}`;
    names.set(text, unique);
    shared[unique] = value;
  }
  return {
    shared,
    share(value) {
      const name = names.get(JSON.stringify(value));
      return name === undefined ? value : refer(kind, name);
    },
  };
}

/** Resolves all references except those to schemas and headers, for the docs page. */
export function resolveReferences(document: Described): Described {
  const components = describedOf(document.components);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const [, kind = "", name = ""] =
      /^#\/components\/(parameters|responses|examples)\/(.+)$/.exec(String(describedOf(value).$ref)) ?? [];
    if (kind !== "") return resolve(describedOf(components[kind])[name]);
    return mapValues(describedOf(value), resolve);
  };
  return { ...document, paths: resolve(document.paths) };
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

function itemsOf(value: unknown): readonly Described[] {
  return Array.isArray(value) ? value : [];
}
