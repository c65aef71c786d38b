import { describe, expect, test } from "bun:test";
import { EXIT, ExitError } from "#app";
import { COMMANDS, type CommandContext, runProgram } from "#cli";
import { ROW_FORMATS } from "../../src/cli/batch/rows.ts";
import { describeCommand, describeUsage } from "../../src/cli/commands.ts";
import { SHELLS } from "../../src/cli/completions.ts";
import { EXPORT_FORMATS } from "../../src/cli/export/formats.ts";
import REFUSALS from "../fixtures/cli_refusals.json";

/** Runs the program without a configuration, and returns its exit code and what it printed. */
async function run(args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = "";
  const unused = () => expect.unreachable("the command must not get this far");
  const context: CommandContext = {
    paths: { fonts: "", migrations: "", packages: "", seed: "", static: "", program: [] },
    version: "1.2.3",
    now: () => 0,
    readConfig: unused,
    openLog: unused,
    warn: unused,
    terminal: { language: "en", isTerminal: false, hasColour: false },
    readInput: unused,
    async write(part) {
      text += part;
    },
    announce: unused,
    abortOnSignal: unused,
    waitForSignal: unused,
    waitForLauncherEnd: unused,
    exit: unused,
  };
  return { code: await runProgram(args, context), text };
}

describe("describeUsage", () => {
  test("names every command", () => {
    const usage = describeUsage("1.2.3", COMMANDS);
    expect(usage).toStartWith("limpid 1.2.3: ");
    for (const { name } of COMMANDS) expect(usage).toContain(`\n  ${name}`);
  });

  test("fits a terminal of 80 columns, as the help of each command does", () => {
    const texts = [describeUsage("1.2.3", COMMANDS), ...COMMANDS.map(describeCommand)];
    for (const line of texts.join("").split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

test("commands offer exactly the formats and shells that the code knows", () => {
  const formatsOf = (command: string) =>
    COMMANDS.find(({ name }) => name === command)?.options.find(({ name }) => name === "format")?.values;
  expect(formatsOf("batch")).toEqual(ROW_FORMATS);
  expect(formatsOf("export")).toEqual(Object.keys(EXPORT_FORMATS));
  expect(COMMANDS.find(({ name }) => name === "completions")?.words).toEqual(SHELLS);
});

describe("runProgram", () => {
  test.each([["version"], ["--version"], ["-V"], ["-v"]])("prints the version for %s", async (option) => {
    expect(await run([option])).toEqual({ code: 0, text: "1.2.3\n" });
  });

  test.each([["--help"], ["-h"], ["help"]])("prints the help for %s", async (option) => {
    expect(await run([option])).toEqual({ code: 0, text: describeUsage("1.2.3", COMMANDS) });
  });

  test.each(COMMANDS.map((command) => ({ command, name: command.name })))(
    "prints the help of $name, whatever else is given",
    async ({ command, name }) => {
      const { code, text } = await run([name, "--help"]);
      expect(code).toBe(0);
      expect(text).toStartWith(`Usage: limpid ${name}`);
      for (const option of [...command.options.map((one) => one.name), "help"])
        expect(text).toContain(`--${option}`);
      expect(await run([name, "-h"])).toEqual({ code, text });
      expect(await run([name, "x", "--nope", "--help", "y"])).toEqual({ code, text });
      expect(await run(["help", name])).toEqual({ code, text });
    },
  );

  test.each(REFUSALS as [string[], string][])(
    "refuses %j with the exit code for wrong usage",
    async (args, message) => {
      const problem = await run(args).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(ExitError);
      expect(problem).toMatchObject({
        code: EXIT.usage,
        message: expect.stringMatching(new RegExp(message)),
      });
    },
  );
});
