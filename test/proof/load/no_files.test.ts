import { expect, test } from "bun:test";
import { connect, type Socket } from "bun";
import { arrange } from "./arrange.ts";
import { readState } from "./read_state.ts";

/** Files that the process may have open, and connections that come. */
const MOST_FILES = 200;
const CONNECTIONS = 260;

/** How long a new client waits for idle connections to be closed: the runtime gives a connection 10 s for a request. */
const WAIT_MS = 30_000;

/**
 * More idle connections than the process may open files. The process goes on: an open connection gets reports from
 * memory and from the database and summaries of networks, a survey reports its live sources as failed, a picture is
 * refused because its thread could not start, the metrics are written. New clients wait until idle connections are closed; then everything is normal.
 */
test("idle connections that take every file descriptor do not end the process", async () => {
  // One report fits into memory, so the other ones are read from the database.
  const arrangement = await arrange({ known: 4, env: { LIMPID_CACHE_ENTRIES: "1" } });
  const { service, upstreams, known } = arrangement;
  const { pid } = service.process;
  const port = Number(new URL(service.url).port);
  try {
    const kept = await openTalk(port);
    await kept.ask("/healthz");
    const before = readState(pid);
    const crowdedAt = performance.now();
    // Otherwise the survey would use the connections of earlier ones.
    const crowd = await takeAllFiles(pid, port, () => upstreams.gateway.disconnect());
    let usual = 0;
    for (const address of known) {
      const { status, body } = await kept.ask(`/api/lookup?ip=${address}`);
      expect(status).toBe(200);
      usual = countFailed(JSON.parse(body) as Report);
    }
    const fresh = await kept.ask("/api/lookup?ip=8.101.0.9");
    const networks = [await kept.ask("/net/8.8.8.0/24.json"), await kept.ask("/as/15169.json")];
    const card = await kept.ask("/net/8.8.8.0/24.png");
    const metrics = await kept.ask("/metrics");
    const health = await fetch(`${service.url}/healthz`, { keepalive: false });
    const waitedMs = performance.now() - crowdedAt;
    for (const socket of crowd) socket.terminate();
    await Bun.sleep(1000);
    const later = (await (await fetch(`${service.url}/api/lookup?ip=8.101.0.10`)).json()) as Report;
    expect(fresh.status).toBe(200);
    expect(countFailed(JSON.parse(fresh.body) as Report)).toBeGreaterThan(usual + 10);
    expect(networks.map(({ status }) => status)).toEqual([200, 200]);
    expect(card.status).toBe(503);
    expect(metrics.body).toContain("process_cpu_seconds_total ");
    expect(metrics.body, service.log()).toContain("limpid_uncaught_errors_total 0");
    expect(health.status).toBe(200);
    expect(waitedMs).toBeLessThanOrEqual(WAIT_MS);
    expect(countFailed(later)).toBeLessThanOrEqual(usual);
    expect(readState(pid).files).toBeLessThanOrEqual(before.files + 64);
  } finally {
    await arrangement.close();
  }
}, 120_000);

test("the first survey of a process that has no file descriptor left reports its sources as failed", async () => {
  const { service, close } = await arrange({ known: 0 });
  try {
    const port = Number(new URL(service.url).port);
    const kept = await openTalk(port);
    await kept.ask("/healthz");
    const crowd = await takeAllFiles(service.process.pid, port);
    const { status, body } = await kept.ask("/api/lookup?ip=8.101.0.9");
    expect([status, countFailed(JSON.parse(body) as Report) > 10], service.log()).toEqual([200, true]);
    for (const socket of crowd) socket.terminate();
  } finally {
    await close();
  }
}, 60_000);

interface Report {
  readonly sources?: readonly { readonly error?: string }[];
}

function countFailed({ sources = [] }: Report): number {
  return sources.filter(({ error }) => error !== undefined).length;
}

/** Limits the files of the process, and opens idle connections until it has no file left. */
async function takeAllFiles(pid: number, port: number, whileWaiting = () => {}): Promise<readonly Socket[]> {
  const limited = Bun.spawnSync(["prlimit", "--pid", String(pid), `--nofile=${MOST_FILES}:${MOST_FILES}`]);
  expect(limited.exitCode, limited.stderr.toString()).toBe(0);
  const connection = { hostname: "127.0.0.1", port, socket: { data() {}, error() {} } };
  const crowd = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(connection)));
  whileWaiting();
  for (let turn = 0; turn < 50 && readState(pid).files < MOST_FILES - 2; turn += 1) await Bun.sleep(100);
  expect(readState(pid).files).toBeGreaterThanOrEqual(MOST_FILES - 2);
  return crowd;
}

/** One connection, asked one thing after another. */
async function openTalk(port: number) {
  let got = "";
  let heard = () => {};
  const socket = await connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, chunk) {
        got += chunk.toString("latin1");
        heard();
      },
      close: () => heard(),
      error() {},
    },
  });
  return {
    async ask(path: string): Promise<{ readonly status: number; readonly body: string }> {
      got = "";
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      for (;;) {
        const end = got.indexOf("\r\n\r\n");
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(got)?.[1] ?? Number.NaN);
        if (end >= 0 && got.length >= end + 4 + length)
          return { status: Number(got.slice(9, 12)), body: got.slice(end + 4) };
        if (socket.readyState <= 0) throw new Error(`Cannot ask ${path}: the connection is closed`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
  };
}
