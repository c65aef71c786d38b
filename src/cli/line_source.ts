/** Lines of an input that may be larger than memory. */
export interface LineSource {
  /** Bytes of the whole, where that is known. */
  readonly size?: number;
  /** Bytes read so far. */
  read(): number;
  /** Each line without its end; one longer than 1024 characters is cut. */
  lines(): AsyncIterable<string>;
}

/** No address is longer; what is cut is no address either way. */
const MAX_LINE_LENGTH = 1024;

/** Reads lines of UTF-8 out of a stream of bytes. */
export function readLines(stream: ReadableStream<Uint8Array>, size?: number): LineSource {
  let read = 0;
  async function* lines(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      read += chunk.length;
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = (parts.pop() ?? "").slice(0, MAX_LINE_LENGTH);
      for (const part of parts) yield part.slice(0, MAX_LINE_LENGTH);
    }
    rest += decoder.decode();
    if (rest !== "") yield rest;
  }
  return { ...(size === undefined ? {} : { size }), read: () => read, lines };
}
