import { describe, expect, test } from "bun:test";
import { type ItemOptions, readItems } from "../../../src/cli/batch/items.ts";
import { readLines } from "../../../src/cli/batch/read_lines.ts";

async function read(text: string, options: Partial<ItemOptions> = {}, max?: number) {
  const lines = readLines(new Response(text).body ?? expect.unreachable());
  const source = readItems(lines, { all: false, unique: false, ...options }, max);
  const items = [];
  for await (const group of source.groups()) {
    for (const { input, address, count } of group) {
      items.push(
        [...(count === undefined ? [] : [count]), address?.text ?? "-", ...(count ? [] : [input])].join(" "),
      );
    }
  }
  return { items, leftOut: source.leftOut() };
}

const LOG = [
  '192.0.2.1 - - [22/Nov/2026:14:04:04 +0000] "GET / HTTP/1.1" 200 5 "-" "x/5.6.7.8"',
  "Nov 22 14:04:04 host sshd[7]: session opened",
  '2001:db8::1 - - [22/Nov/2026:14:04:05 +0000] "GET /" 200 5',
  "192.0.2.1 - - again",
].join("\n");

describe("readItems", () => {
  test("gives the first address of each line, and counts the lines without one", async () => {
    const { items, leftOut } = await read(LOG);
    expect(items.map((item) => item.split(" ")[0])).toEqual(["192.0.2.1", "2001:db8::1", "192.0.2.1"]);
    expect(leftOut).toEqual({ lines: 1, mistakes: 0 });
  });

  test("gives every mistake of a plain list and of a list with names", async () => {
    const { items, leftOut } = await read(
      "# list\n192.0.2.1\n192.0.2.300\nexample.com\nhk-01 192.0.2.01\nhk-02 -\n",
    );
    expect(items).toEqual(["192.0.2.1 192.0.2.1", "- 192.0.2.300", "- example.com", "- hk-01 192.0.2.01"]);
    expect(leftOut).toEqual({ lines: 1, mistakes: 3, firstMistake: "192.0.2.300" });
  });

  test("gives every address of a line with `all`", async () => {
    const { items } = await read("192.0.2.1, 192.0.2.2, 192.0.2.1\nx y\n", { all: true });
    expect(items.map((item) => item.split(" ")[0])).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("reads a column, where text that is no address is a mistake", async () => {
    const text = "10.0.0.1,192.0.2.1:443\n10.0.0.2,\n10.0.0.3,-\n10.0.0.4,unix:\n";
    const { items, leftOut } = await read(text, { column: "2" });
    expect(items).toEqual(["192.0.2.1 10.0.0.1,192.0.2.1:443", "- 10.0.0.4,unix:"]);
    expect(leftOut).toMatchObject({ lines: 2, mistakes: 1 });
  });

  test("gives each address once with `unique`, most frequent first", async () => {
    const { items, leftOut } = await read(`2001:db8::9 x\n${LOG}\n192.0.2.300`, { unique: true });
    expect(items).toEqual(["2 192.0.2.1", "1 2001:db8::9", "1 2001:db8::1"]);
    expect(leftOut).toEqual({ lines: 1, mistakes: 1, firstMistake: "192.0.2.300" });
  });

  test("says that there are too many addresses instead of losing one", async () => {
    const text = Array.from({ length: 9 }, (_, at) => `192.0.2.${at}`).join("\n");
    expect((await read(text, { unique: true }, 16)).items).toHaveLength(9);
    await expect(read(text, { unique: true }, 8)).rejects.toThrow(
      /^Cannot count more than 8 different addresses; no row/,
    );
  });
});
