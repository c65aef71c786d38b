import { describe, expect, test } from "bun:test";
import type { AnyElysia } from "elysia";
import * as v from "valibot";
import { ProblemSchema, ReportSchema } from "#report";
import { resolveReferences } from "../../../src/http/openapi/describe.ts";
import { matchGolden } from "../../kit/golden.ts";
import { document, openApp, openapi } from "../kit/open_app.ts";

interface Operation {
  readonly operationId: string;
  readonly "x-in-english"?: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
    readonly description?: string;
  }[];
  readonly responses: Record<
    string,
    {
      readonly description: string;
      readonly headers?: Record<string, unknown>;
      readonly content?: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>;
    }
  >;
}
const resolved = resolveReferences(document);
const paths = resolved.paths as Record<string, { readonly get: Operation; readonly post?: Operation }>;

/** Each operation with its parameters, and its statuses with their media types. */
function listOperations(): string {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, responses }]) => {
      const taken = parameters.map(({ in: place, name, required, schema }) => {
        const type = schema.enum?.join("|") ?? schema.type;
        return `${place} ${name}: ${type}${required === true ? " (required)" : ""}`;
      });
      const statuses = Object.entries(responses).map(([status, { content }]) =>
        content === undefined ? status : `${status} ${Object.keys(content).toSorted().join("|")}`,
      );
      return [
        `${method.toUpperCase()} ${path}`,
        `  operationId: ${operationId}`,
        `  parameters: ${taken.length === 0 ? "none" : taken.join(", ")}`,
        `  responses: ${statuses.join(", ")}`,
      ].join("\n");
    }),
  );
  return `${entries.toSorted().join("\n")}\n`;
}

describe("describeApp()", () => {
  test("describes the operations, parameters, statuses and media types of the golden list", () => {
    matchGolden("test/fixtures/golden/openapi_operations.txt", listOperations());
  });

  test("is at most 112 kB for programs, without pages, and says each parameter and response once", () => {
    expect(Buffer.byteLength(JSON.stringify(openapi))).toBeLessThan(112_000);
    const listed = Object.keys(openapi.paths as object);
    expect(
      listed.filter((path) => /^\/(?:en|static|docs|method|card|robots|sitemap|favicon)/.test(path)),
    ).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(["/api/lookup", "/ip/{ip}.json", "/mcp", "/metrics", "/"]));
    const { parameters, responses } = openapi.components as Record<string, Record<string, unknown>>;
    for (const shared of [parameters, responses]) {
      const texts = Object.values(shared ?? {}).map((one) => JSON.stringify(one));
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  test("has a target for every reference", () => {
    for (const one of [document, openapi]) {
      const components = one.components as Record<string, Record<string, unknown>>;
      for (const [, kind = "", name = ""] of JSON.stringify(one).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
        expect(Object.keys(components[kind] ?? {}), `${kind} ${name}`).toContain(name);
    }
  });

  test("contains exactly the routes of the app, in both languages", () => {
    const app: AnyElysia = openApp().app;
    const mounted = new Set(
      app.routes.map(({ path }: { path: string }) => path.replaceAll(/:(\w+)/g, "{$1}")),
    );
    // One pattern of the router serves every format of a report or a network. The golden list above contains each path.
    const described = Object.entries(paths).flatMap(([path, { get }]) => {
      const pattern = path
        .replace(/\/(ip|badge)\/\{ip\}(?:\.[\w.]+)?$/, "/$1/{name}")
        .replace(/\/(net|as)\/(.+\})\.\w+$/, "/$1/$2");
      const english = path === "/" ? "/en" : `/en${pattern}`;
      return get?.["x-in-english"] === true ? [pattern, english] : [pattern];
    });
    expect([...new Set(described)].toSorted()).toEqual([...mounted].toSorted());
  });

  test("has unique operation ids, and describes parameters and statuses", () => {
    const operations = Object.values(paths).map(({ get, post }) => post ?? get);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, parameters, responses } of operations) {
      for (const parameter of parameters)
        expect(parameter.description, `${operationId} ${parameter.name}`).toBeString();
      for (const status of ["414", "500"]) expect(Object.keys(responses)).toContain(status);
    }
  });

  test("has examples of a clean and a bad report, a 403 and a 429 that match their schemas", () => {
    const responses: Operation["responses"] = paths["/api/lookup"]?.get.responses ?? {};
    const reports = responses["200"]?.content?.["application/json"]?.examples ?? {};
    expect(Object.keys(reports)).toEqual(["clean_zh", "bad_zh", "clean_en", "bad_en"]);
    for (const { value } of Object.values(reports)) {
      const report = v.parse(ReportSchema, value);
      expect(report).toEqual(value as typeof report);
      const { purity, factors } = report.risk;
      expect(100 - factors.reduce((sum, factor) => sum + factor.points, 0)).toBe(purity);
      expect(report.untranslated ?? []).toEqual([]);
    }
    for (const status of ["400", "403", "429", "500", "503"]) {
      const examples = responses[status]?.content?.["application/json"]?.examples ?? {};
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const { value } of Object.values(examples))
        expect(v.parse(ProblemSchema, value)).toEqual(value as never);
    }
  });

  test("describes the security and the refusals of a POST", () => {
    for (const path of ["/api/verify", "/api/feedback"]) {
      const operation = paths[path]?.post;
      for (const response of Object.values(operation?.responses ?? {})) {
        expect(Object.keys(response.headers ?? {})).not.toContain("Access-Control-Allow-Origin");
      }
      const forbidden = operation?.responses["403"]?.content?.["application/json"]?.examples ?? {};
      expect(Object.keys(forbidden)).toContain("cross_site");
      expect(operation?.responses["403"]?.description).toContain("Only pages of this site");
      for (const { value } of Object.values(forbidden))
        expect(v.parse(ProblemSchema, value)).toEqual(value as never);
    }
    expect(document.components).toMatchObject({
      securitySchemes: { pass: { type: "apiKey", in: "cookie", name: "limpid_pass" } },
    });
  });

  test("has an example of every 403 reason and both 429 codes of a lookup, and names the allowance header once", () => {
    const responses: Operation["responses"] = paths["/api/lookup"]?.get.responses ?? {};
    const examples = (status: string) => responses[status]?.content?.["application/json"]?.examples ?? {};
    expect(Object.keys(examples("403"))).toEqual(["client_day", "total_day", "refresh"]);
    expect(responses["403"]?.description).not.toContain("pages of this site");
    expect(Object.keys(examples("429"))).toEqual(["rate_limited", "open_rate_limited"]);
    const naming = Object.keys(responses).filter((status) =>
      Object.hasOwn(responses[status]?.headers ?? {}, "x-open-budget-remaining"),
    );
    expect(naming).toEqual(["200"]);
  });

  test("describes whole numbers as integers", () => {
    type Schemas = Record<string, { properties: Record<string, unknown> }>;
    const { schemas } = document.components as { schemas: Schemas };
    expect(schemas.Report?.properties.version).toMatchObject({ type: "integer", enum: [4, 6] });
  });
});
