/** Where lines go: a `FileSink` of Bun, which never blocks, buffers what does not fit, and fails by throw or rejection. */
export interface LineSink {
  write(text: string): number | Promise<number>;
  flush(): number | Promise<number>;
  /** Closes the descriptor of the sink, a copy of the output's own. */
  end(): number | Promise<number>;
}

/** Writes text to an output that may be full, closed or unread. No call throws, blocks or ends the process. */
export interface LineWriter {
  /** Writes at once if the output takes it, else keeps it in a bounded queue, else drops it. */
  write(line: string): void;
  /** How many lines were dropped or could not be written. */
  lost(): number;
  /** Waits until the queue is empty, at most `timeoutMs`; false = lines are still waiting. */
  drain(timeoutMs: number): Promise<boolean>;
}

/** Characters that wait for a slow reader: about a thousand lines. */
const MAX_QUEUED = 256 * 1024;

/**
 * Creates a {@link LineWriter} over the sink that `openSink` opens. A sink that failed is replaced: after an error a
 * `FileSink` may take text and write nothing. So a disk that has space again, or a new reader of a named pipe, gets
 * the lines that come after.
 */
export function createLineWriter(openSink: () => LineSink, maxQueued = MAX_QUEUED): LineWriter {
  const queue: string[] = [];
  let queued = 0;
  let lost = 0;
  let sink: LineSink | undefined;
  /** A failed write may leave half a line: the next one starts on a line of its own. */
  let isTorn = false;
  /** Writes what waits; absent = nothing waits, and the sink has written everything. */
  let writing: Promise<void> | undefined;

  function fail(): void {
    lost += 1;
    isTorn = true;
    const failed = sink;
    sink = undefined;
    close(failed);
  }

  /** Gives a promise, which never rejects, while the sink is not done with the line. */
  function send(line: string): Promise<void> | undefined {
    try {
      sink ??= openSink();
      const written = sink.write(isTorn ? `\n${line}` : line);
      const done = written instanceof Promise ? written : sink.flush();
      if (done instanceof Promise) return done.then(succeed, fail);
      succeed();
    } catch {
      fail();
    }
    return undefined;
  }

  function succeed(): void {
    isTorn = false;
  }

  async function writeQueue(before: Promise<void>): Promise<void> {
    await before;
    for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
      queued -= line.length;
      await send(line);
    }
    writing = undefined;
  }

  return {
    write(line) {
      if (writing === undefined) {
        const pending = send(line);
        if (pending !== undefined) writing = writeQueue(pending);
      } else if (queued + line.length > maxQueued) {
        lost += 1;
      } else {
        queue.push(line);
        queued += line.length;
      }
    },
    lost: () => lost,
    async drain(timeoutMs) {
      if (writing === undefined) return true;
      const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, timeoutMs, false);
      const isDrained = await Promise.race([writing.then(() => true), timeout]);
      clearTimeout(timer);
      return isDrained;
    },
  };
}

/** Without this a failed sink keeps its descriptor until the garbage is collected: thousands, while every line fails. */
function close(failed: LineSink | undefined): void {
  try {
    const ended = failed?.end();
    if (ended instanceof Promise) ended.catch(() => {});
  } catch {
    // What it could not write is counted already.
  }
}
