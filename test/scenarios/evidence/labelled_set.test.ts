import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { readLabelledSets } from "../../bench/labelled_set.ts";

const folder = createTemporaryFolder("limpid-labelled-");
const set = { id: "a", group: "positive", file: "a.tsv", label: { true: ["isVpn"], false: ["isTor"] } };
const write = (rows: readonly string[], sets: readonly object[] = [set]) => {
  writeFileSync(join(folder, "SETS.json"), JSON.stringify({ sets }));
  writeFileSync(join(folder, "a.tsv"), rows.join("\n"));
};
const read = (mostRows = 100) =>
  readLabelledSets(folder, mostRows)[0]?.addresses.map((address) => address.text) ?? [];

beforeAll(() => write([]));

describe("readLabelledSets()", () => {
  test("reads an address unchanged, and always the same three addresses of a prefix", () => {
    write(["192.0.2.7\tnote\tmore", "198.51.100.0/24\tx", "2001:db8:1::/48", "203.0.113.4/31", ""]);
    const addresses = read();
    expect(addresses).toEqual([
      "192.0.2.7",
      "198.51.100.64",
      "198.51.100.128",
      "198.51.100.230",
      "2001:db8:1:4000::",
      "2001:db8:1:8000::",
      expect.stringMatching(/^2001:db8:1:e666:/),
      "203.0.113.4",
    ]);
    expect(read()).toEqual(addresses);
  });

  test("samples a long list evenly", () => {
    write(Array.from({ length: 10 }, (_, n) => `192.0.2.${n}`));
    expect(read(4)).toEqual(["192.0.2.0", "192.0.2.2", "192.0.2.5", "192.0.2.7"]);
    expect(readLabelledSets(folder, 4)[0]).toMatchObject({ rows: 10, sampled: 4, group: "positive" });
  });

  test("refuses damaged rows and sets, and files outside the folder", () => {
    write(["192.0.2"]);
    expect(() => read()).toThrow('Cannot read "192.0.2" as a prefix or an address');
    write([], [{ ...set, label: { true: ["isWrong"], false: [] } }]);
    expect(() => read()).toThrow();
    write([], [{ ...set, file: "../a.tsv" }]);
    expect(() => read()).toThrow();
  });
});
