import { describe, expect, test } from "bun:test";
import { findProgram, setUp, setUpService } from "#kit";
import { type Block, listDocuments } from "../docs/list_documents.ts";
import { runBlock } from "../docs/run_block.ts";

/**
 * Runs the blocks of sh, js and python under docs/api/, and those under docs/operators/ with `limpid` or `operator`.
 * Marks: `operator`: the client has no limits; `refused`: the client has no allowance; `limpid`: the block calls the
 * program; `database`: it has one report; `integrations`: the block uses the folder of this name.
 * A block `output` after another is its whole output; `…` stands for any text on a line. Of `output like` only the shape is
 * compared: other words and numbers may stand in the place of those shown.
 */
const recipes = listDocuments().flatMap(({ path, blocks }) =>
  blocks.flatMap((block, at) => {
    if (!isRun(path, block)) return [];
    const next = blocks[at + 1];
    const expected = next?.language === "output" ? next.code : undefined;
    return [{ name: `${path}:${block.line}`, block, expected, isLike: next?.info === "like" }];
  }),
);

/** All blocks for callers; for operators the blocks that call the program. */
function isRun(path: string, { language, info }: Block): boolean {
  if (!["sh", "js", "python"].includes(language)) return false;
  return path.startsWith("docs/api/") || (path.startsWith("docs/operators/") && /limpid|operator/.test(info));
}

const WANTS = { sh: ["curl", "jq", "python3"], js: [], python: ["python3"] } as const;
const python = findProgram("python3") ?? "";

function isMissing({ language }: Block): boolean {
  const wanted = WANTS[language as keyof typeof WANTS];
  return wanted.some((program) => findProgram(program) === undefined);
}

describe("recipes", () => {
  const setup = setUp("all");
  const generous = {
    LIMPID_EXEMPT_CLIENTS: "",
    LIMPID_LOOKUPS_PER_MINUTE: "1000",
    LIMPID_NEW_PER_MINUTE: "1000",
    LIMPID_OPEN_PER_DAY: "1000",
    LIMPID_OPEN_PER_MINUTE: "1000",
    LIMPID_OPEN_DAILY_TOTAL: "1000",
  };
  const service = setUpService(generous, setup);
  const strict = setUpService({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "0" }, setup);
  const exempt = setUpService({}, setup);

  for (const { name, block, expected, isLike } of recipes) {
    test.skipIf(isMissing(block))(name, async () => {
      const words = block.info.split(" ");
      const { url } = words.includes("refused") ? strict : words.includes("operator") ? exempt : service;
      const env = words.includes("limpid") ? setup.upstreams.env : {};
      const { code, out } = await runBlock(block, { url, env, python });
      expect(code, out).toBe(0);
      if (expected !== undefined && isLike) expect(shapeOf(out)).toBe(shapeOf(expected));
      else if (expected !== undefined) expect(out).toMatch(patternOf(expected));
    });
  }

  test("are there in every language", () => {
    expect(recipes.length).toBeGreaterThan(20);
    expect(new Set(recipes.map(({ block }) => block.language))).toEqual(new Set(["sh", "js", "python"]));
  });
});

/** The output with `x` for each word and number. */
function shapeOf(output: string): string {
  return output.replaceAll(/[^\s:;=,"(){}[\]]+/g, "x");
}

/** The whole output, where `…` stands for any text within a line. */
function patternOf(expected: string): RegExp {
  const quoted = expected.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${quoted.join("[^\\n]*")}$`);
}
