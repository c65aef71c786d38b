import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runLimpid } from "#kit";

const folder = mkdtempSync(join(tmpdir(), "limpid-batch-"));
const env = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_LIVE: "0", LIMPID_FEEDS: "0" };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("limpid batch", () => {
  const input = join(folder, "list.txt");
  const lines = Array.from({ length: 700 }, (_, at) => `8.8.${at % 250}.${1 + Math.floor(at / 250)}`);
  writeFileSync(input, `${lines.join("\n")}\n`);
  const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[^"]+Z/g, "");

  test("gives the same facts as a survey without live sources", async () => {
    const rows = (await runLimpid(["batch", input, "--tables-only"], env)).out.trim().split("\n");
    expect(rows).toHaveLength(700);
    for (const at of [0, 333, 699]) {
      const { out } = await runLimpid(["lookup", lines[at] ?? "", "--json", "--lang", "en"], env);
      const report = JSON.parse(out);
      expect(JSON.parse(rows[at] ?? "")).toMatchObject({
        ip: report.ip,
        purity: report.risk.purity,
        level: report.risk.level,
        confidence: report.risk.confidence,
        usageType: report.usageType,
        nativeType: report.nativeType,
        asn: report.asn.asn,
        country: report.geo.country,
      });
    }
  });

  test.each(["ndjson", "csv"])(
    "continues where a killed run ended, without its incomplete row (%s)",
    async (format) => {
      const [whole, torn] = [join(folder, `whole.${format}`), join(folder, `torn.${format}`)];
      const args = ["batch", input, "--tables-only", "--format", format, "--out"];
      expect((await runLimpid([...args, whole], env)).code).toBe(0);
      const all = readFileSync(whole, "utf8");
      writeFileSync(torn, all);
      truncateSync(torn, 20_011);
      expect((await runLimpid([...args, torn], env)).code).toBe(0);
      expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
      expect((await runLimpid([...args, torn], env)).code).toBe(0);
      expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
    },
  );

  test("does not append to the output of another input", async () => {
    const out = join(folder, "other.ndjson");
    await runLimpid(["batch", input, "--tables-only", "--out", out], env);
    const before = readFileSync(out, "utf8");
    const other = join(folder, "other.txt");
    writeFileSync(other, `${[...lines].reverse().join("\n")}\n`);
    expect(await runLimpid(["batch", other, "--tables-only", "--out", out], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining("belong to another input"),
    });
    expect(readFileSync(out, "utf8")).toBe(before);
  });

  test("returns an exit code for an input that cannot be read and an output that cannot be written", async () => {
    expect(await runLimpid(["batch", join(folder, "none")], env)).toMatchObject({ code: 2, out: "" });
    const nowhere = join(folder, "none/out.csv");
    expect(await runLimpid(["batch", input, "--tables-only", "--out", nowhere], env)).toMatchObject({
      code: 73,
    });
  });
});
