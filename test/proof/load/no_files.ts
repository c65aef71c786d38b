import { connect, type Socket } from "bun";
import { arrange } from "./arrange.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { readState } from "./read_state.ts";

/** Files that the process may have open, and connections that come. */
const MOST_FILES = 200;
const CONNECTIONS = 260;

/** How long a new client waits for idle connections to be closed: the runtime gives a connection 10 s for a request. */
const WAIT_MS = { aim: 12_000, floor: 30_000 };

/**
 * More idle connections than the process may open files. The process goes on: an open connection gets reports from
 * memory and from the database, a survey reports its live sources as failed, the metrics are written. New clients
 * wait until idle connections are closed; then everything is normal.
 */
export async function noFiles(): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  // One report fits into memory, so the other ones are read from the database.
  const arrangement = await arrange({ known: 4, env: { LIMPID_CACHE_ENTRIES: "1" } });
  const { service, upstreams, known } = arrangement;
  const { pid } = service.process;
  const port = Number(new URL(service.url).port);
  try {
    const kept = await openTalk(port);
    await kept.ask("/healthz");
    const before = readState(pid);
    const limited = Bun.spawnSync(["prlimit", "--pid", String(pid), `--nofile=${MOST_FILES}:${MOST_FILES}`]);
    check(`the limit is set: ${limited.stderr.toString()}`, limited.exitCode === 0);
    const crowdedAt = performance.now();
    const crowd = await openCrowd(port);
    // Otherwise the survey would use the connections of earlier ones.
    upstreams.gateway.disconnect();
    let full = readState(pid);
    for (let turn = 0; turn < 50 && full.files < MOST_FILES - 2; turn += 1) {
      await Bun.sleep(100);
      full = readState(pid);
    }
    const hits: number[] = [];
    let usual = 0;
    for (const address of known) {
      const { status, body } = await kept.ask(`/api/lookup?ip=${address}`);
      hits.push(status);
      usual = countFailed(JSON.parse(body) as Report);
    }
    const fresh = await kept.ask("/api/lookup?ip=8.101.0.9");
    const metrics = await kept.ask("/metrics");
    const shortage = readState(pid);
    const health = await fetch(`${service.url}/healthz`, { keepalive: false });
    const waitedMs = performance.now() - crowdedAt;
    const spent = (readState(pid).cpuMs - shortage.cpuMs) / waitedMs;
    for (const socket of crowd) socket.terminate();
    await Bun.sleep(1000);
    const later = (await (await fetch(`${service.url}/api/lookup?ip=8.101.0.10`)).json()) as Report;
    const after = readState(pid);
    const failed = countFailed(JSON.parse(fresh.body) as Report);
    see(
      `${CONNECTIONS} connections, ${MOST_FILES} files: ${full.files} open; ${(spent * 100).toFixed(0)} % of a core is spent on those who cannot get in`,
    );
    see(
      `on a connection that is open: hits ${hits.join(" ")}, a survey ${fresh.status} with ${failed} sources failed, metrics ${metrics.status}; a new client waits ${waitedMs.toFixed(0)} ms (aim ${WAIT_MS.aim}); afterwards a survey with ${countFailed(later)} failed; files ${before.files} → ${after.files}`,
    );
    check(`the files are used up: ${full.files}`, full.files >= MOST_FILES - 2);
    check(
      `who is connected is answered: ${hits.join(" ")}`,
      hits.length === 4 && hits.every((hit) => hit === 200),
    );
    check(`a survey ends: ${fresh.status}`, fresh.status === 200);
    check(`its live sources have failed: ${failed}, ${usual} as a rule`, failed > usual + 10);
    check(`the metrics are written: ${metrics.status}`, metrics.body.includes("process_cpu_seconds_total "));
    check(`no error is uncaught: ${service.log()}`, metrics.body.includes("limpid_uncaught_errors_total 0"));
    check(
      `a new client is answered after ${waitedMs.toFixed(0)} ms: ${health.status}`,
      health.status === 200 && waitedMs <= WAIT_MS.floor,
    );
    check(`surveys are whole again: ${countFailed(later)} failed`, countFailed(later) <= usual);
    check(`files ${before.files} → ${after.files}`, after.files <= before.files + 64);
  } finally {
    await arrangement.close();
  }
  return findings;
}

interface Report {
  readonly sources?: readonly { readonly error?: string }[];
}

function countFailed({ sources = [] }: Report): number {
  return sources.filter(({ error }) => error !== undefined).length;
}

function openCrowd(port: number): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      connect({ hostname: "127.0.0.1", port, socket: { data() {}, error() {} } }),
    ),
  );
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
