/**
 * A load generator over raw keep-alive connections. It runs in its own process, so it never shares the thread of the
 * server: `bun test/bench/load.ts` reads `{"url","paths","connections","seconds"}` and prints one JSON line.
 */
import { connect } from "bun";

interface Load {
  /** Origin, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Paths requested in turn; each connection starts at a different one. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** The result of a run. Times in milliseconds. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Runs the load in a process of its own. */
export async function runLoad(load: Load): Promise<LoadResult> {
  // By a pipe: a hundred thousand paths are too many for an argument.
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(load)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("Cannot run the load");
  return JSON.parse(text) as LoadResult;
}

async function generate(load: Load): Promise<LoadResult> {
  const target = new URL(load.url);
  const endAt = performance.now() + load.seconds * 1000;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: load.connections }, (_, lane) => {
      let turn = Math.floor((lane * load.paths.length) / load.connections);
      return new Promise<void>((resolve, reject) => {
        let sentAt = 0;
        let wanted = -1;
        let received = 0;
        let status = "";
        /** The start of a head that has not arrived whole: the system may cut an answer anywhere. */
        let begun = Buffer.alloc(0);
        const ask = (socket: { write(data: string): number; end(): void }) => {
          sentAt = performance.now();
          wanted = -1;
          received = 0;
          begun = Buffer.alloc(0);
          socket.write(
            `GET ${load.paths[turn % load.paths.length]} HTTP/1.1\r\nhost: ${target.host}\r\n\r\n`,
          );
          turn += 1;
        };
        connect({
          hostname: target.hostname,
          port: Number(target.port),
          socket: {
            open: ask,
            data(socket, part) {
              let chunk = part;
              if (wanted < 0) {
                if (begun.length > 0) chunk = Buffer.concat([begun, part]);
                const end = chunk.indexOf("\r\n\r\n");
                if (end < 0) {
                  begun = Buffer.from(chunk);
                  return;
                }
                const head = chunk.subarray(0, end).toString("latin1");
                status = head.slice(9, 12);
                wanted = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN) + end + 4;
                if (Number.isNaN(wanted))
                  return reject(new Error(`Cannot read an answer without length: ${head}`));
              }
              received += chunk.length;
              if (received < wanted) return;
              const at = performance.now();
              times.push(at - sentAt);
              statuses[status] = (statuses[status] ?? 0) + 1;
              if (at < endAt) return ask(socket);
              socket.end();
              resolve();
            },
            error: (_, error) => reject(error),
            close: () => resolve(),
          },
        }).catch(reject);
      });
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: Math.round(times.length / load.seconds), p50: at(0.5), p99: at(0.99), statuses };
}

if (import.meta.main) console.log(JSON.stringify(await generate((await Bun.stdin.json()) as Load)));
