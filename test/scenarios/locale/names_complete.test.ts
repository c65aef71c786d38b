import { expect, test } from "bun:test";
import { nameFamily } from "#locale";
import { SOURCES } from "#sources";
import { readSourceFiles } from "../../architecture/source_files.ts";
import { SERVER } from "../../fixtures/assessments.ts";
import { reportOf } from "../../render/full_reports.ts";

test("every source family has a name in both languages, and a family of one source has the name of that source", () => {
  const families = Map.groupBy(SOURCES, ({ family }) => family);
  expect(families.size).toBeGreaterThan(50);
  for (const [family, sources] of families) {
    const [chinese, english] = [nameFamily(family, "zh"), nameFamily(family, "en")];
    // A name that is equal to its id is written in the table all the same.
    if (family !== "ipdata") expect([chinese, english]).not.toContain(family);
    if (chinese === english && sources.length === 1) expect(english).toBe(sources[0]?.name ?? "");
  }
});

test("every detail of a failure has a Chinese text", () => {
  const literal = /new UpstreamError\(\s*"\w+",\s*"([^"]+)"/g;
  const reason = /reason: "([^"]+)"/g;
  const details = readSourceFiles("src")
    .filter(({ module }) => module === "sources" || module === "upstream")
    .flatMap(({ code }) =>
      [...code.matchAll(literal), ...code.matchAll(reason)].map(([, text]) => text ?? ""),
    );
  expect(details.length).toBeGreaterThan(30);
  for (const detail of new Set(details)) {
    const source = {
      id: "x",
      name: "X",
      kind: "free",
      state: "failed",
      ms: 1,
      error: "shape",
      detail,
    } as const;
    const report = reportOf({ ...SERVER, sources: [source] }, "zh");
    expect(
      report.sources[0]?.error?.replace(/DNS|FORMERR|HTTPS?|JSON|NOTIMP|RDAP|REFUSED|SERVFAIL|UTF/g, ""),
      detail,
    ).not.toMatch(/[A-Za-z]{4}/);
  }
});
