import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createTemporaryFolder } from "#kit";

const folder = createTemporaryFolder("limpid-mcp-");
const client = new Client({ name: "limpid-test", version: "1.0.0" });
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [join(import.meta.dir, "../../../src/main.ts"), "mcp"],
  env: { PATH: Bun.env.PATH ?? "", LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0", LIMPID_FEEDS: "0" },
  stderr: "ignore",
});

beforeAll(async () => {
  // The types of the SDK do not work with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
}, 30_000);

afterAll(async () => {
  await client.close();
});

describe("limpid mcp, with the SDK's own client", () => {
  test("offers the tools of POST /mcp, without the limits of visitors", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "lookup_ip",
      "compare_ips",
      "explain_factor",
      "service_limits",
    ]);
    for (let last = 1; last <= 8; last += 1) {
      const { isError, structuredContent } = await client.callTool({
        name: "lookup_ip",
        arguments: { ip: `46.4.84.${last}` },
      });
      expect([isError, structuredContent]).toMatchObject([undefined, { ip: `46.4.84.${last}` }]);
      expect(structuredContent).not.toHaveProperty("openLookupsLeft");
    }
    const { content } = await client.callTool({ name: "service_limits", arguments: {} });
    expect(content).toEqual([{ type: "text", text: "No limits apply to this connection.\n" }]);
  });

  test("answers messages that arrive together, each with its own id", async () => {
    const ids = ["hosting", "vpn", "proxy", "tor_exit"];
    const results = await Promise.all(
      ids.map((id) => client.callTool({ name: "explain_factor", arguments: { id } })),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toMatchObject(
      ids.map((id) => ({ id })),
    );
  });

  test("gives a report as a resource", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["report://{address}"]);
    for (const [uri, ip] of [
      ["report://46.4.84.25", "46.4.84.25"],
      ["report://[2a01:4f8::1]", "2a01:4f8::1"],
      ["report://2a01%3A4f8%3A%3A1", "2a01:4f8::1"],
    ] as const) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: "text/plain" }]);
      expect(JSON.stringify(contents)).toContain(ip);
    }
  });

  test.each([
    "report://",
    "report://nonsense",
    "report://46.4.84.25/x",
    "file:///etc/passwd",
    "report://%E0%A4",
  ])("refuses the resource %s", async (uri) => {
    await expect(client.readResource({ uri })).rejects.toThrow(
      "Cannot read resource: expected report://{address}",
    );
  });

  test.each([
    ["en", "Is the IP address 46.4.84.25 fit for this use: "],
    ["zh", "IP 地址 46.4.84.25 是否适合这一用途："],
  ])("asks whether an address is fit for a use: %s", async (lang, beginning) => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["fit_for_use"]);
    const args = { address: "46.4.84.25", use: "streaming", lang };
    const { messages } = await client.getPrompt({ name: "fit_for_use", arguments: args });
    expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    const [{ content } = { content: undefined }] = messages;
    expect(content?.type === "text" && content.text.startsWith(beginning)).toBe(true);
  });

  test.each([
    [{ use: "ai" }, "`address` is not an IP address"],
    [{ address: "46.4.84.25", use: "spam" }, "One of ai, social, streaming, gaming, ecommerce, email."],
  ])("refuses the prompt with %j", async (args, why) => {
    await expect(
      client.getPrompt({ name: "fit_for_use", arguments: args as Record<string, string> }),
    ).rejects.toThrow(why);
  });
});

test("answers every line, also one that is no message, and ends with 0 when its input ends", async () => {
  const lines = [
    '{"broken',
    "[]",
    "5",
    `{"jsonrpc":"2.0","id":8,"method":"${"x ".repeat(6_000_000)}"}`,
    `{"jsonrpc":"2.0","id":9,"method":"ping","params":${'{"a":'.repeat(500)}1${"}".repeat(501)}`,
    '{"jsonrpc":"2.0","id":7,"method":"ping"}',
  ];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../../src/main.ts"), "mcp"], {
    env: { PATH: Bun.env.PATH ?? "", LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0", LIMPID_FEEDS: "0" },
    stdin: new TextEncoder().encode(`${lines.join("\n\r\n")}\n`),
    stdout: "pipe",
    stderr: "ignore",
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const failed = (errorCode: number, why: string) =>
    `{"jsonrpc":"2.0","error":{"code":${errorCode},"message":"Cannot read message: ${why}"}}`;
  expect(out.trimEnd().split("\n").toSorted()).toEqual(
    [
      '{"result":{},"jsonrpc":"2.0","id":7}',
      failed(-32_600, "batches are not supported, send one message"),
      failed(-32_600, "it is longer than 16 kB"),
      failed(-32_600, "it is nested too deeply or names __proto__"),
      failed(-32_600, "it is not a JSON object"),
      failed(-32_700, "it is not JSON in UTF-8"),
    ].toSorted(),
  );
  expect(code).toBe(0);
}, 30_000);
