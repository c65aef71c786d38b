import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import { closeAfterEach, createTemporaryFolder } from "#kit";
import {
  createFileGuard,
  createFileReader,
  type FileReader,
} from "../../../src/store/reports/file_reader.ts";

const FIND = "SELECT n, CAST(text AS BLOB) FROM things WHERE name = ?1";

let folder: string;
let path: string;
let writer: Client;
let time: number;
const closeLater = closeAfterEach();

beforeEach(async () => {
  folder = createTemporaryFolder("limpid-reader-");
  path = join(folder, "a.db");
  time = 0;
  writer = createClient({ url: `file:${path}`, concurrency: 1 });
  await writer.execute("PRAGMA journal_mode=WAL");
  await writer.execute("CREATE TABLE things (name TEXT PRIMARY KEY, n INTEGER, text TEXT)");
  await writer.execute("INSERT INTO things VALUES ('one', 1, 'eins'), ('two', 2, 'zwei')");
});

afterEach(() => writer.close());

function open(): FileReader {
  const checkSameFile = createFileGuard(path);
  const reader = createFileReader(path, { busyTimeoutMs: 5, checkSameFile, now: () => time });
  closeLater(() => reader.close());
  return reader;
}

function read(reader: FileReader, name: string): unknown {
  const row = reader.first(FIND, [name]);
  return row && [row[0], Buffer.from(row[1] as Uint8Array).toString()];
}

describe("createFileReader()", () => {
  test("reads the first row of each statement, or undefined without a row", () => {
    const reader = open();
    expect(read(reader, "one")).toEqual([1, "eins"]);
    expect(read(reader, "three")).toBeUndefined();
    expect(read(reader, "two")).toEqual([2, "zwei"]);
    expect(reader.first("SELECT count(*) FROM things", [])).toEqual([2]);
    expect(reader.first("SELECT name FROM things WHERE name = ?1", ["' OR 1 --"])).toBeUndefined();
  });

  test("reads the commits of other connections, also after changes of the schema", async () => {
    const reader = open();
    expect(read(reader, "one")).toEqual([1, "eins"]);
    await writer.execute("UPDATE things SET n = 11");
    expect(read(reader, "one")).toEqual([11, "eins"]);
    await writer.execute("ALTER TABLE things ADD COLUMN more");
    await writer.execute("UPDATE things SET n = 12");
    expect(read(reader, "one")).toEqual([12, "eins"]);
  });

  test("holds no read transaction: the log can be moved into the file between two reads", async () => {
    const reader = open();
    for (const name of ["one", "three"]) {
      read(reader, name);
      await writer.execute("UPDATE things SET n = n + 1");
      const { rows } = await writer.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      expect(Number(rows[0]?.busy)).toBe(0);
      expect(statSync(`${path}-wal`).size).toBe(0);
    }
  });

  test("cannot write", () => {
    const reader = open();
    expect(() => reader.first("DELETE FROM things RETURNING name", [])).toThrow();
    expect(reader.first("SELECT count(*) FROM things", [])).toEqual([2]);
  });

  test("reads again after a failed statement, and never with the arguments of the failed call", async () => {
    const reader = open();
    expect(read(reader, "two")).toEqual([2, "zwei"]);
    await writer.execute("ALTER TABLE things RENAME TO others");
    expect(() => reader.first(FIND, ["one"])).toThrow(/no such table/);
    expect(reader.first("SELECT count(*) FROM others", [])).toEqual([2]);
    await writer.execute("ALTER TABLE others RENAME TO things");
    expect(read(reader, "two")).toEqual([2, "zwei"]);
    const odd = "SELECT abs(n - 9223372036854775807 - 2) FROM things WHERE name = ?1";
    expect(() => reader.first(odd, ["one"])).toThrow(/overflow/);
    expect(reader.first(odd, ["two"])).toEqual([2 ** 63]);
  });

  test("does not read a locked file for a second, then reads again", async () => {
    await writer.execute("PRAGMA locking_mode=EXCLUSIVE");
    await writer.execute("UPDATE things SET n = 3");
    const reader = open();
    expect(() => reader.first(FIND, ["one"])).toThrow(/locked/);
    await writer.execute("PRAGMA locking_mode=NORMAL");
    await writer.execute("UPDATE things SET n = 4");
    time += 999;
    expect(() => reader.first(FIND, ["one"])).toThrow(/a moment ago/);
    time += 1;
    expect(read(reader, "one")).toEqual([4, "eins"]);
  });

  test("creates no empty file when its file is removed", () => {
    const reader = open();
    renameSync(path, `${path}.aside`);
    expect(() => reader.first(FIND, ["one"])).toThrow(/removed or replaced/);
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.aside`, path);
    time += 1000;
    expect(read(reader, "one")).toEqual([1, "eins"]);
  });

  test("does not read after it is closed", () => {
    const reader = open();
    expect(read(reader, "one")).toEqual([1, "eins"]);
    reader.close();
    expect(() => reader.first(FIND, ["one"])).toThrow(/closed/);
  });
});
