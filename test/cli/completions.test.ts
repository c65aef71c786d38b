import { describe, expect, test } from "bun:test";
import { COMMANDS } from "#cli";
import { readToEnd } from "#kit";
import { SHELLS, writeCompletions } from "../../src/cli/completions.ts";

async function completeInBash(words: readonly string[]): Promise<string[]> {
  const script = `${writeCompletions("bash", COMMANDS)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_limpid; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { out, err } = await readToEnd(Bun.spawn(["bash", "-c", script], { stdout: "pipe", stderr: "pipe" }));
  expect(err).toBe("");
  return out.trim().split("\n");
}

describe("writeCompletions", () => {
  test("lets bash complete commands, words, options and their values", async () => {
    expect(await completeInBash(["limpid", "l"])).toEqual(["lookup"]);
    expect(await completeInBash(["limpid", "feeds", "u"])).toEqual(["update"]);
    expect(await completeInBash(["limpid", "lookup", "192.0.2.1", "--fa"])).toEqual(["--fail-below"]);
    expect(await completeInBash(["limpid", "lookup", "--lang", ""])).toEqual(["zh", "en"]);
    expect(await completeInBash(["limpid", "batch", "package.j"])).toEqual(["package.json"]);
  });

  test.each([...SHELLS])("names every command and option in %s", (shell) => {
    const script = writeCompletions(shell, COMMANDS);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toContain(option.name);
    }
  });
});
