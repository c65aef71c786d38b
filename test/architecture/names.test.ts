import { describe, expect, test } from "bun:test";
import WORDS from "./retired_words.json";
import { readSourceFiles } from "./source_files.ts";

/** Words that names no longer use, and the word of the field that replaces each. AGENTS.md explains the vocabulary. */
const RETIRED: Readonly<Record<string, string>> = WORDS;

/** Expressions of several words. */
const RETIRED_PHRASES = /leadTo|notHere|knownLine|findKnownNow/i;

/** Names that keep a retired word in its ordinary sense: the endpoint `/gate`, shells such as bash, single flight. */
const KEPT = /^(?:gateRoutes?|Gate(?:Query\w*|Rule|Verdict)|judgeGate|SHELLS|Shell|\w*[sS]ingleFlight\w*)$/;

function listExports(code: string): readonly string[] {
  const names: string[] = [];
  const declared =
    /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  for (const match of code.matchAll(declared)) names.push(match[1] ?? "");
  for (const match of code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
    for (const part of (match[1] ?? "").split(",")) {
      const name = part
        .trim()
        .replace(/^type /, "")
        .split(/\s+as\s+/)
        .at(-1);
      if (name !== undefined && name !== "") names.push(name);
    }
  }
  return names;
}

/** The words of a name in camelCase or CONSTANT_CASE, in lower case, without a plural s. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .split(" ")
    .map((word) => (Object.hasOwn(RETIRED, word) ? word : word.replace(/s$/, "")));
}

function findRetired(name: string): readonly string[] {
  if (KEPT.test(name)) return [];
  const words = wordsOf(name).filter((word) => Object.hasOwn(RETIRED, word));
  return [
    ...words.map((word) => `${word} (use: ${RETIRED[word]})`),
    ...(RETIRED_PHRASES.test(name) ? [name] : []),
  ];
}

describe("exported names", () => {
  test("use no retired word", () => {
    const wrong = readSourceFiles("src").flatMap(({ path, code }) =>
      listExports(code).flatMap((name) => findRetired(name).map((word) => `${path}: ${name}: ${word}`)),
    );
    expect(wrong).toEqual([]);
  });

  test("of files use no retired word", () => {
    const wrong = readSourceFiles("src").filter(({ path }) => {
      const name = path.split("/").at(-1)?.replace(".ts", "") ?? "";
      return name !== "gate" && name !== "single_flight" && findRetired(name).length > 0;
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("are found by the check itself", () => {
    const code =
      "export function leadTo() {}\nexport type { BudgetTicket, A as PermitBooks };\nexport const OK = 1;";
    expect(listExports(code)).toEqual(["leadTo", "OK", "BudgetTicket", "PermitBooks"]);
    expect(listExports(code).filter((name) => findRetired(name).length > 0)).toEqual([
      "leadTo",
      "BudgetTicket",
      "PermitBooks",
    ]);
  });
});
