import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "#cli";
import { createTemporaryFolder, findProgram, readToEnd } from "#kit";
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

  test.skipIf(findProgram("zsh") === undefined)(
    "completes in zsh from the first call of a file",
    async () => {
      const folder = createTemporaryFolder("limpid-zsh-");
      await Bun.write(join(folder, "_limpid"), writeCompletions("zsh", COMMANDS));
      const script = `fpath=(${folder} $fpath); autoload -Uz _limpid; _describe() { print $1; }; compdef() { print late; }
words=(limpid ""); CURRENT=2; _limpid`;
      const { out } = await readToEnd(
        Bun.spawn(["zsh", "-f", "-c", script], { stdout: "pipe", stderr: "pipe" }),
      );
      expect(out).toBe("command\n");
    },
  );

  test.each([...SHELLS])("names every command and option in %s", (shell) => {
    const script = writeCompletions(shell, COMMANDS);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toContain(option.name);
    }
  });
});
