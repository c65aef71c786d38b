/**
 * Runs every check of the project and ends with the plain line `N passed, N failed`.
 * `bun test/run.ts quick` = types, lint, tests without the slow proofs; `full` = all of them.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, PROGRAMS, type Program } from "./kit/find_program.ts";
import { readToEnd } from "./kit/read_to_end.ts";

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const project = join(import.meta.dir, "..");
const full = process.argv[2] === "full";
const tool = (name: string) => join(project, "node_modules/.bin", name);

async function runStep(name: string, command: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { cwd: project, stdout: "pipe", stderr: "pipe" });
  // Beside the tests it takes what they leave: some of them wait for milliseconds, and none of this does.
  setPriority(child.pid, 10);
  const { out, err, code } = await readToEnd(child);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code === 0) console.log(`ok    ${name} (${seconds} s)`);
  else console.log(`FAIL  ${name} (${seconds} s)\n${out}${err}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** A missing program skips its tests and says how to get it; where everything is to be tested it is a failure. */
function checkProgram(program: Program): Outcome {
  if (findProgram(program) !== undefined) return { passed: 0, failed: 0, skipped: 0 };
  const isWanted = Bun.env.CI === "true";
  const way = `\`apt-get install ${PROGRAMS[program].debian}\` brings it`;
  console.log(`${isWanted ? "FAIL" : "skip"}  ${program} is missing: ${way}`);
  return { passed: 0, failed: isWanted ? 1 : 0, skipped: 0 };
}

/** What a check may remember of the last one on this machine; without it everything is the same, only slower. */
const CACHE = join(project, "node_modules/.cache/limpid");
/** How long each file took, so that the longest begin first. */
const TIMINGS = join(CACHE, "test_timings.json");
/** Quick checks look anew at what an edit touches only. */
const TYPES = full ? [] : ["--incremental", "--tsBuildInfoFile", join(CACHE, "types.tsbuildinfo")];
/** Processes that share ordinary files; more than this only load the same rooms again. */
const WORKERS = Math.min(availableParallelism(), 4);

/** What is said again at the end, where a reader looks first: names of failed tests, and errors with their places. */
const MOST_LINES = 30;
const MOST_CHARACTERS = 400;
const again = new Set<string>();

function noteFailures(printed: string): void {
  let error: string[] | undefined;
  for (const line of printed.split("\n")) {
    if (line.startsWith("(fail) ")) again.add(line);
    if (/^(?:error|\w*Error): /.test(line)) error = [];
    if (error === undefined) continue;
    if (error.length < MOST_LINES || line.startsWith("      at ")) error.push(line.slice(0, MOST_CHARACTERS));
    // The place in a test's own file is the last that is told.
    if (!/^ {6}at .*\.test\.ts:\d/.test(line)) continue;
    again.add(error.join("\n"));
    error = undefined;
  }
}

/** Counted from the runner's own report file, so that the count does not hang on how its console looks. */
async function runTests(paths: readonly string[], flags: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-tests-"));
  const report = join(folder, "report.xml");
  try {
    const child = Bun.spawn(
      // A slow machine must not turn a long property into a failure; what must be quick says so itself.
      [
        process.execPath,
        "test",
        ...flags,
        "--timeout=60000",
        "--reporter=junit",
        `--reporter-outfile=${report}`,
        ...paths,
      ],
      { cwd: project, stdout: "pipe", stderr: "pipe" },
    );
    const { out, err, code } = await readToEnd(child);
    // Not `process.stdout.write`: to a slow reader that comes late, after what is logged next, or is lost at the exit.
    console.log(out + err);
    if (code !== 0) {
      noteFailures(out);
      noteFailures(err);
    }
    const root = /<testsuites[^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const read = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? Number.NaN);
    const failed = read("failures");
    const skipped = read("skipped");
    const passed = read("tests") - failed - skipped;
    if (Number.isNaN(passed) || passed === 0) return { passed: 0, failed: 1, skipped: 0 };
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
  } catch (error) {
    console.log(`FAIL  tests: ${String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Folders whose tests start whole processes and watch the clock: they run alone. */
const SLOW = ["slow", "client", "deploy", "docs", "e2e", "proof", "browser"];
/** Files of other folders that do the same, or take longer than a check between two edits may. */
const SLOW_FILES = ["http/mcp", "render/pages_valid"].map((name) => `./test/${name}.test.ts`);
const NO_TESTS = ["bench", "fixtures", "kit"];
const folders = readdirSync(join(project, "test"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NO_TESTS.includes(entry.name))
  .map((entry) => entry.name);
const filesOf = (names: readonly string[]) =>
  names.flatMap((name) =>
    readdirSync(join(project, "test", name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `./test/${name}/${file}`),
  );
const ordinary = filesOf(folders.filter((name) => !SLOW.includes(name))).filter(
  (file) => !SLOW_FILES.includes(file),
);

const outcomes: Outcome[] = [];
outcomes.push(await runStep("seed", [process.execPath, "src/build/seed.ts"]));
outcomes.push(
  ...(await Promise.all([
    runStep("types", [tool("tsc"), "--noEmit", ...TYPES]),
    runStep("lint and format", [tool("biome"), "check", "--error-on-warnings", "."]),
    // Between two edits a process's files share one world, which loads each room once; in the full run none sees another.
    runTests(
      ["./test/architecture.test.ts", ...ordinary],
      [
        `--parallel=${WORKERS}`,
        `--timings=${TIMINGS}`,
        "--update-timings",
        ...(full ? ["--isolate"] : ["--no-isolate"]),
      ],
    ),
  ])),
);
if (full) {
  outcomes.push(...(Object.keys(PROGRAMS) as Program[]).map(checkProgram));
  const missing = SLOW_FILES.filter((file) => !existsSync(join(project, file)));
  if (missing.length > 0) {
    console.log(`FAIL  slow tests that are not there: ${missing.join(", ")}`);
    outcomes.push({ passed: 0, failed: 1, skipped: 0 });
  }
  outcomes.push(
    await runTests(SLOW_FILES, ["--isolate"]),
    await runTests(filesOf(SLOW.filter((name) => folders.includes(name))), ["--isolate"]),
  );
}

const sum = (pick: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + pick(outcome), 0);
const failed = sum((outcome) => outcome.failed);
const skipped = sum((outcome) => outcome.skipped);
if (again.size > 0) console.log(`\nAgain, what failed:\n${[...again].join("\n")}\n`);
console.log(
  `${sum((outcome) => outcome.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
process.exit(failed === 0 ? 0 : 1);
