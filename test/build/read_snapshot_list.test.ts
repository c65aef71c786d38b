import { describe, expect, test } from "bun:test";
import { readSnapshotList, type SnapshotSource } from "../../src/build/read_snapshot_list.ts";

const SOURCE: SnapshotSource = {
  feed: "cloudflare",
  files: ["four.txt", "six.txt"],
  publication: {
    publisher: "Ours",
    repository: "https://lists.example/",
    date: "2026-03-01",
    licence: "MIT",
  },
  meaning: "cdn",
  label: "Cloudflare",
};

function read(texts: Readonly<Record<string, string>>, source = SOURCE) {
  return readSnapshotList(source, (path) => new TextEncoder().encode(texts[path] ?? ""));
}

describe("readSnapshotList", () => {
  test("reads prefixes, addresses and comments of all files", () => {
    const { facts, ipv4, ipv6 } = read({
      "four.txt": "# ours\n9.9.10.0/24\n9.9.11.1 # one\r\n\n",
      "six.txt": "2620:fe::/48\n",
    });
    expect(facts).toEqual({
      feed: "cloudflare",
      date: "2026-03-01",
      publisher: "Ours",
      origin: "https://lists.example/: four.txt, six.txt",
      licence: "MIT",
      meaning: "cdn",
      label: "Cloudflare",
    });
    expect([ipv4.size, ipv6.size]).toEqual([2, 1]);
  });

  test("leaves out what the feed does not contain, and special-purpose space", () => {
    const texts = {
      "four.txt": "9.9.10.0/24\n9.9.11.0/25\n10.0.0.0/8\n192.0.2.1\n",
      "six.txt": "2620:fe::/48\n",
    };
    const { ipv4, ipv6 } = read(texts, { ...SOURCE, without: ["9.9.11.0/24", "2620:fe::/32"] });
    expect([ipv4.size, ipv6.size]).toEqual([1, 0]);
  });

  test.each([
    ["malformed rows", "no\nrow\nis an\naddress\nat all\n", /5 of its rows are malformed/],
    [
      "a list that covers too much",
      Array.from({ length: 9 }, (_, i) => `${i + 11}.0.0.0/8\n`).join(""),
      /too wide for cdn/,
    ],
  ])("refuses %s", (_, text, problem) => {
    expect(() => read({ "four.txt": text })).toThrow(problem);
  });

  test("refuses a list of a feed that does not exist", () => {
    expect(() => read({}, { ...SOURCE, feed: "nothing" })).toThrow('there is no feed "nothing"');
  });
});
