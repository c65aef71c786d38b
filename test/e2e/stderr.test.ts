import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, findFreePort } from "#kit";
import { parseExposition, readValue } from "../metrics/parse_exposition.ts";

const PROJECT = join(import.meta.dir, "../..");

/** The size of a pipe on Linux. */
const PIPE_BYTES = 65_536;

let folder: string;
let ending: (() => void)[];

beforeEach(() => {
  folder = createTemporaryFolder("limpid-stderr-");
  ending = [];
});

afterEach(() => {
  for (const end of ending.toReversed()) end();
});

/** Creates a named pipe and opens both ends; the reader can close and open again. */
function openPipe(name: string) {
  const path = join(folder, name);
  expect(Bun.spawnSync(["mkfifo", path]).success).toBe(true);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const reader = openReader();
  return { path, reader, writer: openSync(path, "w"), openReader };
}

function fillPipe(path: string): void {
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  let isFull = false;
  while (!isFull) {
    try {
      writeSync(writer, "x".repeat(4096));
    } catch {
      isFull = true;
    }
  }
  closeSync(writer);
}

function openFull(): number {
  return openSync("/dev/full", "w");
}

/** Starts `limpid serve` with these outputs, closes them here, and waits until it answers. */
async function startServe(outputs: {
  readonly stderr: number;
  readonly stdout?: number;
  readonly level?: string;
}) {
  const port = await findFreePort();
  const child = Bun.spawn([process.execPath, join(PROJECT, "src/main.ts"), "serve"], {
    cwd: PROJECT,
    env: {
      PATH: Bun.env.PATH ?? "",
      HOME: Bun.env.HOME ?? "",
      LIMPID_LIVE: "0",
      LIMPID_FEEDS: "0",
      LIMPID_PORT: String(port),
      LIMPID_DATA_DIR: join(folder, "data"),
      LIMPID_LOG: outputs.level ?? "info",
    },
    stdin: "ignore",
    stdout: outputs.stdout ?? "ignore",
    stderr: outputs.stderr,
  });
  ending.push(() => child.kill("SIGKILL"));
  closeSync(outputs.stderr);
  if (outputs.stdout !== undefined) closeSync(outputs.stdout);

  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
    return { status: response.status, text: await response.text() };
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`limpid ended with ${child.exitCode} before it answered`);
    const isUp = await ask("/healthz").then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await Bun.sleep(50);
  }
  return {
    child,
    ask,
    async lost() {
      return readValue(parseExposition((await ask("/metrics")).text), "limpid_log_lines_lost_total");
    },
    async stop() {
      const begunAt = performance.now();
      child.kill("SIGTERM");
      return { code: await child.exited, ms: performance.now() - begunAt };
    },
  };
}

type Serve = Awaited<ReturnType<typeof startServe>>;

/** Requests more new addresses than one client may: each refusal logs a line. Returns the number of refusals. */
async function lookUpTooMany({ ask }: Serve): Promise<number> {
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await ask(`/api/lookup?ip=8.21.${n}.1`)).status);
  expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([]);
  const refused = statuses.filter((status) => status === 403).length;
  expect(refused).toBeGreaterThan(0);
  return refused;
}

/** Sends requests until this many lines of the level `debug` were lost. */
async function loseLines(serve: Serve, least: number): Promise<void> {
  while (((await serve.lost()) ?? 0) < least) {
    for (let n = 0; n < 100; n += 1) await serve.ask("/healthz");
  }
}

describe.skipIf(process.platform !== "linux")("limpid serve", () => {
  test("answers and counts lost lines while the disk of its log is full", async () => {
    const serve = await startServe({ stderr: openFull() });
    const before = (await serve.lost()) ?? 0;
    const refused = await lookUpTooMany(serve);
    expect((await serve.ask("/healthz")).status).toBe(200);
    expect((await serve.lost()) ?? 0).toBe(before + refused);
    expect((await serve.stop()).code).toBe(0);
  }, 30_000);

  test("keeps no file open for the lines that it loses", async () => {
    const serve = await startServe({ stderr: openFull(), level: "debug" });
    const countOpen = () => readdirSync(`/proc/${serve.child.pid}/fd`).length;
    const before = countOpen();
    await loseLines(serve, 1000);
    expect(countOpen()).toBeLessThan(before + 10);
  }, 30_000);

  test("answers while nobody reads its log, and logs again for who comes back", async () => {
    const pipe = openPipe("log");
    closeSync(pipe.reader);
    const serve = await startServe({ stderr: pipe.writer });
    const before = (await serve.lost()) ?? 0;
    const refused = await lookUpTooMany(serve);
    expect((await serve.lost()) ?? 0).toBe(before + refused);

    const reader = pipe.openReader();
    expect((await serve.ask("/api/lookup?ip=8.21.99.1")).status).toBe(403);
    expect((await serve.lost()) ?? 0).toBe(before + refused);
    expect((await serve.stop()).code).toBe(0);
    const lines = readFileSync(reader, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    closeSync(reader);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["request_refused", "stopping"]);
  }, 30_000);

  test("neither blocks nor ends while its pipe is full, and ends in time when told", async () => {
    const pipe = openPipe("log");
    const serve = await startServe({ stderr: pipe.writer, level: "debug" });
    await loseLines(serve, 500);
    const begunAt = performance.now();
    expect((await serve.ask("/healthz")).status).toBe(200);
    expect(performance.now() - begunAt).toBeLessThan(2000);
    const { code, ms } = await serve.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8000);
    expect(readFileSync(pipe.reader).length).toBeLessThanOrEqual(PIPE_BYTES);
    closeSync(pipe.reader);
  }, 60_000);

  test("writes what waited to a reader that reads again, and the last line before it ends", async () => {
    const pipe = openPipe("log");
    const serve = await startServe({ stderr: pipe.writer, level: "debug" });
    await loseLines(serve, 1);
    const reading = (async () => {
      let text = "";
      for await (const chunk of createReadStream(pipe.path, "utf8")) text += chunk;
      return text;
    })();
    await Bun.sleep(200);
    expect((await serve.stop()).code).toBe(0);
    const text = await reading;
    closeSync(pipe.reader);
    expect(text.length).toBeGreaterThan(2 * PIPE_BYTES);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    expect(events.at(-1)).toBe("stopping");
  }, 60_000);

  test("starts and answers when its greeting cannot be written either", async () => {
    const serve = await startServe({ stderr: openFull(), stdout: openFull() });
    await lookUpTooMany(serve);
    expect((await serve.stop()).code).toBe(0);
    const pipes = [openPipe("out"), openPipe("log")] as const;
    for (const { reader } of pipes) closeSync(reader);
    const again = await startServe({ stdout: pipes[0].writer, stderr: pipes[1].writer });
    expect((await again.ask("/healthz")).status).toBe(200);
    expect((await again.stop()).code).toBe(0);
  }, 30_000);

  test("ends with the code of a wrong setting though nobody reads why", async () => {
    const pipe = openPipe("log");
    fillPipe(pipe.path);
    for (const stderr of [openFull(), pipe.writer]) {
      const child = Bun.spawn([process.execPath, join(PROJECT, "src/main.ts"), "serve"], {
        cwd: PROJECT,
        env: { PATH: Bun.env.PATH ?? "", HOME: Bun.env.HOME ?? "", LIMPID_PORT: "many" },
        stdin: "ignore",
        stdout: "ignore",
        stderr,
      });
      closeSync(stderr);
      expect(await child.exited).toBe(78);
    }
  }, 30_000);
});
