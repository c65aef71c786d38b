import { within } from "#concurrency";

/** The part of Bun's `FileSink` used here. It never blocks, buffers what does not fit, and fails by throw or rejection. */
export interface LineSink {
  write(text: string): number | Promise<number>;
  flush(): number | Promise<number>;
  /** Closes the descriptor of the sink, a copy of the output's own. */
  end(): number | Promise<number>;
}

/** Maximum length of the queue in characters: about a thousand lines. */
const MAX_QUEUED = 256 * 1024;

/**
 * Creates a writer of text to an output that may be full, closed or unread: no call throws, blocks or ends the process.
 * `openSink` opens the sink. A sink that failed is replaced, because a
 * `FileSink` may accept text after an error and write nothing. So later lines are written when a full disk has space
 * again or a named pipe has a new reader.
 */
export function createLineWriter(openSink: () => LineSink, maxQueued = MAX_QUEUED) {
  const queue: string[] = [];
  let queued = 0;
  let lost = 0;
  let sink: LineSink | undefined;
  /** A failed write may leave an incomplete line; the next line then starts with a line feed. */
  let isIncomplete = false;
  /** Writes the queue; absent when the queue is empty and the sink has written everything. */
  let writing: Promise<void> | undefined;

  function fail(): void {
    lost += 1;
    isIncomplete = true;
    const failed = sink;
    sink = undefined;
    close(failed);
  }

  /** Returns a promise that never rejects while the sink is still writing the line. */
  function send(line: string): Promise<void> | undefined {
    try {
      sink ??= openSink();
      const written = sink.write(isIncomplete ? `\n${line}` : line);
      const done = written instanceof Promise ? written : sink.flush();
      if (done instanceof Promise) return done.then(succeed, fail);
      succeed();
    } catch {
      fail();
    }
    return undefined;
  }

  function succeed(): void {
    isIncomplete = false;
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
    /** Writes at once if the output accepts it; otherwise adds it to a bounded queue, or drops it if the queue is full. */
    write(line: string): void {
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
    /** The number of lines that were dropped or could not be written. */
    lost: () => lost,
    /** Waits until the queue is empty, at most `timeoutMs`; returns false if lines are still waiting. */
    async drain(timeoutMs: number): Promise<boolean> {
      const drained = writing?.then(() => true) ?? Promise.resolve(true);
      return (await within(drained, timeoutMs)) === true;
    },
  };
}

/** Frees the descriptor: otherwise every failed line would keep one open until garbage collection. */
function close(failed: LineSink | undefined): void {
  try {
    const ended = failed?.end();
    if (ended instanceof Promise) ended.catch(() => {});
  } catch {
    // The lost line is already counted.
  }
}
