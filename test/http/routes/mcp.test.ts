import { beforeAll, describe, expect, test } from "bun:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import fc from "fast-check";
import * as v from "valibot";
import { type Assessment, ReportSchema } from "#report";
import MCP from "../../fixtures/http/mcp.json";
import { runs } from "../../kit/runs.ts";
import { type AppOptions, leave, openApp, openShared, surveying, type TestLookup } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

type TestApp = ReturnType<typeof openApp>;
type Tree = { readonly [name: string]: unknown };

interface Rpc {
  readonly jsonrpc: "2.0";
  readonly id?: unknown;
  readonly result?: Tree;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Tree };
}

interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Tree;
  readonly isError?: boolean;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Tree & { readonly properties: Record<string, unknown> };
  readonly outputSchema: Tree;
  readonly annotations: Tree;
}

function send(
  testApp: TestApp,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/mcp",
): Promise<Response> {
  return testApp.ask(path, {
    method: "POST",
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function rpcOf(response: Response): Promise<Rpc> {
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  // The assertions check its format.
  const rpc = (await response.json()) as Rpc;
  expect(rpc.jsonrpc).toBe("2.0");
  return rpc;
}

/** A message in the latest version. */
function messageOf(method: string, params: Tree = {}) {
  return {
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { "mcp-protocol-version": "2025-11-25" },
  };
}

async function call(testApp: TestApp, name: string, args: Tree = {}, path = "/mcp") {
  const { body, headers } = messageOf("tools/call", { name, arguments: args });
  const response = await send(testApp, body, headers, path);
  const { result } = await rpcOf(response);
  expect(response.status).toBe(200);
  // The format is that of the protocol; the tests check its parts.
  return { response, result: result as unknown as Result };
}

async function list(testApp: TestApp): Promise<readonly Tool[]> {
  const { body, headers } = messageOf("tools/list");
  const { result } = await rpcOf(await send(testApp, body, headers));
  return result?.tools as readonly Tool[];
}

const textOf = (result: Result) => result.content.map(({ text }) => text).join("\n");

/** The message that opens a connection in a version. */
function initializeWith(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return { jsonrpc: "2.0", id: "a", method: "initialize", params };
}

/** A lookup whose reports have these sources. */
function lookupWith(sourcesOf: (address: string) => Assessment["sources"]): TestLookup {
  return async (request, signal, admissions) => {
    const result = await surveying(request, signal, admissions);
    if (result.kind !== "answer") return result;
    const assessment = { ...result.answer.assessment, sources: sourcesOf(request.address.text) };
    return { ...result, answer: { ...result.answer, assessment } };
  };
}

/** The JSON error of a refused call. */
function refusalIn(result: Result): Tree {
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  return JSON.parse(result.content[1]?.text ?? "");
}

const overloaded: TestLookup = async () => ({ kind: "overloaded", retryAfterMs: 2_500, limits: [] });
const notInMirror: TestLookup = async () => ({ kind: "not_in_mirror", limits: [] });

tables("mcp_calls", { surveying, overloaded, notInMirror });

describe("POST /mcp: versions", () => {
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
    test(`accepts initialize with version ${version}`, async () => {
      const testApp = openApp();
      const { result } = await rpcOf(await send(testApp, initializeWith(version)));
      expect(result).toMatchObject({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: "limpid", version: "9.9.9" },
        instructions: expect.stringContaining("never call an address safe"),
      });
      const done = await send(
        testApp,
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { "mcp-protocol-version": version },
      );
      expect(done.status).toBe(202);
      expect(await done.text()).toBe("");
      expect(done.headers.get("mcp-session-id")).toBeNull();
    });
  }

  test("answers initialize with an unknown version by its latest version", async () => {
    const { result } = await rpcOf(await send(openShared(), initializeWith("1999-01-01")));
    expect(result?.protocolVersion).toBe("2025-11-25");
  });

  test("ignores the version header of initialize", async () => {
    const response = await send(openShared(), initializeWith("2025-11-25"), {
      "mcp-protocol-version": "2099-01-01",
    });
    expect((await rpcOf(response)).result?.protocolVersion).toBe("2025-11-25");
  });

  test("serves a client without a version header", async () => {
    const { result } = await rpcOf(await send(openShared(), { jsonrpc: "2.0", id: 1, method: "tools/list" }));
    expect(result?.tools).toHaveLength(4);
  });

  test.each(["2026-07-28", "2099-01-01"])(
    "answers %s, which the SDK does not support, with the error of the SDK",
    async (version) => {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const response = await send(openShared(), body, { "mcp-protocol-version": version });
      expect(response.status).toBe(400);
      const { error } = await rpcOf(response);
      expect(error?.code).toBe(-32_000);
      expect(error?.message).toContain(SUPPORTED_PROTOCOL_VERSIONS[0] ?? "?");
    },
  );
});

/** A message, and the status and the code of its refusal. The error has no id unless `id` is given. */
type Refused = readonly [
  name: string,
  body: unknown,
  status: number,
  code: number,
  more?: { readonly headers?: Record<string, string>; readonly options?: AppOptions; readonly id?: number },
];

const listMessage = { jsonrpc: "2.0", id: 7, method: "tools/list" };
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const REFUSED: readonly Refused[] = [
  ...(MCP.refused as readonly unknown[] as readonly Refused[]),
  ["17 kB", { ...listMessage, pad: "x".repeat(17_000) }, 413, -32_600],
  ["2 700 levels", deep(2_700), 400, -32_600],
];

describe("POST /mcp: refuses", () => {
  test.each(REFUSED)("%s", async (_, body, status, code, { headers = {}, options = {}, id } = {}) => {
    const testApp = openApp(options);
    const response = await send(testApp, body, headers);
    expect(response.status).toBe(status);
    const rpc = await rpcOf(response);
    expect(rpc.error?.code).toBe(code);
    if (id === undefined) expect([undefined, null]).toContain(rpc.id as null);
    else expect(rpc.id).toBe(id);
    expect(testApp.logs).toEqual([]);
    expect(testApp.calls).toEqual([]);
  });

  test("33 nested levels, and accepts 32", async () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep(levels - 1)}}`;
    expect((await send(openShared(), nested(32))).status).toBe(200);
    const refused = await send(openShared(), nested(33));
    expect(refused.status).toBe(400);
    expect((await rpcOf(refused)).error?.message).toContain("nested too deeply");
  });

  test("no page of this site, and on loopback no page of the same machine", async () => {
    const own = await send(openShared(), listMessage, { origin: "https://limpid.test" });
    expect(own.status).toBe(200);
    expect(own.headers.get("access-control-allow-origin")).toBeNull();
    for (const origin of ["http://localhost:6274", "http://127.0.0.1:8080", "http://[::1]:1"]) {
      const testApp = openApp({ baseUrl: "http://127.0.0.1:8080" });
      expect((await send(testApp, listMessage, { origin })).status, origin).toBe(200);
    }
  });
});

describe("tools/list", () => {
  let tools: readonly Tool[];
  beforeAll(async () => {
    tools = await list(openShared());
  });

  test("lists four tools in a fixed order, and none that returns the client's address", async () => {
    const names = tools.map(({ name }) => name).join(" ");
    expect(names).toBe("lookup_ip compare_ips explain_factor service_limits");
  });

  test("has strict inputs, outputs, and annotations", () => {
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(Object.keys(inputSchema.properties), name).toContain("lang");
      expect(Array.isArray(outputSchema.required), name).toBe(true);
      expect(outputSchema, name).toMatchObject({ type: "object" });
      expect(annotations, name).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: name === "lookup_ip" || name === "compare_ips",
      });
    }
    expect(tools[1]?.inputSchema.properties.ips).toMatchObject({ type: "array", minItems: 2, maxItems: 5 });
  });

  test("describes the cost of a lookup and how not to interpret it", () => {
    for (const { description } of tools.slice(0, 2)) {
      for (const said of MCP.said) expect(description).toMatch(new RegExp(said));
    }
    expect(tools[0]?.description).toMatch(/unknown, not clean/);
    expect(tools[0]?.description).toMatch(/verification_required do not retry/);
  });

  test("requires the fields of a brief report, describes every field of the REST report, and adds its own", () => {
    const properties = tools[0]?.outputSchema.properties as Tree;
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(Object.keys(ReportSchema.pipe[0].entries)),
    );
    expect(tools[0]?.outputSchema.required).toEqual(
      expect.arrayContaining(["ip", "risk", "unknowns", "reportUrl", "unavailableSources"]),
    );
  });
});

describe("tools/call", () => {
  test(`every result matches its output schema, in both languages`, async () => {
    const testApp = openApp({
      lookup: surveying,
      limits: { lookups: 200, fresh: 200, openPerDay: 200, openPerMinute: 200 },
    });
    const validators = new Map(
      (await list(testApp)).map(({ name, outputSchema }) => [
        name,
        new AjvJsonSchemaValidator().getValidator(outputSchema as never),
      ]),
    );
    const calls: readonly (readonly [string, Tree])[] = [
      ["lookup_ip", { ip: "198.51.100.7" }],
      ["lookup_ip", { ip: "[2001:db8::7]" }],
      ["lookup_ip", { ip: "198.51.100.7", detail: "full" }],
      ["compare_ips", { ips: ["198.51.100.7", "198.51.100.8"] }],
      ["compare_ips", { ips: ["198.51.100.7", "nonsense", "198.51.100.8"] }],
      ["compare_ips", { ips: ["198.51.100.7", "nonsense", "198.51.100.8"], detail: "full" }],
      ["service_limits", {}],
      ...testApp.deps.method.rules.map(({ id }) => ["explain_factor", { id }] as const),
      ["explain_factor", { id: "rounding" }] as const,
    ];
    for (const lang of ["en", "zh"]) {
      for (const [name, args] of calls) {
        const { result } = await call(testApp, name, { ...args, lang });
        const asked = `${name} ${JSON.stringify(args)} ${lang}`;
        expect(result.isError, asked).toBeUndefined();
        const checked = validators.get(name)?.(result.structuredContent);
        expect(checked?.errorMessage, asked).toBeUndefined();
        expect(checked?.valid, asked).toBe(true);
        const isChinese = /\p{Script=Han}/u.test(textOf(result));
        expect(isChinese, asked).toBe(lang === "zh");
        if (name === "service_limits") continue;
        for (const line of textOf(result).split("\n"))
          expect(Bun.stringWidth(line), line).toBeLessThanOrEqual(72);
      }
    }
  });

  test(`lookup_ip with detail=full returns the REST report and the sources that did not answer`, async () => {
    const testApp = openApp();
    const { result } = await call(testApp, "lookup_ip", { ip: "198.51.100.7", lang: "en", detail: "full" });
    const rest = await (await testApp.ask("/api/lookup?ip=198.51.100.7&lang=en")).json();
    const unavailableSources = [{ name: "Source B", state: "failed", why: "did not answer in time" }];
    expect(result.structuredContent).toEqual({ ...(rest as Tree), unavailableSources, openLookupsLeft: 5 });
    expect(v.parse(ReportSchema, result.structuredContent).unknowns).not.toEqual([]);
    const text = textOf(result);
    expect(text).toStartWith(await (await testApp.ask("/en/ip/198.51.100.7.txt")).text());
    expect(text).toMatch(/not\s+clean:\s+Source\s+B\s+\(did\s+not\s+answer\s+in\s+time\)/);
    expect(text).toContain("Whether the address is truly exclusive");
    expect(text).toContain("https://limpid.test/en/ip/198.51.100.7");
  });

  test("lists a skipped source as skipped, with the reason", async () => {
    const lookup = lookupWith(() => [
      { id: "c", name: "Source C", kind: "free", state: "skipped", ms: 0, skipped: "no_key" },
      { id: "d", name: "Source D", kind: "free", state: "empty", ms: 3 },
    ]);
    const { result } = await call(openApp({ lookup }), "lookup_ip", {
      ip: "198.51.100.7",
      lang: "en",
      detail: "full",
    });
    expect(result.structuredContent?.unavailableSources).toEqual([
      { name: "Source C", state: "skipped", why: expect.stringMatching(/key/) },
    ]);
  });

  test("removes control characters from the text of a source", async () => {
    const lookup = lookupWith(() => [
      {
        id: "c",
        name: "S\u{1b}[31m",
        kind: "free",
        state: "failed",
        ms: 0,
        error: "status",
        detail: "\u{202e}evil\u{7}\n",
      },
    ]);
    for (const [name, args] of [
      ["lookup_ip", { ip: "198.51.100.7" }],
      ["lookup_ip", { ip: "198.51.100.7", detail: "full" }],
      ["compare_ips", { ips: ["198.51.100.7", "198.51.100.8"], detail: "full" }],
    ] as const) {
      const { result } = await call(openApp({ lookup }), name, args);
      expect(textOf(result)).toContain("\\u{1b}");
      expect(textOf(result)).not.toMatch(/[\u{1b}\u{7}\u{202e}]/u);
    }
  });

  test.each([
    ["/mcp", undefined, "en"],
    ["/mcp?lang=zh", undefined, "zh"],
    ["/mcp?lang=zh", "en", "en"],
    ["/mcp", "zh", "zh"],
  ])("%s with the argument lang %s answers in %s", async (path, lang, answered) => {
    const args = { ip: "198.51.100.7", ...(lang === undefined ? {} : { lang }) };
    const { result } = await call(openShared(), "lookup_ip", args, path);
    expect(result.structuredContent?.lang ?? "zh").toBe(answered);
    expect(/\p{Script=Han}/u.test(textOf(result))).toBe(answered === "zh");
  });
});

const INVALID: readonly (readonly [name: string, args: Tree, code: string])[] = [
  ...(MCP.invalid as readonly unknown[] as readonly (readonly [string, Tree, string])[]),
  ["lookup_ip", { ip: "x".repeat(5_000) }, "invalid_ip"],
];

describe("tools/call: invalid arguments", () => {
  for (const [name, args, code] of INVALID) {
    test(`${name} ${JSON.stringify(args).slice(0, 60)} is ${code}, in the language of the call`, async () => {
      const testApp = openApp();
      const english = await call(testApp, name, args);
      // An unknown language is refused in both.
      const inBoth = args.lang !== undefined;
      expect(refusalIn(english.result)).toMatchObject({
        code,
        error: inBoth ? expect.stringContaining("lang") : expect.not.stringMatching(/\p{Script=Han}/u),
      });
      expect(textOf(english.result)).toContain("says nothing about the address");
      expect(refusalIn((await call(testApp, name, args, "/mcp?lang=zh")).result).error).toMatch(
        /\p{Script=Han}/u,
      );
      expect(testApp.calls).toEqual([]);
    });
  }
});

describe("tools/call: cost", () => {
  test("in a comparison, refuses addresses over the limit and answers the others, in the requested order", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 1 } });
    const ips = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
    const { result } = await call(testApp, "compare_ips", { ips, lang: "en" });
    const results = result.structuredContent?.results as readonly Tree[];
    expect(results.map(({ ip }) => ip)).toEqual(ips);
    expect(results.filter(({ report }) => report !== undefined)).toHaveLength(1);
    const problems = results.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
    expect(problems).toHaveLength(2);
    expect(problems).toEqual(problems.map(() => expect.objectContaining({ code: "verification_required" })));
    expect(result.structuredContent).toMatchObject({
      unavailableSources: [{ name: "Source B", state: "failed" }],
      openLookupsLeft: 0,
    });
    expect(result.structuredContent?.unknowns).toHaveLength(1);
    expect(testApp.calls).toHaveLength(3);
  });

  test("in a comparison, lists failed sources for each address and skipped sources once", async () => {
    const lookup = lookupWith((address) => [
      { id: "c", name: "Source C", kind: "free", state: "skipped", ms: 0, skipped: "no_key" },
      address.endsWith("1")
        ? { id: "d", name: "Source D", kind: "free", state: "failed", ms: 3, error: "quota" }
        : { id: "d", name: "Source D", kind: "free", state: "answered", ms: 3 },
    ]);
    const ips = ["198.51.100.1", "198.51.100.2"];
    const { result } = await call(openApp({ lookup }), "compare_ips", { ips, lang: "en", detail: "full" });
    expect(result.structuredContent).toMatchObject({
      results: [{ report: { failedSources: [{ name: "Source D" }] } }, { report: { failedSources: [] } }],
      unavailableSources: [
        { name: "Source C", state: "skipped" },
        { name: "Source D", state: "failed" },
      ],
    });
    expect(textOf(result).match(/Source C/g)).toHaveLength(1);
    expect(textOf(result)).not.toContain("No source failed");
  });
});

describe("POST /mcp: errors", () => {
  test("an internal error is logged and answered without details", async () => {
    const testApp = openApp({
      async lookup() {
        throw new Error("no such table in /secret/place");
      },
    });
    const { response, result } = await call(testApp, "lookup_ip", { ip: "198.51.100.7", lang: "en" });
    expect(refusalIn(result)).toMatchObject({ code: "internal", hint: expect.stringContaining("request-1") });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(response.headers.get("x-request-id")).toBe("request-1");
    expect(testApp.logs).toMatchObject([
      { level: "error", event: "request_failed", fields: { requestId: "request-1" } },
    ]);
    const both = await call(testApp, "compare_ips", { ips: ["198.51.100.7", "198.51.100.8"] });
    expect(JSON.stringify(both.result)).not.toContain("secret");
    expect(refusalIn(both.result)).toMatchObject({ code: "internal" });
  });

  test("a client that disconnects is not logged", async () => {
    for (const [name, args] of [
      ["lookup_ip", { ip: "198.51.100.7" }],
      ["compare_ips", { ips: ["198.51.100.7", "198.51.100.8"] }],
    ] as const) {
      const { body, headers } = messageOf("tools/call", { name, arguments: args });
      await leave("/mcp", {
        method: "POST",
        headers: { ...JSON_HEADERS, ...headers },
        body: JSON.stringify(body),
      });
    }
  });

  test("any JSON gets a JSON-RPC answer, without an internal error or a stack trace", async () => {
    const testApp = openApp();
    const rpcLike = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double()),
        method: fc.constantFrom("initialize", "tools/list", "tools/call", "ping", "__proto__", ""),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              name: fc.constantFrom("service_limits", "explain_factor", "toString"),
              arguments: fc.jsonValue(),
              _meta: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), rpcLike),
        fc.constantFrom<Record<string, string>>({}, { "mcp-protocol-version": "2025-11-25" }),
        async (body, headers) => {
          const response = await send(testApp, JSON.stringify(body), headers);
          expect(response.status).toBeLessThan(500);
          if (response.status !== 202) await rpcOf(response);
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(testApp.logs).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
