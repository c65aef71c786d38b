import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dailyLimit, SOURCES } from "#sources";
import { writeConfigExample } from "../../src/build/config_example.ts";

const settings = {
  live: true,
  allowNoncommercial: false,
  off: new Set<string>(),
  secrets: new Map<string, string>(),
};
const sources = SOURCES.map((source) => {
  const daily = dailyLimit(source, settings, new Map());
  return {
    id: source.id,
    name: source.name,
    ...(source.secret === undefined ? {} : { secret: source.secret }),
    ...(daily === undefined ? {} : { daily }),
  };
});
const path = join(import.meta.dir, "../../.env.example");

describe("writeConfigExample()", () => {
  test("is what .env.example says (UPDATE_GOLDEN=1 writes it)", () => {
    const example = writeConfigExample(sources);
    if (Bun.env.UPDATE_GOLDEN === "1") writeFileSync(path, example);
    expect(readFileSync(path, "utf8")).toBe(example);
  });

  test("sets nothing: every line is a comment or empty", () => {
    const lines = writeConfigExample(sources).split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
    expect(lines).toContain("# LIMPID_PORT=8080");
    expect(lines).toContain("# LIMPID_PROXYCHECK_KEY=");
    expect(lines).toContain("# LIMPID_PROXYCHECK_DAILY=95");
  });
});
