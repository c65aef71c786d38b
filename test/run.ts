/**
 * Runs the checks of the project and ends with the plain line `N passed, N failed`.
 * `bun test/run.ts quick` runs types, lint and the quick tests; `full` also runs the slow tests; `golden` renews
 * every golden file and generated document, `golden FOLDER...` only those of the tests in these folders. The output of
 * a test file with a failure is printed when the file ends.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createFileOutput, readLines } from "./kit/file_output.ts";
import { findProgram, PROGRAMS, type Program } from "./kit/find_program.ts";
import { type ProcessGroup, startGroup } from "./kit/process_group.ts";

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const project = join(import.meta.dir, "..");
const full = process.argv[2] === "full";
const tool = (name: string) => join(project, "node_modules/.bin", name);

if (!existsSync(tool("tsc"))) {
  console.error("The packages are not installed. Run `bun install` first, then `bun run ok` again.");
  process.exit(1);
}

async function runStep(name: string, command: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  // Lower priority than the tests: some tests measure milliseconds, type check and lint do not.
  const group = start(command, { niceness: 10 });
  const out = await new Response(group.output).text();
  const code = await group.exited;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code === 0) console.log(`ok    ${name} (${seconds} s)`);
  else console.log(`FAIL  ${name} (${seconds} s)\n${out}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Reports a missing program and how to install it. With `CI=true` a missing program is a failure. */
function checkProgram(program: Program): Outcome {
  if (findProgram(program) !== undefined) return { passed: 0, failed: 0, skipped: 0 };
  const isWanted = Bun.env.CI === "true";
  const way = `its tests are skipped, install it with \`apt-get install ${PROGRAMS[program].debian}\``;
  console.log(`${isWanted ? "FAIL" : "skip"}  ${program} is missing: ${way}`);
  return { passed: 0, failed: isWanted ? 1 : 0, skipped: 0 };
}

/** Cache of earlier checks on this machine. It changes the speed, never the result. */
const CACHE = join(project, "node_modules/.cache/limpid");
/** How long each test file took: the longest start first. */
const TIMINGS = join(CACHE, "test_timings.json");
/**
 * Quick checks compile only what changed. The compiler does not see that an imported JSON file has other keys, so its
 * cache holds for one content of these files.
 */
const TYPES = full
  ? []
  : ["--incremental", "--tsBuildInfoFile", join(CACHE, `types_${hashJson()}.tsbuildinfo`)];

function hashJson(): string {
  const globs = ["src/**/*.json", "test/fixtures/*.json"].map((pattern) => new Bun.Glob(pattern));
  const files = globs.flatMap((glob) => [...glob.scanSync(project)]).sort();
  return Bun.hash(files.map((file) => readFileSync(join(project, file), "utf8")).join("\0")).toString(36);
}

/** The files that lint and format passed, with what they contained: the quick checks read only the others. */
const LINTED = join(CACHE, "linted.json");

/** Every file of the project with a hash of its content and of the rules. */
function hashFiles(): Readonly<Record<string, string>> {
  const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: project });
  const paths = listed.stdout
    .toString()
    .split("\0")
    .filter(
      (path) => /\.(?:[cm]?[jt]sx?|css|html|graphql|grit)$/.test(path) && existsSync(join(project, path)),
    );
  const rules = Bun.hash(
    ["biome.json", "bun.lock"].map((name) => readFileSync(join(project, name), "utf8")).join("\0"),
  );
  return Object.fromEntries(
    paths.map((path) => [path, `${Bun.hash(readFileSync(join(project, path)), rules)}`]),
  );
}

/**
 * Checks style and format. The rule about promises reads the types of all files, so only the full run checks it; every
 * other rule sees one file alone, so a file that has not changed passes again.
 */
async function runLint(): Promise<Outcome> {
  const check = [tool("biome"), "check", "--error-on-warnings"];
  if (full) return runStep("lint and format", [...check, "."]);
  const hashes = hashFiles();
  const passed = existsSync(LINTED) ? JSON.parse(readFileSync(LINTED, "utf8")) : {};
  const changed = Object.keys(hashes).filter((path) => hashes[path] !== passed[path]);
  if (changed.length === 0) return { passed: 1, failed: 0, skipped: 0 };
  const skip = ["--skip=nursery/noFloatingPromises", "--no-errors-on-unmatched"];
  const outcome = await runStep(`lint and format of ${changed.length} files`, [
    ...check,
    ...skip,
    ...changed,
  ]);
  if (outcome.failed === 0) await Bun.write(LINTED, JSON.stringify(hashes));
  return outcome;
}

/** Processes that run test files beside each other. More processes only load the same modules again. */
const WORKERS = Math.min(availableParallelism(), 4);

/** Quick: the files of a process share loaded modules. Full: each file is isolated. */
const PARALLEL = [
  `--parallel=${WORKERS}`,
  `--timings=${TIMINGS}`,
  "--update-timings",
  full ? "--isolate" : "--no-isolate",
];

/** Failed tests and their errors, printed again at the end, where a reader looks first. */
const MOST_LINES = 30;
const MOST_CHARACTERS = 400;
const again = new Set<string>();

function noteFailures(block: string): void {
  let error: string[] | undefined;
  for (const line of block.split("\n")) {
    if (line.startsWith("(fail) ")) again.add(line);
    if (/^(?:error|\w*Error): /.test(line)) error = [];
    if (error === undefined) continue;
    if (error.length < MOST_LINES || line.startsWith("      at ")) error.push(line.slice(0, MOST_CHARACTERS));
    // The line in the test's own file is the last line of an error.
    if (!/^ {6}at .*\.test\.ts:\d/.test(line)) continue;
    again.add(error.join("\n"));
    error = undefined;
  }
}

/** Runs test files and counts from the runner's report file, because its console format may change. */
async function runTests(
  paths: readonly string[],
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // Some tests start programs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const report = join(folder, "report.xml");
  // What a killed test leaves in its temporary folder is removed with this folder.
  const ownTmp = { TMPDIR: folder };
  try {
    const group = start(
      // The limit is generous because a slow machine is no failure; a test that must be fast checks that itself.
      [
        process.execPath,
        "test",
        ...flags,
        "--timeout=60000",
        "--reporter=junit",
        `--reporter-outfile=${report}`,
        ...paths,
      ],
      { env: { ...Bun.env, ...OWN_ENV, ...ownTmp, ...env } },
    );
    removeOnSignal = () => rmSync(folder, { recursive: true, force: true });
    // With a slow reader, `process.stdout.write` output can be lost at exit; `console.log` output is not.
    const output = createFileOutput((block) => {
      console.log(block);
      noteFailures(block);
    });
    for await (const line of readLines(group.output)) output.add(line);
    const code = await group.exited;
    const others = output.end().join("\n").trim();
    if (others !== "") console.log(others);
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
    removeOnSignal = () => {};
    rmSync(folder, { recursive: true, force: true });
  }
}

const FOLDER_PREFIX = "limpid-tests-";
/**
 * The workers keep all cores busy, so collecting garbage on further threads only costs: without them four files of
 * HTTP tests need 8.8 s of processor time in place of 11.4 s.
 */
const QUICK_ENGINE = full ? {} : { BUN_JSC_useConcurrentGC: "0" };
/** The properties are tried more often in the full run (kit/runs.ts); each file says when it ends (kit/clean_up_hook.ts). */
const OWN_ENV = { ...QUICK_ENGINE, TEST_FILE_ENDS: "1", TEST_RUNS: full ? "full" : "quick" };
let removeOnSignal = () => {};

/** Programs that run. They are killed with this process. */
const groups = new Set<ProcessGroup>();

function start(
  command: readonly string[],
  options: Omit<Parameters<typeof startGroup>[1], "cwd">,
): ProcessGroup {
  const group = startGroup(command, { cwd: project, ...options });
  groups.add(group);
  void group.exited.finally(() => groups.delete(group));
  return group;
}
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  process.on(signal, () => {
    for (const group of groups) group.kill();
    removeOnSignal();
    process.exit(code);
  });
}

/** Removes the folders of runs that were killed. */
function removeLeftFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : NaN;
    if (!Number.isNaN(pid) && !isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs for another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
removeLeftFolders();

/** Folders of slow tests, which start processes and wait: one file computes while another waits. */
const SLOW = ["slow", "client", "deploy", "docs", "e2e", "proof", "browser"];
/** Slow tests that measure times, or write into the project: they run afterwards, one file after another. */
const ALONE =
  /^\.\/test\/(?:slow\/kit\/|e2e\/(?:binary|fleet|mirror|service)|proof\/(?:fuzz|load\/(?!memory)))/;
const NO_TESTS = ["bench", "fixtures", "kit"];
const folders = readdirSync(join(project, "test"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NO_TESTS.includes(entry.name))
  .map((entry) => entry.name);
const inRoot = readdirSync(join(project, "test"))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `./test/${name}`);
const listTests = (names: readonly string[]) =>
  names.flatMap((name) =>
    readdirSync(join(project, "test", name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `./test/${name}/${file}`),
  );

/** Test files that compare with golden files (`test/kit/golden.ts`). With `UPDATE_GOLDEN=1` they write them. */
const GOLDEN = /\bmatchGolden|kit\/golden\.ts/;

if (process.argv[2] === "golden") {
  // `bun run golden docs render` renews only what the tests in test/docs, test/render and so on write.
  const wanted = process.argv.slice(3);
  const files = listTests(folders)
    .filter((file) => wanted.length === 0 || wanted.some((folder) => file.split("/").includes(folder)))
    .filter((file) => GOLDEN.test(readFileSync(join(project, file), "utf8")));
  const { passed, failed } = await runTests(files, ["--isolate"], { UPDATE_GOLDEN: "1" });
  console.log(`${passed} passed, ${failed} failed. See what changed with \`git diff --stat\`.`);
  process.exit(failed === 0 ? 0 : 1);
}

const outcomes: Outcome[] = [];
outcomes.push(await runStep("seed", [process.execPath, "src/build/seed.ts"]));
outcomes.push(
  ...(await Promise.all([
    runStep("types", [tool("tsc"), "--noEmit", ...TYPES]),
    runLint(),
    runTests([...inRoot, ...listTests(folders.filter((name) => !SLOW.includes(name)))], PARALLEL),
  ])),
);
if (full) {
  outcomes.push(...(Object.keys(PROGRAMS) as Program[]).map(checkProgram));
  const slow = listTests(SLOW);
  outcomes.push(
    await runTests(
      slow.filter((file) => !ALONE.test(file)),
      PARALLEL,
    ),
  );
  outcomes.push(
    await runTests(
      slow.filter((file) => ALONE.test(file)),
      ["--isolate"],
    ),
  );
}

const sum = (pick: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + pick(outcome), 0);
const failed = sum((outcome) => outcome.failed);
const skipped = sum((outcome) => outcome.skipped);
if (again.size > 0) console.log(`\nFailed:\n${[...again].join("\n")}\n`);
console.log(
  `${sum((outcome) => outcome.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
process.exit(failed === 0 ? 0 : 1);
