/**
 * Loaded into a service before its own code. Records every turn of the event loop that took much processor time,
 * because other requests wait for it; processor time does not depend on other load. Writes lines of `MOMENT
 * MILLISECONDS` into the file that `TURNS` names.
 */
import { openSync, readSync, writeSync } from "node:fs";

const LEAST_MS = 5;
const FLUSH_MS = 250;

const { TURNS: file } = Bun.env;
if (Bun.isMainThread && file !== undefined) watch(file);

/**
 * The first figure of schedstat is the nanoseconds on a processor (proc(5)); the first thread is that of the event
 * loop. Both files are opened once, because the process may have no free file descriptors later.
 */
function watch(path: string): void {
  const source = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const target = openSync(path, "a");
  const bytes = new Uint8Array(64);
  const decoder = new TextDecoder();
  const read = () =>
    Number(decoder.decode(bytes.subarray(0, readSync(source, bytes, 0, 64, 0))).split(" ")[0]) / 1e6;
  const lines: string[] = [];
  let before = read();
  let begunAt = Date.now();
  setInterval(() => {
    const now = read();
    if (now - before >= LEAST_MS) lines.push(`${begunAt} ${(now - before).toFixed(1)}\n`);
    before = now;
    begunAt = Date.now();
  }, 1).unref();
  setInterval(() => {
    if (lines.length > 0) writeSync(target, lines.splice(0).join(""));
  }, FLUSH_MS).unref();
}
