import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { EXIT, ExitError } from "#app";
import {
  decodeBytes,
  type LineSource,
  MAX_LINE_LENGTH,
  openLines,
  readLines,
} from "../../../src/cli/batch/read_lines.ts";

/** A stream of these chunks. */
function streamOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function readAll(source: LineSource): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const group of source.groups()) lines.push(...group);
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("readLines", () => {
  test("gives the same lines however the bytes arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", "節", "😀", "\u0000") }),
        fc.array(fc.nat(6), { minLength: 1 }),
        async (text, sizes) => {
          const whole = bytes(text);
          const chunks: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(whole.slice(at, at + size + 1));
            at += size + 1;
          }
          const expected = text.split("\n");
          if (expected.at(-1) === "") expected.pop();
          expect(await readAll(readLines(streamOf(...chunks)))).toEqual(expected);
        },
      ),
    );
  });

  test("replaces wrong UTF-8, and gives every byte back when it is read as bytes", async () => {
    const wrong = Uint8Array.of(0x61, 0xff, 0xfe, 0x00, 0x0a, 0xc3);
    expect(await readAll(readLines(streamOf(wrong)))).toEqual(["a\ufffd\ufffd\u0000", "\ufffd"]);
    const lines = await readAll(readLines(streamOf(wrong), { name: "x", decode: decodeBytes }));
    expect([...Buffer.from(lines.join("\n"), "latin1")]).toEqual([...wrong]);
  });

  test("reads UTF-16 of both orders and UTF-8 with a byte order mark", async () => {
    const little = Buffer.from("\ufeff192.0.2.1\n節", "utf16le");
    const big = Buffer.from(little).swap16();
    for (const one of [little, big, bytes("\ufeff192.0.2.1\n節")]) {
      expect(await readAll(readLines(streamOf(one)))).toEqual(["192.0.2.1", "節"]);
    }
  });

  test("cuts a long line before a word that is not complete, and goes on with the next line", async () => {
    const head = "x ".repeat(MAX_LINE_LENGTH / 2 - 4);
    const long = `${head}192.0.2.123 ${"y".repeat(100_000)}`;
    const text = `${long}\n192.0.2.2\n${"z".repeat(MAX_LINE_LENGTH + 9)}`;
    for (const size of [1 << 12, 1 << 16, 1 << 22]) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < text.length; at += size) chunks.push(bytes(text.slice(at, at + size)));
      const source = readLines(streamOf(...chunks));
      expect(await readAll(source)).toEqual([head, "192.0.2.2", ""]);
      expect(source.cut()).toBe(2);
    }
  });

  test("needs little memory and time for a line without an end", async () => {
    const chunk = bytes("y1 ".repeat(20_000));
    const measure = () => {
      Bun.gc(true);
      return process.memoryUsage().heapUsed;
    };
    const before = measure();
    let inUse = 0;
    let left = 1000;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === 10) inUse = measure() - before;
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    expect(await readAll(readLines(endless))).toHaveLength(1);
    expect(inUse).toBeLessThan(20_000_000);
  });

  test("unpacks gzip of several members, byte by byte too, and counts the packed bytes", async () => {
    const packed = Buffer.concat([gzipSync("192.0.2.1\n192."), gzipSync("0.2.2\n")]);
    for (const chunks of [[packed], Array.from(packed, (byte) => Uint8Array.of(byte))]) {
      const source = readLines(streamOf(...chunks));
      expect(await readAll(source)).toEqual(["192.0.2.1", "192.0.2.2"]);
      expect(source.bytesRead()).toBe(packed.length);
    }
  });

  test("reads gzip that is followed by NUL bytes, as on a tape", async () => {
    for (const size of [1, 1000, 100_000]) {
      const packed = Buffer.concat([gzipSync("192.0.2.1\n192.0.2.2\n"), Buffer.alloc(size)]);
      expect(await readAll(readLines(streamOf(packed)))).toEqual(["192.0.2.1", "192.0.2.2"]);
      const halves = streamOf(packed.subarray(0, -size), packed.subarray(-size));
      expect(await readAll(readLines(halves))).toEqual(["192.0.2.1", "192.0.2.2"]);
    }
  });

  test("ends at once when the signal aborts, also while the input pauses, and closes it", async () => {
    for (const first of ["192.0.2.1\n192.0", gzipSync("192.0.2.1\n".repeat(1000)).subarray(0, 30)]) {
      const aborting = new AbortController();
      let isClosed = false;
      const pausing = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from(first)),
        cancel() {
          isClosed = true;
        },
      });
      setTimeout(() => aborting.abort(), 20);
      await readAll(readLines(pausing, { name: "x", signal: aborting.signal }));
      expect(isClosed).toBe(true);
    }
  });

  test("says that a gzip file is damaged, behind the lines until there", async () => {
    const text = Array.from({ length: 60_000 }, (_, at) => `192.0.2.${at % 256} ${at * at}\n`).join("");
    const packed = gzipSync(text);
    for (const [damaged, least] of [
      [packed.subarray(0, 30), 0],
      [packed.subarray(0, packed.length - 4), 59_999],
      [Buffer.concat([packed, Buffer.from("more")]), 59_000],
      [Buffer.concat([packed.subarray(0, packed.length / 2), Buffer.alloc(4000)]), 20_000],
    ] as const) {
      let lines = 0;
      const read = async () => {
        for await (const group of readLines(streamOf(damaged), { name: '"x.gz"' }).groups())
          lines += group.length;
      };
      const problem = await read().catch((error: unknown) => error);
      expect(lines).toBeGreaterThanOrEqual(least);
      expect(problem).toBeInstanceOf(ExitError);
      expect(problem).toMatchObject({
        code: EXIT.badInput,
        message: expect.stringContaining('Cannot read "x.gz": '),
      });
    }
  });
});

describe("openLines", () => {
  const noInput = () => expect.unreachable("the standard input is not read");

  test.each([
    ["/nonexistent/list", /^Cannot read "\/nonexistent\/list": there is no such file$/],
    [import.meta.dir, /it is a folder$/],
  ])("refuses %s", (path, message) => {
    expect(() => openLines(path, noInput)).toThrow(message);
  });
});
