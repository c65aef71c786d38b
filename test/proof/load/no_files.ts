import { connect, type Socket } from "bun";
import { arrange } from "./arrange.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { readState } from "./read_state.ts";

/** Files that the process may have open, and connections that come. */
const MOST_FILES = 200;
const CONNECTIONS = 400;

/** How long no more connections can be opened. */
const SHORTAGE_MS = 5000;
const RECOVERY_MS = { aim: 2000, floor: 5000 };

/**
 * More connections than the process may open files. Open connections are answered, sources that fail are reported as
 * failed, and after the connections close everything is normal. No new client is accepted meanwhile: limit the
 * connections of a client in the proxy.
 */
export async function noFiles(): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const arrangement = await arrange({ known: 4 });
  const { service, known } = arrangement;
  const { pid } = service.process;
  const port = Number(new URL(service.url).port);
  try {
    const kept = await openTalk(port);
    await kept.ask("/healthz");
    const before = readState(pid);
    const limited = Bun.spawnSync(["prlimit", "--pid", String(pid), `--nofile=${MOST_FILES}:${MOST_FILES}`]);
    check(`the limit is set: ${limited.stderr.toString()}`, limited.exitCode === 0);
    const crowd = await openCrowd(port);
    let full = readState(pid);
    for (let turn = 0; turn < 50 && full.files < MOST_FILES - 2; turn += 1) {
      await Bun.sleep(100);
      full = readState(pid);
    }
    const hit = await kept.ask(`/api/lookup?ip=${known[0]}`);
    const fresh = await kept.ask("/api/lookup?ip=8.101.0.9");
    const startedAt = readState(pid).cpuMs;
    await Bun.sleep(SHORTAGE_MS);
    const spent = (readState(pid).cpuMs - startedAt) / SHORTAGE_MS;
    for (const socket of crowd) socket.terminate();
    const leftAt = performance.now();
    const health = await fetch(`${service.url}/healthz`, { keepalive: false });
    const recoveredMs = performance.now() - leftAt;
    await Bun.sleep(1000);
    const later = (await (await fetch(`${service.url}/api/lookup?ip=8.101.0.10`)).json()) as Report;
    const after = readState(pid);
    see(
      `${CONNECTIONS} connections, ${MOST_FILES} files: ${full.files} open; ${(spent * 100).toFixed(0)} % of a core is spent on those who cannot get in`,
    );
    see(
      `on a connection that is open: a hit ${hit.status}, a survey ${fresh.status} with ${countFailed(JSON.parse(fresh.body) as Report)} sources failed; afterwards ${health.status} after ${recoveredMs.toFixed(0)} ms (aim ${RECOVERY_MS.aim}), a survey with ${countFailed(later)} failed; files ${before.files} → ${after.files}`,
    );
    check("the files are used up", full.files >= MOST_FILES - 2);
    check(`who is connected is answered: ${hit.status}`, hit.status === 200);
    check(`a survey ends: ${fresh.status}`, fresh.status === 200 || fresh.status === 503);
    check(
      `it answers again after ${recoveredMs.toFixed(0)} ms`,
      health.status === 200 && recoveredMs <= RECOVERY_MS.floor,
    );
    check(`surveys are whole again: ${countFailed(later)} failed`, countFailed(later) === 0);
    check(`files ${before.files} → ${after.files}`, after.files <= before.files + 64);
  } finally {
    await arrangement.close();
  }
  return findings;
}

interface Report {
  readonly sources?: readonly { readonly state: string }[];
}

function countFailed({ sources = [] }: Report): number {
  return sources.filter(({ state }) => state === "failed").length;
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
