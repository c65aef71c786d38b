import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EXIT, ExitError } from "#app";

/** The lines of an input that may be larger than memory. */
export type LineSource = ReturnType<typeof readLines>;

/** The longest line in characters. What follows is not read. */
export const MAX_LINE_LENGTH = 1 << 20;

/** Turns the next bytes into text, or with `undefined` the incomplete character at the end of the input. */
export type DecodeChunk = (chunk: Uint8Array | undefined) => string;

/** One character for each byte, so that the text can be turned into the same bytes again. */
export const decodeBytes: DecodeChunk = (chunk) =>
  chunk === undefined ? "" : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");

/** A character of a word; see `findAddress`. */
const IN_WORD = /[\w.:-]/;

/**
 * Opens a file, or with "-" the standard input.
 * @throws {ExitError} when there is no such file, or it cannot be read.
 */
export function openLines(
  file: string,
  readInput: () => ReadableStream<Uint8Array>,
  options: Pick<LineOptions, "decode" | "signal"> = {},
): LineSource {
  if (file === "-") return readLines(readInput(), { name: "the standard input", ...options });
  const name = `"${file}"`;
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    const size = found.isFile() ? { size: found.size } : {};
    // The runtime waits for events of a device, and some, as /dev/null, have none.
    const stream = found.isCharacterDevice()
      ? Readable.toWeb(createReadStream(file))
      : Bun.file(file).stream();
    return readLines(stream, { name, ...size, ...options });
  } catch (error) {
    throw cannotRead(name, error);
  }
}

/** What is known of an input: its name for messages, its size in bytes, and how its bytes become text. */
export interface LineOptions {
  readonly name: string;
  readonly size?: number;
  readonly decode?: DecodeChunk;
  /** Ends the lines at once, also while the input pauses. */
  readonly signal?: AbortSignal;
}

/**
 * Reads lines from a stream of text, also from one that is compressed with gzip (RFC 1952, known by its first two
 * bytes). Without `decode` it is UTF-8, or UTF-16 with a byte order mark, and wrong bytes become U+FFFD. The memory
 * holds a few chunks and one line, whatever the input is.
 */
export function readLines(
  stream: ReadableStream<Uint8Array>,
  { name, size, decode, signal }: LineOptions = { name: "the input" },
) {
  let bytesRead = 0;
  let cut = 0;

  async function* countBytes(): AsyncGenerator<Uint8Array> {
    const reader = stream.getReader();
    const cancel = () => void reader.cancel().catch(() => {});
    signal?.addEventListener("abort", cancel);
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done || signal?.aborted === true) return;
        bytesRead += value.length;
        yield value;
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      cancel();
    }
  }

  /** Cuts a line before a word that is not complete: a part of an address must not count as an address. */
  function cutLine(line: string): string {
    cut += 1;
    let end = MAX_LINE_LENGTH;
    while (end > 0 && IN_WORD.test(line.charAt(end - 1))) end -= 1;
    return line.slice(0, end);
  }

  /**
   * The lines without their line feeds, in groups: all that one read of the input returned.
   * @throws {ExitError} when the input cannot be read to its end.
   */
  async function* groups(): AsyncGenerator<readonly string[]> {
    let decodeChunk = decode;
    // The beginning of the next line. A line that is too long keeps one character too many, and is cut at its end.
    let rest = "";
    try {
      for await (const chunk of unpack(countBytes())) {
        decodeChunk ??= decoderOf(chunk);
        const text = decodeChunk(chunk);
        const end = text.lastIndexOf("\n");
        if (end !== -1) {
          const isTooLong = rest.length > MAX_LINE_LENGTH;
          const lines = (rest + text.slice(isTooLong ? text.indexOf("\n") : 0, end)).split("\n");
          for (let at = 0; at < lines.length; at++) {
            const line = lines[at] ?? "";
            if (line.length > MAX_LINE_LENGTH) lines[at] = cutLine(line);
          }
          yield lines;
          rest = "";
        }
        if (rest.length <= MAX_LINE_LENGTH) rest = (rest + text.slice(end + 1)).slice(0, MAX_LINE_LENGTH + 1);
      }
      rest += decodeChunk?.(undefined) ?? "";
      if (rest !== "" && signal?.aborted !== true)
        yield [rest.length > MAX_LINE_LENGTH ? cutLine(rest) : rest];
    } catch (error) {
      if (signal?.aborted !== true) throw error instanceof ExitError ? error : cannotRead(name, error);
    }
  }

  return {
    size,
    bytesRead: () => bytesRead,
    /** Number of lines so far that were longer than {@link MAX_LINE_LENGTH} and were cut. */
    cut: () => cut,
    groups,
  };
}

/** Decompresses gzip data, which begin with 1F 8B; other data stay as they are. */
async function* unpack(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = new Uint8Array();
  while (head.length < 2) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = head.length === 0 ? new Uint8Array(value) : Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head;
    yield* chunks;
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all();
  yield* gunzip(all());
}

/** A piece of this size becomes 16 MB at most. */
const PIECE_BYTES = 1 << 14;

/** Decompresses one member or several, and NUL bytes behind them. Other bytes there are an error. */
async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacker = createGunzip();
  let problem: Error | undefined;
  let unpacked: Uint8Array[] = [];
  let isEnded = false;
  let resume = () => {};
  unpacker.on("data", (part: Uint8Array) => void unpacked.push(part));
  unpacker.on("error", (error) => {
    problem = error;
    resume();
  });
  unpacker.on("end", () => {
    isEnded = true;
    resume();
  });

  /**
   * Gives the piece, or the end. What was unpacked before an error is returned before it is thrown, except for the last
   * 16 kB at most, which the library keeps.
   */
  async function* give(start: (done: () => void) => void): AsyncGenerator<Uint8Array> {
    if (isEnded) return;
    await new Promise<void>((resolve) => {
      resume = resolve;
      start(resolve);
    });
    const parts = unpacked;
    unpacked = [];
    yield* parts;
    if (problem !== undefined) throw problem;
  }

  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield* give((done) => unpacker.write(chunk.subarray(at, at + PIECE_BYTES), () => done()));
      }
    }
    yield* give(() => unpacker.end());
  } finally {
    unpacker.destroy();
  }
}

/** Chooses the encoding by the byte order mark: UTF-16 of either order, else UTF-8. */
function decoderOf(chunk: Uint8Array): DecodeChunk {
  const [first, second] = chunk;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  const decoder = new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8");
  return (next) => (next === undefined ? decoder.decode() : decoder.decode(next, { stream: true }));
}

function cannotRead(name: string, error: unknown): ExitError {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  const why = isMissing ? "there is no such file" : error instanceof Error ? error.message : String(error);
  const code = isMissing ? EXIT.noInput : EXIT.badInput;
  return new ExitError(code, `Cannot read ${name}: ${why}`, { cause: error });
}
