import { describe, expect, test } from "bun:test";
import { dailyLimit, SOURCES } from "#sources";
import { writeConfigExample } from "../../src/build/config_example.ts";
import { matchGolden } from "../kit/golden.ts";

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

describe("writeConfigExample()", () => {
  test("returns the content of .env.example", () => {
    matchGolden(".env.example", writeConfigExample(sources));
  });

  test("sets nothing: every line is a comment or empty", () => {
    const lines = writeConfigExample(sources).split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
    expect(lines).toContain("# LIMPID_PORT=8080");
    expect(lines).toContain("# LIMPID_PROXYCHECK_KEY=");
    expect(lines).toContain("# LIMPID_PROXYCHECK_DAILY=95");
  });
});
