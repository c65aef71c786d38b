import { statSync } from "node:fs";
import { EXIT, ExitError } from "#app";

/** The lines of an input that may be larger than memory. */
export interface LineSource {
  /** Size of the whole input in bytes, if known. */
  readonly size?: number;
  /** Bytes read so far. */
  bytesRead(): number;
  /** Number of lines so far that were longer than {@link MAX_LINE_LENGTH} and were cut. */
  cut(): number;
  /**
   * The lines without their line feeds, in groups: all that one read of the input returned.
   * @throws {ExitError} when the input cannot be read to its end.
   */
  groups(): AsyncIterable<readonly string[]>;
}

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
 * @throws {ExitError} when there is no such file.
 */
export function openLines(
  file: string,
  readInput: () => ReadableStream<Uint8Array>,
  decode?: DecodeChunk,
): LineSource {
  if (file === "-") return readLines(readInput(), { name: "the standard input", ...(decode && { decode }) });
  const name = `"${file}"`;
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    const size = found.isFile() ? { size: found.size } : {};
    return readLines(Bun.file(file).stream(), { name, ...size, ...(decode && { decode }) });
  } catch (error) {
    throw cannotRead(name, error);
  }
}

/** What is known of an input: its name for messages, its size in bytes, and how its bytes become text. */
export interface LineOptions {
  readonly name: string;
  readonly size?: number;
  readonly decode?: DecodeChunk;
}

/**
 * Reads lines from a stream of text, also from one that is compressed with gzip (RFC 1952, known by its first two
 * bytes). Without `decode` it is UTF-8, or UTF-16 with a byte order mark, and wrong bytes become U+FFFD. The memory
 * holds a few chunks and one line, whatever the input is.
 */
export function readLines(
  stream: ReadableStream<Uint8Array>,
  { name, size, decode }: LineOptions = { name: "the input" },
): LineSource {
  let bytesRead = 0;
  let cut = 0;

  async function* countBytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }

  /** Cuts a line before a word that is not complete: a part of an address must not count as an address. */
  function cutLine(line: string): string {
    cut += 1;
    let end = MAX_LINE_LENGTH;
    while (end > 0 && IN_WORD.test(line.charAt(end - 1))) end -= 1;
    return line.slice(0, end);
  }

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
      if (rest !== "") yield [rest.length > MAX_LINE_LENGTH ? cutLine(rest) : rest];
    } catch (error) {
      throw error instanceof ExitError ? error : cannotRead(name, error);
    }
  }

  return { ...(size === undefined ? {} : { size }), bytesRead: () => bytesRead, cut: () => cut, groups };
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
  const packed = new ReadableStream<Bun.BufferSource>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  const source = all();
  yield* packed.pipeThrough(new DecompressionStream("gzip"));
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
  const why = error instanceof Error ? error.message : String(error);
  return new ExitError(EXIT.badInput, `Cannot read ${name}: ${why}`, { cause: error });
}
