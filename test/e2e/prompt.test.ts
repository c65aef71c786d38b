import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, findProgram, readToEnd, setUpService } from "#kit";
import { PROJECT, readDocument } from "../docs/list_documents.ts";

/** Runs deploy/prompt/limpid_prompt.sh, and the blocks of docs/api/prompt.md in the real shells. */
const SCRIPT = join(PROJECT, "deploy/prompt/limpid_prompt.sh");
const { blocks } = readDocument("docs/api/prompt.md");
const blockOf = (language: string) => blocks.find((block) => block.language === language)?.code ?? "";

const EXIT = "8.8.4.77";
const MINUTE_MS = 60_000;

const service = setUpService({ LIMPID_TRUSTED_PROXIES: "127.0.0.1/32" });
/** Stands between the shell and limpid, as the way out does: limpid sees the address of the exit. */
let wayOut: ReturnType<typeof Bun.serve>;
/** What answers instead of limpid. */
let instead: (() => Response | Promise<Response>) | undefined;
let requests = 0;
let home: string;

beforeAll(() => {
  wayOut = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requests += 1;
      if (instead !== undefined) return instead();
      const { pathname, search } = new URL(request.url);
      return fetch(service.url + pathname + search, { headers: { "x-forwarded-for": EXIT } });
    },
  });
});
afterAll(() => wayOut?.stop(true));
beforeEach(() => {
  home = createTemporaryFolder("limpid-prompt-");
  mkdirSync(join(home, ".local/bin"), { recursive: true });
  symlinkSync(SCRIPT, join(home, ".local/bin/limpid_prompt.sh"));
  instead = undefined;
  requests = 0;
});

const cache = (name = "") => join(home, ".cache", `limpid_prompt${name}`);
const url = () => `http://127.0.0.1:${wayOut.port}`;

async function run(...command: readonly string[]) {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: home,
    env: { PATH: Bun.env.PATH ?? "", HOME: home, LC_ALL: "C.UTF-8" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return { ...(await readToEnd(child)), ms: performance.now() - startedAt };
}

const prompt = () => run(SCRIPT, url());

async function waitFor(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isDone(); tries += 1) await Bun.sleep(25);
  if (!isDone()) throw new Error("the prompt's file was not renewed");
}

/** The answer to a prompt after the file was renewed. */
async function renewed(): Promise<string> {
  await prompt();
  await waitFor(() => existsSync(cache()));
  return (await prompt()).out;
}

function age(name: string, minutes: number): void {
  const then = new Date(Date.now() - minutes * MINUTE_MS);
  utimesSync(cache(name), then, then);
}

const line = (text: string) => () => new Response(`${text}\n`);
const GOOD_LINE = "87 clean residential native DE flags:- confidence:high ip:8.8.4.77";

describe("limpid_prompt.sh", () => {
  test("prints a question mark first, then the score of the own exit", async () => {
    const first = await prompt();
    expect([first.out, first.err, first.code]).toEqual(["?", "", 0]);
    await waitFor(() => existsSync(cache()));
    const { purity, level } = (
      (await (await fetch(`${service.url}/api/lookup?ip=${EXIT}`)).json()) as {
        readonly risk: { readonly purity: number; readonly level: string };
      }
    ).risk;
    expect((await prompt()).out).toMatch(new RegExp(`^${purity}(?:\\?| ${level}) US$`));
  });

  test("asks once in five minutes, whatever the answer, and shows an answer for an hour", async () => {
    instead = line(GOOD_LINE);
    expect(await renewed()).toBe("87 clean DE");
    for (let times = 0; times < 5; times += 1) await prompt();
    expect(requests).toBe(1);
    instead = () => new Response("busy", { status: 503 });
    age(".asked", 6);
    expect((await prompt()).out).toBe("87 clean DE");
    await waitFor(() => requests === 2);
    for (let times = 0; times < 5; times += 1) await prompt();
    expect(requests).toBe(2);
    age("", 61);
    expect((await prompt()).out).toBe("?");
  });

  test("does not wait for a server that hangs", async () => {
    instead = () => new Promise<Response>(() => {});
    const { out, ms } = await prompt();
    expect(out).toBe("?");
    expect(ms).toBeLessThan(2000);
    await waitFor(() => requests === 1);
  });

  test("marks a low confidence, and knows nothing of an address that is not public", async () => {
    instead = line(GOOD_LINE.replace("high", "low").replace("87 clean", "not_enough_data:69 -"));
    expect(await renewed()).toBe("69? DE");
    rmSync(cache());
    rmSync(cache(".asked"));
    instead = line("- - unknown unknown - flags:bogon confidence:low ip:127.0.0.1");
    expect(await renewed()).toBe("?");
  });

  test.each([
    "$(touch injected)",
    "87 clean residential native DE flags:$(touch injected) confidence:high ip:x",
    "87 cl%F{red}ean residential native DE flags:- confidence:high ip:x",
    "87 clean `touch injected` native DE flags:- confidence:high ip:x",
    "\u001b[31m87 clean residential native DE flags:- confidence:high ip:x",
    "<html>",
    "",
    "x".repeat(100_000),
  ])("shows nothing of an answer of another form: %#", async (text) => {
    instead = line(text);
    await prompt();
    await waitFor(() => requests === 1);
    await Bun.sleep(200);
    expect((await prompt()).out).toBe("?");
    expect(readdirSync(home)).not.toContain("injected");
    expect(readdirSync(join(home, ".cache"))).toEqual(["limpid_prompt.asked"]);
  });

  test("shows only the first line, and nothing that follows the fields", async () => {
    instead = line(`${GOOD_LINE} $(touch injected)\n$(touch injected)`);
    expect(await renewed()).toBe("87 clean DE");
  });

  test("works without a home", async () => {
    const { exitCode, stdout } = Bun.spawnSync([SCRIPT, url()], { env: { PATH: Bun.env.PATH ?? "" } });
    expect([exitCode, String(stdout)]).toEqual([0, "?"]);
    expect(requests).toBe(0);
  });
});

describe.each([
  ["bash", 'printf %s "$' + '{PS1@P}"', ["--norc", "-c"], /^\[87 clean DE\] /],
  ["zsh", 'print -rnP -- "$PROMPT"', ["-f", "-c"], /^\[87 clean DE\] /],
  ["fish", "fish_right_prompt", ["--no-config", "-c"], /^87 clean DE$/],
] as const)("the block for %s", (program, show, args, like) => {
  test.skipIf(findProgram(program) === undefined)("shows the score, without a word about jobs", async () => {
    instead = line(GOOD_LINE);
    await renewed();
    age(".asked", 6);
    const text = blockOf(program).replaceAll("https://ip.example.org", url());
    const { out, err, code } = await run(findProgram(program) ?? "", ...args, `${text}\n${show}`);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toMatch(like);
    await waitFor(() => requests === 2);
  });
});

test("the block for starship runs the script", () => {
  const { custom } = Bun.TOML.parse(blockOf("toml")) as {
    readonly custom: { readonly limpid: { readonly command: string; readonly when: boolean } };
  };
  expect(custom.limpid.command).toBe("~/.local/bin/limpid_prompt.sh https://ip.example.org");
  expect(custom.limpid.when).toBe(true);
  expect(readFileSync(SCRIPT, "utf8")).toStartWith("#!/bin/sh\n");
});
