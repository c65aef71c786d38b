/** The line that the hook of `clean_up_hook.ts` writes when a test file has ended. */
export const FILE_ENDED = "(file ended)";

/** A header that bun writes before the output of a test file. Files that run at the same time take turns. */
const HEADER = /^(test\/\S+\.test\.tsx?):$/;

/** A line of a test that passed or was skipped. */
const QUIET = /^\((?:pass|skip|todo)\) /;

/**
 * Sorts the output of test files that run at the same time. `onFailure` receives the whole output of a file with a
 * failed test as one block when the file ends, without the lines of the tests that passed.
 */
export function createFileOutput(onFailure: (block: string) => void) {
  const files = new Map<string, string[]>();
  /** Lines that belong to no file, such as the totals. */
  const others: string[] = [];
  let current: string | undefined;

  function finish(file: string): void {
    const lines = files.get(file) ?? [];
    files.delete(file);
    if (!lines.some((line) => line.startsWith("(fail) ") || /^(?:error|\w*Error): /.test(line))) return;
    onFailure(`${file}:\n${lines.filter((line) => !QUIET.test(line)).join("\n")}\n`);
  }

  return {
    add(line: string): void {
      const header = HEADER.exec(line)?.[1];
      if (header !== undefined) {
        current = header;
        if (!files.has(header)) files.set(header, []);
      } else if (line.startsWith(FILE_ENDED)) {
        finish(line.slice(FILE_ENDED.length + 1));
      } else if (current === undefined) others.push(line);
      else files.get(current)?.push(line);
    },
    /** Hands over what remains when the process has ended, and returns the lines that belong to no file. */
    end(): readonly string[] {
      for (const file of files.keys()) finish(file);
      return others;
    },
  };
}

/** Splits a stream into lines. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
