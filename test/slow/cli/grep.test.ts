import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, runLimpid } from "#kit";

const folder = createTemporaryFolder("limpid-grep-");
const env = { LIMPID_DATA_DIR: join(folder, "data"), LIMPID_FEEDS: "0" };
const main = join(import.meta.dir, "../../../src/main.ts");

// 46.4.84.25 is in a network of servers. 192.0.2.1 is reserved. 1.2.3.4 is neither.
const HOSTING = '46.4.84.25 - - [22/Nov/2026:14:04:04 +0000] "GET / HTTP/1.1" 200 5';
const BOGON = "Nov 22 14:04:04 host sshd[7]: Failed password from 192.0.2.1 port 22";
const OTHER = "1.2.3.4 - - x";
const NONE = "no address here";
const log = join(folder, "access.log");
writeFileSync(log, `${[HOSTING, BOGON, OTHER, NONE].join("\n")}\n`);

const grep = (...args: readonly string[]) => runLimpid(["grep", ...args], env);
const linesOf = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

describe("limpid grep", () => {
  test("prints the lines that a policy denies, and those that it does not", async () => {
    expect(await grep("--deny", "hosting", log)).toEqual({ code: 0, out: linesOf(HOSTING), err: "" });
    expect(await grep("--deny", "hosting,bogon", log)).toMatchObject({ out: linesOf(HOSTING, BOGON) });
    expect(await grep("-v", "--deny", "hosting", log)).toMatchObject({
      code: 0,
      out: linesOf(BOGON, OTHER, NONE),
    });
    expect(await grep("--deny", "satellite", log)).toEqual({ code: 1, out: "", err: "" });
    const named = { code: 0, out: `${log}:${HOSTING}\n`, err: "" };
    expect(await grep("--deny", "hosting", log, "/dev/null")).toEqual(named);
    const err = expect.stringMatching(
      /^Not known here: tor \(0 of 3 lists were read\)\. Run limpid feeds update/,
    );
    expect(await grep("--deny", "tor", log)).toEqual({ code: 3, out: "", err });
    // A VPN range of the snapshot. Both are below 90 by what the tables know.
    const accused = join(folder, "accused.log");
    writeFileSync(accused, linesOf(HOSTING, "103.86.96.1 GET /"));
    expect(await grep("--min", "90", accused)).toMatchObject({
      code: 0,
      out: linesOf(HOSTING, "103.86.96.1 GET /"),
    });
    expect(await grep("--min", "90", "--allow", "hosting", accused)).toMatchObject({ code: 1, out: "" });
  });

  test("prints addresses, counts and names of files as grep does", async () => {
    expect(await grep("-o", "--deny", "hosting,bogon", log)).toMatchObject({
      out: "46.4.84.25\n192.0.2.1\n",
    });
    expect(await grep("-c", "--deny", "hosting", log)).toMatchObject({ code: 0, out: "1\n" });
    expect(await grep("-c", "--deny", "satellite", log)).toMatchObject({ code: 1, out: "0\n" });
    expect(await grep("--deny", "hosting", log, log)).toMatchObject({
      out: linesOf(`${log}:${HOSTING}`, `${log}:${HOSTING}`),
    });
    expect(await grep("-cv", "--deny", "hosting", log, log)).toMatchObject({ out: `${log}:3\n${log}:3\n` });
  });

  test("goes on after a file that it cannot read, and ends with 2", async () => {
    const { code, out, err } = await grep("--deny", "hosting", join(folder, "none"), log);
    expect({ code, out }).toEqual({ code: 66, out: `${log}:${HOSTING}\n` });
    expect(err).toMatch(/^Cannot read ".*none": there is no such file/);
    expect(await grep(log)).toMatchObject({ code: 64 });
  });

  test("prints the bytes of a line unchanged, and reads a column", async () => {
    const file = join(folder, "bytes.csv");
    const line = Buffer.concat([
      Buffer.from("10.0.0.1,46.4.84.25,"),
      Buffer.of(0xff, 0xc3, 0, 0x09, 0xe9, 0x0d),
    ]);
    writeFileSync(
      file,
      Buffer.concat([Buffer.from("proxy,客户,x\n"), line, Buffer.from("\n10.0.0.1,1.2.3.4")]),
    );
    const child = Bun.spawn([process.execPath, main, "grep", "--deny", "hosting", "--column", "客户", file], {
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
    });
    expect(Buffer.from(await new Response(child.stdout).arrayBuffer())).toEqual(
      Buffer.concat([line, Buffer.of(0x0a)]),
    );
    expect(readFileSync(file)).toContain(0xff);
  });

  test("prints a line as soon as it comes, and waits for the next one", async () => {
    const child = Bun.spawn([process.execPath, main, "grep", "--deny", "hosting", "-"], {
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
      stdin: "pipe",
      stdout: "pipe",
    });
    const reader = child.stdout.getReader();
    for (let turn = 0; turn < 3; turn++) {
      child.stdin.write(linesOf(OTHER, `${HOSTING} ${turn}`));
      await child.stdin.flush();
      const { value } = await reader.read();
      expect(new TextDecoder().decode(value)).toBe(`${HOSTING} ${turn}\n`);
      expect(child.exitCode).toBeNull();
    }
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  });

  test("ends quietly when its reader ends, as with head", () => {
    const script = `yes '${HOSTING}' | timeout 20 ${process.execPath} ${main} grep --deny hosting | head -2; echo "\${PIPESTATUS[1]}"`;
    const { stdout, stderr } = Bun.spawnSync(["bash", "-c", script], {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
    expect(stdout.toString()).toBe(`${linesOf(HOSTING, HOSTING)}0\n`);
    expect(stderr.toString()).toBe("");
  });
});

test("grep and batch apply the operator's corrections, and refuse a wrong file with 78 and its row", async () => {
  const corrections = join(folder, "corrections.csv");
  const corrected = { ...env, LIMPID_CORRECTIONS: corrections };
  writeFileSync(corrections, "46.4.84.0/24, business, 2999-12-31, our own servers\n");
  expect(await runLimpid(["grep", "--deny", "hosting", log], corrected)).toMatchObject({ code: 1, out: "" });
  const { out } = await runLimpid(["batch", log, "--tables-only", "--format", "ndjson"], corrected);
  expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({
    ip: "46.4.84.25",
    usageType: "business",
    flags: "",
  });
  writeFileSync(corrections, "\n46.4.84.0/24, rubbish, 2999-12-31, x\n");
  for (const command of [
    ["grep", "--deny", "hosting", log],
    ["lookup", "46.4.84.25"],
  ]) {
    const refused = await runLimpid(command, { ...corrected, LIMPID_LIVE: "0" });
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 78,
      err: expect.stringMatching(/^Cannot read corrections ".*": row 2: expected one of/),
    });
  }
});
