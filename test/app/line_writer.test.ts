import { describe, expect, test } from "bun:test";
import { createLineWriter, type LineSink } from "#app";

/** A sink that, according to `answer`, accepts a line at once, fails, or keeps the line until it is released. */
function createSinks(answer: (line: string, sink: number) => "take" | "throw" | "reject" | "keep") {
  const lines: string[] = [];
  const kept: { readonly release: () => void; readonly refuse: () => void }[] = [];
  let opened = 0;
  let ended = 0;
  function open(): LineSink {
    opened += 1;
    const sink = opened;
    let isRefused = false;
    return {
      write(line) {
        const what = answer(line, sink);
        if (what === "reject") return Promise.reject(new Error("EPIPE"));
        if (what === "keep") {
          return new Promise((resolve, reject) => {
            kept.push({
              release: () => {
                lines.push(line);
                resolve(line.length);
              },
              refuse: () => reject(new Error("EPIPE")),
            });
          });
        }
        isRefused = what === "throw";
        if (!isRefused) lines.push(line);
        return line.length;
      },
      flush() {
        if (isRefused) throw new Error("ENOSPC");
        return 0;
      },
      end() {
        ended += 1;
        if (ended % 3 === 1) throw new Error("EPIPE");
        return ended % 3 === 2 ? Promise.reject(new Error("EPIPE")) : 0;
      },
    };
  }
  return { open, lines, kept, opened: () => opened, ended: () => ended };
}

describe("createLineWriter()", () => {
  test("writes a line at once when the output accepts it", async () => {
    const sinks = createSinks(() => "take");
    const writer = createLineWriter(sinks.open);
    writer.write("a\n");
    writer.write("b\n");
    expect(sinks.lines).toEqual(["a\n", "b\n"]);
    expect([writer.lost(), sinks.opened(), await writer.drain(0)]).toEqual([0, 1, true]);
  });

  test.each(["throw", "reject"] as const)(
    "counts a line that fails by %s, and tries the next on a new sink and a new line",
    async (how) => {
      let isFull = true;
      const sinks = createSinks(() => (isFull ? how : "take"));
      const writer = createLineWriter(sinks.open);
      for (const line of ["a\n", "b\n", "c\n"]) {
        writer.write(line);
        await writer.drain(1000);
      }
      expect([writer.lost(), sinks.opened(), sinks.ended(), sinks.lines]).toEqual([3, 3, 3, []]);
      isFull = false;
      writer.write("d\n");
      writer.write("e\n");
      expect([writer.lost(), sinks.opened(), sinks.lines]).toEqual([3, 4, ["\nd\n", "e\n"]]);
    },
  );

  test("counts a line whose sink cannot be opened", () => {
    const writer = createLineWriter(() => {
      throw new Error("EBADF");
    });
    writer.write("a\n");
    expect(writer.lost()).toBe(1);
  });

  test("keeps lines in order for a slow reader, up to its bound, and counts the rest", async () => {
    let isStuck = true;
    const sinks = createSinks(() => (isStuck ? "keep" : "take"));
    const writer = createLineWriter(sinks.open, 10);
    for (let n = 0; n < 1000; n += 1) writer.write(`${n % 10}\n`);
    expect([writer.lost(), sinks.kept.length]).toEqual([994, 1]);
    expect(await writer.drain(5)).toBe(false);
    isStuck = false;
    sinks.kept[0]?.release();
    expect(await writer.drain(1000)).toBe(true);
    expect(sinks.lines).toEqual(["0\n", "1\n", "2\n", "3\n", "4\n", "5\n"]);
    for (let n = 0; n < 10; n += 1) writer.write("more\n");
    expect([writer.lost(), sinks.lines.length]).toEqual([994, 16]);
  });

  test("continues with the queue when the reader of the first line disconnects", async () => {
    const sinks = createSinks((_, sink) => (sink === 1 ? "keep" : "take"));
    const writer = createLineWriter(sinks.open);
    for (const line of ["a\n", "b\n", "c\n"]) writer.write(line);
    sinks.kept[0]?.refuse();
    expect(await writer.drain(1000)).toBe(true);
    expect([writer.lost(), sinks.lines]).toEqual([1, ["\nb\n", "c\n"]]);
  });
});
