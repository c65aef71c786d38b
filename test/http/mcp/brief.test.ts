import { describe, expect, test } from "bun:test";
import { assess } from "#lookup";
import type { Assessment } from "#report";
import { ASSESSMENTS } from "../../fixtures/assessments.ts";
import { fillSurvey } from "../../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../../scoring/archetypes.ts";
import { answered, answerOf, openApp } from "../kit/open_app.ts";

/** Longer than any real one: every report names it. */
const BASE_URL = "https://address-purity.a-long-name-of-a-department.example.org";

const KINDS = [
  ...Object.entries(ASSESSMENTS),
  // The names of the archetypes are known.
  ...(Object.keys(ARCHETYPES) as ArchetypeId[]).map(
    (name) => [name, assess(fillSurvey(ARCHETYPES[name], "failing"))] as const,
  ),
];

/** What the lookup answers. One app answers all calls, because creating it costs more than the calls. */
let assessed: Assessment | undefined;
const testApp = openApp({
  baseUrl: BASE_URL,
  exempt: ["203.0.113.0/24"],
  lookup: async ({ address }) => {
    const { text, version } = address;
    const assessment = { ...(assessed ?? expect.unreachable()), address: text, version };
    return answered(answerOf(address, {}, { stale: true, assessment }));
  },
});

async function call(assessment: Assessment, name: string, args: Record<string, unknown>) {
  assessed = assessment;
  const response = await testApp.ask("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as {
    result: {
      content: { text: string }[];
      structuredContent: Record<string, unknown> & { unknowns: { id: string }[] };
    };
  };
  return { result, text: result.content[0]?.text ?? "", bytes: Buffer.byteLength(JSON.stringify(result)) };
}

const LONG = Array.from({ length: 5 }, (_, n) => `2600:1234:5678:9abc:def1:2345:6789:abc${n}`);

describe.each(["en", "zh"])("a brief result in %s", (lang) => {
  test.each(KINDS)(
    "of lookup_ip about %s is under 3 kB and keeps what a conclusion needs",
    async (_, kind) => {
      const [ip = ""] = LONG;
      const { result, text, bytes } = await call(kind, "lookup_ip", { ip, lang });
      expect(bytes).toBeLessThan(3000);
      const full = await call(kind, "lookup_ip", { ip, lang, detail: "full" });
      expect(full.bytes).toBeGreaterThan(bytes);
      const { unknowns, risk, reportUrl, flags } = full.result.structuredContent as never as {
        unknowns: { id: string; label: string }[];
        risk: { purity: number; confidence: string; verdict: string };
        reportUrl: string;
        flags: object;
      };
      expect(result.structuredContent).toMatchObject({
        ip,
        risk: { purity: risk.purity, confidence: risk.confidence },
        flags,
        reportUrl,
      });
      expect(result.structuredContent.unknowns.map(({ id }) => id)).toEqual(unknowns.map(({ id }) => id));
      // A brief result names a source exactly if the report says that one is missing.
      const isMissing = unknowns.some(({ id }) => id === "unheard_sources");
      const { unavailableSources } = result.structuredContent as { unavailableSources?: { name: string }[] };
      if (isMissing) {
        const [first] = unavailableSources ?? [];
        expect(text.replaceAll(/\s+/g, "")).toContain(first?.name.replaceAll(/\s+/g, "") ?? "no source");
      }
      const plain = text.replaceAll(/\s+/g, "");
      for (const part of [risk.verdict, reportUrl, ...unknowns.map(({ label }) => label)])
        expect(plain).toContain(part.replaceAll(/\s+/g, ""));
      expect(text).toContain("detail=full");
    },
  );

  test.each(KINDS)("of compare_ips about five addresses like %s is under 3 kB", async (_, kind) => {
    const { result, bytes } = await call(kind, "compare_ips", { ips: LONG, lang });
    expect(bytes).toBeLessThan(3000);
    const results = result.structuredContent.results as { ip: string; report: Record<string, unknown> }[];
    expect(results.map(({ ip }) => ip)).toEqual(LONG);
    for (const [at, { report }] of results.entries())
      expect(report).toMatchObject({
        risk: { purity: kind.purity, level: kind.band },
        reportUrl: expect.stringContaining(LONG[at] ?? ""),
      });
  });
});
