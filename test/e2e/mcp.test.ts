import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { type RunningService, startService, startUpstreams, type TestUpstreams } from "#kit";
import { ReportSchema } from "#report";

let upstreams: TestUpstreams;
let service: RunningService;
const clients: Client[] = [];

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env: { ...upstreams.env, LIMPID_EXEMPT_CLIENTS: "", ...env } });
}

/** The client of the SDK after its handshake. It checks every result with the output schema of the tool. */
async function connect(path = "/mcp"): Promise<Client> {
  const client = new Client({ name: "limpid-test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(path, service.url));
  // The types of the SDK do not work with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  clients.push(client);
  // The client knows the output schemas only after it has listed the tools.
  await client.listTools();
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  // The result type of a call without an own schema.
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

function refusalIn(result: CallToolResult): Record<string, unknown> {
  expect(result.isError).toBe(true);
  const last = result.content.at(-1);
  return JSON.parse(last?.type === "text" ? last.text : "");
}

beforeEach(async () => {
  upstreams = await startUpstreams();
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await service.close();
  await upstreams.close();
});

describe("limpid serve: POST /mcp with the SDK's own client", () => {
  test("shakes hands, lists the tools and calls each, in both languages", async () => {
    await start({ LIMPID_BASE_URL: "https://limpid.example", LIMPID_OPEN_PER_DAY: "20" });
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: "limpid" });
    expect(client.getInstructions()).toContain("No risk signals does not mean safe");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "lookup_ip",
      "compare_ips",
      "explain_factor",
      "service_limits",
    ]);

    for (const lang of ["en", "zh"]) {
      const language = lang === "zh" ? /\p{Script=Han}/u : /^[^\p{Script=Han}]*$/u;
      const report = await call(client, "lookup_ip", { ip: "8.8.4.77", lang, detail: "full" });
      expect(report.isError).toBeFalsy();
      expect(v.parse(ReportSchema, report.structuredContent)).toMatchObject({ ip: "8.8.4.77" });
      expect(report.structuredContent).toMatchObject({
        unknowns: expect.anything(),
        unavailableSources: expect.anything(),
      });
      expect(textOf(report)).toMatch(language);
      expect(textOf(report)).toContain(`https://limpid.example${lang === "en" ? "/en" : ""}/ip/8.8.4.77`);

      const compared = await call(client, "compare_ips", {
        ips: ["8.8.4.77", "8.8.4.78", "2600::77", "10.0.0.1"],
        lang,
        detail: "full",
      });
      const results = compared.structuredContent?.results as readonly {
        ip: string;
        report: { risk: object };
      }[];
      expect(results.map(({ ip }) => ip)).toEqual(["8.8.4.77", "8.8.4.78", "2600::77", "10.0.0.1"]);
      expect(results[3]?.report).toMatchObject({ scenarioApplicable: false });
      expect(textOf(compared)).toMatch(language);

      const factor = await call(client, "explain_factor", { id: "hosting", lang });
      expect(factor.structuredContent).toMatchObject({ id: "hosting", points: 22 });
      expect(textOf(factor)).toMatch(language);

      const limits = await call(client, "service_limits", { lang });
      expect(limits.structuredContent).toMatchObject({
        lookupsPerMinute: 30,
        openPerDay: 20,
        openLookupsLeft: 17,
      });
    }
    expect(service.log()).not.toContain("request_failed");
  });

  test("is the same report and the same database as over HTTP", async () => {
    await start();
    const client = await connect("/mcp?lang=en");
    const { structuredContent } = await call(client, "lookup_ip", { ip: "8.8.4.77", detail: "full" });
    upstreams.forget();
    const rest = await (await fetch(`${service.url}/api/lookup?ip=8.8.4.77&lang=en`)).json();
    expect(upstreams.queryCount()).toBe(0);
    expect(structuredContent).toMatchObject({ ...(rest as object), source: "fresh" });
  });

  test("names the sources that failed, in the document and in the text", async () => {
    upstreams.gateway.on("proxycheck.io", /./, { status: 500 });
    await start();
    const client = await connect();
    const result = await call(client, "lookup_ip", { ip: "8.8.4.79", lang: "en", detail: "full" });
    const unheard = result.structuredContent?.unavailableSources as readonly {
      name: string;
      state: string;
      why: string;
    }[];
    expect(unheard).toContainEqual({ name: "proxycheck.io", state: "failed", why: expect.any(String) });
    expect(textOf(result).slice(-3000)).toMatch(/mean\s+clean:\s+proxycheck\.io \(answered/);
  });

  test("has the allowance of everybody, and leads to the page when it is used up", async () => {
    await start({ LIMPID_OPEN_PER_DAY: "2" });
    const client = await connect();
    expect((await call(client, "lookup_ip", { ip: "8.8.4.80" })).isError).toBeFalsy();
    expect((await fetch(`${service.url}/api/lookup?ip=8.8.4.81`)).status).toBe(200);
    upstreams.forget();
    const refused = await call(client, "lookup_ip", { ip: "8.8.4.82", lang: "en" });
    expect(refusalIn(refused)).toMatchObject({
      code: "verification_required",
      hint: expect.any(String),
      reportUrl: `${service.url}/en/ip/8.8.4.82`,
    });
    expect(upstreams.queryCount()).toBe(0);
    expect((await call(client, "lookup_ip", { ip: "8.8.4.80" })).isError).toBeFalsy();
    const mixed = await call(client, "compare_ips", { ips: ["8.8.4.80", "8.8.4.83"] });
    expect(mixed.isError).toBeFalsy();
    expect(mixed.structuredContent?.results).toMatchObject([
      { ip: "8.8.4.80", report: {} },
      { ip: "8.8.4.83", problem: { code: "verification_required" } },
    ]);
  });

  test("is refused by the minute like everybody", async () => {
    await start({ LIMPID_LOOKUPS_PER_MINUTE: "3" });
    const client = await connect();
    await call(client, "compare_ips", { ips: ["10.0.0.1", "10.0.0.2", "10.0.0.3"] });
    const refused = refusalIn(await call(client, "lookup_ip", { ip: "10.0.0.4" }));
    expect(refused).toMatchObject({ code: "rate_limited" });
    expect(refused.retryAfterSeconds).toBeWithin(1, 61);
    expect((await call(client, "service_limits", {})).isError).toBeFalsy();
  });

  test("answers many clients at once, each its own, with one survey for one address", async () => {
    await start({ LIMPID_LOOKUPS_PER_MINUTE: "1000", LIMPID_OPEN_PER_DAY: "100" });
    const many = await Promise.all(Array.from({ length: 6 }, () => connect()));
    const results = await Promise.all(
      many.flatMap((client, index) => [
        call(client, "lookup_ip", { ip: "8.8.4.90" }),
        call(client, "lookup_ip", { ip: `10.0.0.${index}`, lang: "en" }),
      ]),
    );
    expect(results.map(({ structuredContent }) => structuredContent?.ip)).toEqual(
      many.flatMap((_, index) => ["8.8.4.90", `10.0.0.${index}`]),
    );
    expect(upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(1);
  });

  test("is told of unknown tools and hostile arguments, and goes on", async () => {
    await start();
    const client = await connect();
    await expect(call(client, "my_ip", {})).rejects.toThrow("there are only lookup_ip");
    for (const ip of ["\u{1b}[31m", "<script>", "1.1.1.1' OR 1=1", "x".repeat(9_000), "８.8.8.8"]) {
      expect(refusalIn(await call(client, "lookup_ip", { ip }))).toMatchObject({ code: "invalid_ip" });
    }
    await expect(call(client, "lookup_ip", { ip: "x".repeat(20_000) })).rejects.toThrow("longer than 16 kB");
    const polluted = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_ip","arguments":{"__proto__":{"ip":"10.0.0.1"}}}}',
    });
    expect(polluted.status).toBe(400);
    const wrong = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://evil.example" },
      body: "{}",
    });
    expect(wrong.status).toBe(403);
    expect((await call(client, "lookup_ip", { ip: "10.0.0.1" })).isError).toBeFalsy();
    expect(service.log()).not.toContain("request_failed");
  });

  test("answers a client of a newer version with the SDK's ordinary error", async () => {
    await start();
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_000 } });
    expect(service.log()).not.toContain("request_failed");
  });
});
