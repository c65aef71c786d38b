import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import { type RunningService, setUp } from "#kit";
import { ReportSchema } from "#report";

const setup = setUp("each");
let service: RunningService;

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await setup.start({ LIMPID_EXEMPT_CLIENTS: "", ...env });
}

/** The client of the SDK after its handshake. It checks every result with the output schema of the tool. */
async function connect(path = "/mcp"): Promise<Client> {
  const client = new Client({ name: "limpid-test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(path, service.url));
  // The types of the SDK do not work with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  setup.keep(client);
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

describe("limpid serve: POST /mcp with the SDK's own client", () => {
  test("shakes hands and calls each tool, in both languages", async () => {
    await start({ LIMPID_BASE_URL: "https://limpid.example", LIMPID_OPEN_PER_DAY: "20" });
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: "limpid" });
    expect(client.getInstructions()).toContain("No risk signals does not mean safe");
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
    setup.upstreams.forget();
    const rest = await (await fetch(`${service.url}/api/lookup?ip=8.8.4.77&lang=en`)).json();
    expect(setup.upstreams.queryCount()).toBe(0);
    expect(structuredContent).toMatchObject({ ...(rest as object), source: "fresh" });
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
    expect(setup.upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(1);
  });
});
