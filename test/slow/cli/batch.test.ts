import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createTemporaryFolder, runLimpid } from "#kit";

const folder = createTemporaryFolder("limpid-batch-");
const env = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_LIVE: "0", LIMPID_FEEDS: "0" };
const main = join(import.meta.dir, "../../../src/main.ts");

function runInShell(script: string) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bash", "-c", script], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LIMPID: `${process.execPath} ${main}`,
      FOLDER: folder,
      ...env,
    },
  });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}

describe("limpid batch", () => {
  const input = join(folder, "list.txt");
  const lines = Array.from({ length: 700 }, (_, at) => `8.8.${at % 250}.${1 + Math.floor(at / 250)}`);
  writeFileSync(input, `${lines.join("\n")}\n`);
  const log = join(folder, "access.log");
  const visitors = Array.from({ length: 60_000 }, (_, at) => lines[(at * at) % 701] ?? "2001:db8::1");
  writeFileSync(
    log,
    visitors.map((one) => `${one} - - [22/Nov/2026:14:04:04 +0000] "GET / HTTP/1.1" 200 5\n`).join(""),
  );
  const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[^"]+Z/g, "");

  test("gives the same facts as a survey without live sources", async () => {
    const rows = (await runLimpid(["batch", input, "--tables-only"], env)).out.trim().split("\n");
    expect(rows).toHaveLength(700);
    for (const at of [0, 333, 699]) {
      const { out } = await runLimpid(["lookup", lines[at] ?? "", "--json", "--lang", "en"], env);
      const report = JSON.parse(out);
      const scores = report.scenarios.map(({ id, score }: { id: string; score: number | null }) => [
        id,
        score,
      ]);
      expect(scores).toHaveLength(6);
      expect(JSON.parse(rows[at] ?? "")).toMatchObject({
        ip: report.ip,
        purity: report.risk.purity,
        level: report.risk.level,
        confidence: report.risk.confidence,
        usageType: report.usageType,
        nativeType: report.nativeType,
        asn: report.asn.asn,
        country: report.geo.country,
        ...Object.fromEntries(scores),
      });
    }
  });

  test.each([
    ["ndjson", input, 20_011],
    ["csv", input, 20_011],
    ["csv", input, 30],
    ["ndjson", log, 3_000_003],
    ["csv --unique", log, 20_011],
    ["ndjson --unique --all", log, 20_011],
  ])("continues where a killed run ended, without its incomplete row (%s)", async (format, file, size) => {
    const name = `${format.replaceAll(" ", "")}.${size}`;
    const [whole, torn] = [join(folder, `whole.${name}`), join(folder, `torn.${name}`)];
    const args = ["batch", file, "--tables-only", "--format", ...format.split(" "), "--out"];
    expect((await runLimpid([...args, whole], env)).code).toBe(0);
    const all = readFileSync(whole, "utf8");
    writeFileSync(torn, all);
    truncateSync(torn, size);
    expect((await runLimpid([...args, torn], env)).code).toBe(0);
    expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
    expect((await runLimpid([...args, torn], env)).code).toBe(0);
    expect(withoutTime(readFileSync(torn, "utf8"))).toBe(withoutTime(all));
  });

  test("loses at most one group of rows and writes none twice when it is killed with kill -9", async () => {
    const [whole, killed] = [join(folder, "never_killed.csv"), join(folder, "killed.csv")];
    const args = ["batch", log, "--tables-only", "--out"];
    await runLimpid([...args, whole], env);
    const full = statSync(whole).size;
    let kills = 0;
    for (let size = 0; size < full; ) {
      const child = Bun.spawn([process.execPath, main, ...args, killed], {
        env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
        stderr: "ignore",
      });
      const before = size;
      while (child.exitCode === null && size <= before + full / 4) {
        await Bun.sleep(2);
        size = statSync(killed, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (child.exitCode === null) kills += 1;
      child.kill("SIGKILL");
      await child.exited;
      const after = statSync(killed).size;
      expect(after).toBeGreaterThan(before);
      size = after;
    }
    expect(kills).toBeGreaterThan(0);
    await runLimpid([...args, killed], env);
    expect(withoutTime(readFileSync(killed, "utf8"))).toBe(withoutTime(readFileSync(whole, "utf8")));
  });

  test("counts each address of a log once, and reads the same from gzip and from a pipe", async () => {
    const packed = join(folder, "access.log.gz");
    writeFileSync(packed, gzipSync(readFileSync(log)));
    const args = ["--tables-only", "--unique"];
    const plain = await runLimpid(["batch", log, ...args], env);
    const rows = plain.out
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    const expected = new Map<string, number>();
    for (const one of visitors) expected.set(one, (expected.get(one) ?? 0) + 1);
    expect(rows.map(({ ip, count }) => [ip, count])).toEqual([...expected].toSorted(([, a], [, b]) => b - a));
    const fromGzip = await runLimpid(["batch", packed, ...args], env);
    expect(withoutTime(fromGzip.out)).toBe(withoutTime(plain.out));
    const fromPipe = runInShell('cat "$FOLDER/access.log.gz" | $LIMPID batch - --tables-only --unique');
    expect(withoutTime(fromPipe.out)).toBe(withoutTime(plain.out));
  });

  test("says which lines have no row, and ends with 2 for an input without any address", async () => {
    const text = join(folder, "text.txt");
    writeFileSync(text, "hello world\n192.0.2.1\n192.0.2.300\n");
    const mixed = await runLimpid(["batch", text, "--tables-only"], env);
    expect(mixed).toMatchObject({ code: 2, err: "1 line has no address and no row\n" });
    expect(mixed.out.trim().split("\n")).toHaveLength(2);
    const unique = await runLimpid(["batch", text, "--tables-only", "--unique"], env);
    expect(unique).toMatchObject({
      code: 2,
      err: '1 line has no address and no row\n1 line looks like a mistake and gave no row; the first: "192.0.2.300"\n',
    });
    for (const nothing of ["hello world\n", "", "\n# none\n", "x".repeat(1 << 21)]) {
      writeFileSync(text, nothing);
      expect((await runLimpid(["batch", text, "--tables-only"], env)).code).toBe(2);
    }
  });

  test("writes the rows of a damaged file until there, and hides what a file name does to a terminal", async () => {
    const name = join(folder, "\u001b[31mred.gz");
    writeFileSync(name, gzipSync(readFileSync(log)).subarray(0, -4));
    const { code, out, err } = await runLimpid(["batch", name, "--tables-only"], env);
    expect([code, out.trim().split("\n").length]).toEqual([2, 60_000]);
    expect(err).toStartWith(`Cannot read "${folder}/?[31mred.gz": `);
    const grep = await runLimpid(["grep", "--min", "100", "--count", name, input], env);
    expect(grep.out + grep.err).not.toContain("\u001b");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "ends at the first %s while it waits for input, with the rows until there",
    async (signal) => {
      const child = Bun.spawn([process.execPath, main, "batch", "-", "--tables-only"], {
        env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
        stdin: "pipe",
      });
      child.stdin.write("192.0.2.1\n192.0.2.");
      child.stdin.flush();
      const rows: string[] = [];
      for await (const chunk of child.stdout) {
        rows.push(new TextDecoder().decode(chunk));
        child.kill(signal);
      }
      expect([await child.exited, rows.join("").split("\n").length]).toEqual([130, 2]);
    },
  );

  test("shows a coloured table on a terminal, without colours with NO_COLOR, and rows in a pipe", () => {
    const onTerminal = (prefix: string) =>
      runInShell(
        `script -qec '${prefix} $LIMPID batch "$FOLDER/list.txt" --tables-only' /dev/null </dev/null | head -c 60000`,
      ).out;
    // The tables alone are not enough for a band, and its colour.
    expect(onTerminal("env -u NO_COLOR TERM=xterm")).toMatch(/\u001b\[1mpurity .*address[\s\S]*\n *\d+\? - /);
    const plain = onTerminal("NO_COLOR=1 TERM=xterm");
    expect(plain).toMatch(/purity .*address/);
    expect(plain).not.toMatch(/\u001b\[\d+(;\d+)?m/);
    expect(runInShell('$LIMPID batch "$FOLDER/list.txt" --tables-only | head -1').out).toStartWith(
      '{"input":"8.8.0.1"',
    );
  });

  test("ends quietly, and soon, when its reader ends", () => {
    const { out, err } = runInShell(
      `yes "192.0.2.1 x" | timeout 20 $LIMPID batch - --tables-only | head -1; echo "\${PIPESTATUS[1]}"`,
    );
    expect(out).toMatch(/^\{"input":"192\.0\.2\.1 x".*\n0\n$/);
    expect(err).toBe("");
  });

  test("says that the output is full", () => {
    const { code, err } = runInShell('$LIMPID batch "$FOLDER/list.txt" --tables-only > /dev/full');
    expect({ code, err }).toEqual({
      code: 73,
      err: expect.stringMatching(/^Cannot write to the standard output: /),
    });
  });

  test("does not append to the output of another input, or to what is no output", async () => {
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
    for (const [target, reason] of [
      [input, "it is the input"],
      [log, "is not the output of a batch"],
    ] as const) {
      const size = statSync(target).size;
      expect(await runLimpid(["batch", input, "--tables-only", "--out", target], env)).toMatchObject({
        code: 73,
        err: expect.stringContaining(reason),
      });
      expect(statSync(target).size).toBe(size);
    }
  });

  test("returns an exit code for an input that cannot be read and an output that cannot be written", async () => {
    expect(await runLimpid(["batch", join(folder, "none")], env)).toMatchObject({ code: 66, out: "" });
    const nowhere = join(folder, "none/out.csv");
    expect(await runLimpid(["batch", input, "--tables-only", "--out", nowhere], env)).toMatchObject({
      code: 73,
    });
  });
});
