import { expect, test } from "bun:test";
import { localize, nameFamily } from "#locale";
import { SOURCES } from "#sources";
import { readSourceFiles } from "../../architecture/source_files.ts";
import { SERVER } from "../../fixtures/assessments.ts";

test("every source family has a name in both languages", () => {
  const families = new Set(SOURCES.map(({ family }) => family));
  expect(families.size).toBeGreaterThan(50);
  // A name that is equal to its id is written in the table all the same.
  const equal = ["ipdata", "ipquery", "ipregistry"];
  for (const language of ["zh", "en"] as const) {
    const unnamed = [...families].filter((family) => nameFamily(family, language) === family);
    expect(unnamed.filter((family) => !equal.includes(family))).toEqual([]);
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
    const report = localize(
      { ...SERVER, sources: [source] },
      { language: "zh", tier: "fresh", stale: false, reportUrl: "https://limpid.example/" },
    );
    expect(
      report.sources[0]?.error?.replace(/DNS|FORMERR|HTTPS?|JSON|NOTIMP|RDAP|REFUSED|SERVFAIL|UTF/g, ""),
      detail,
    ).not.toMatch(/[A-Za-z]{4}/);
  }
});
