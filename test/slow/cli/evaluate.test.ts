import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createTemporaryFolder, runLimpid } from "#kit";

const folder = createTemporaryFolder("limpid-evaluate-");

async function evaluate(text: string, ...options: readonly string[]) {
  const file = join(folder, "truth.tsv");
  await Bun.write(file, text);
  return runLimpid(["evaluate", file, ...options], { LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0" });
}

describe("limpid evaluate", () => {
  test("measures addresses and prefixes by the tables, and lists the wrong ones", async () => {
    const { out, code } = await evaluate(
      "# a comment\n\n8.8.8.0/24\thosting\n10.0.0.1\tclean\n1.1.1.1\tvpn,hosting\n",
      "--json",
      "--lists",
    );
    expect(code).toBe(0);
    const { rows, leftOut, flags, wrong } = JSON.parse(out);
    expect({ rows, leftOut }).toEqual({ rows: 3, leftOut: 0 });
    const vpn = flags.find(({ id }: { id: string }) => id === "vpn");
    expect([vpn.recall.hits, vpn.recall.of, vpn.alarms.of]).toEqual([0, 1, 1]);
    expect(wrong.some((line: string) => line.startsWith("1.1.1.1\tvpn,hosting\t"))).toBe(true);
  });

  test("prints tables with intervals, and only what is stored with --stored", async () => {
    const { out, code } = await evaluate("8.8.8.8\thosting\n");
    expect(code).toBe(0);
    expect(out).toStartWith("1 rows; in brackets the 95 % interval\n");
    expect(out).toContain("expected calibration error: 0.");
    const stored = await evaluate("8.8.8.8\thosting\n", "--stored");
    expect([stored.code, stored.out.split(";")[0]]).toEqual([3, "0 rows, 1 left out"]);
  });

  test.each([
    ["8.8.8.8 hosting\n", 65, /line 1 of .*expected an address or prefix, a tab, and its truth/],
    ["# x\n8.8.8\ttor\n", 65, /line 2 of .*"8.8.8" is not an address or prefix/],
    ["8.8.8.8\ttor,robot\n", 65, /line 1 of .*"robot" is not a truth/],
    ["# nothing\n", 2, /it has no rows/],
  ])("refuses %j with %i", async (text, code, message) => {
    const refused = await evaluate(text);
    expect([refused.code, refused.out]).toEqual([code, ""]);
    expect(refused.err).toMatch(message);
  });
});
