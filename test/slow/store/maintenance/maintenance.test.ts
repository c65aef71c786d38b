import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { closeAfterEach, createTemporaryFolder } from "#kit";
import {
  backupDatabase,
  checkDatabase,
  type MaintenanceError,
  measureDatabase,
  openStore,
  pruneDatabase,
  restoreDatabase,
  type Store,
} from "#store";
import { lockFile } from "../../../../src/store/maintenance/restore_database.ts";
import { createDictionaryCache } from "../../../../src/store/reports/dictionaries.ts";
import { encodeAssessment, encodeDocument } from "../../../../src/store/reports/documents.ts";
import { makeReport } from "../../../store/make_report.ts";
import { BACKENDS, migrations, startBackend } from "../backend.ts";

const project = join(import.meta.dir, "../../../..");
const program = [process.execPath, join(project, "src/main.ts")];
const NOW = 1_790_000_000_000;
const DAY = 86_400_000;

/** A writer that waited for something would wait far longer; a busy machine's disk alone may take a good part of it. */
const HELD_UP_MS = 1500;

const closeLater = closeAfterEach();

const makeFolder = () => createTemporaryFolder("limpid-maintenance-");

/** A new folder, and in it the places of a database and of its backup; those with a number of reports are made. */
async function choosePlaces(given: { readonly reports?: number; readonly saved?: number } = {}) {
  const folder = makeFolder();
  const [path, file] = [join(folder, "a.db"), join(folder, "b.db")];
  if (given.saved !== undefined) {
    await makeDatabase(file, given.saved);
    await fold(file);
  }
  if (given.reports !== undefined) await makeDatabase(path, given.reports);
  return { folder, path, file };
}

function at(path: string) {
  return { url: `file:${path}`, migrations };
}

function addressOf(n: number): string {
  return `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}

const survey = JSON.stringify({ runs: Array.from({ length: 200 }, (_, n) => `${n}: ${Math.sqrt(n)}`) });

/** A database of that many reports, one a minute back from `NOW`. */
async function makeDatabase(path: string, reports: number): Promise<void> {
  const store = await openStore(at(path));
  await store.save(makeReport(addressOf(0), NOW), survey);
  await store.ratings.saveVote({ address: addressOf(0), scenario: "ai", voter: "v", day: 1, rating: 4 });
  await store.close();
  // The other rows are written in one transaction: saved one by one, each would wait for the disk.
  const dictionary = createDictionaryCache().ofRuns([]);
  const client = createClient({ url: `file:${path}`, concurrency: 1, timeout: 2000 });
  await client.batch(
    Array.from({ length: reports - 1 }, (_, n) => {
      const { address, surveyedAt, assessment } = makeReport(addressOf(n + 1), NOW - (n + 1) * 60_000);
      const document = encodeAssessment(assessment, dictionary);
      const args = [address, surveyedAt, document, encodeDocument(address, survey, dictionary)];
      return { sql: "INSERT INTO reports VALUES (?1, ?2, 1, 3, ?3, ?4)", args };
    }),
    "write",
  );
  client.close();
  await execute(
    path,
    "INSERT OR IGNORE INTO history (address, surveyed_at, purity, band, scoring_version) SELECT address, surveyed_at, 97, 'pristine', 1 FROM reports",
  );
  await letGo();
}

async function execute(path: string, sql: string) {
  const client = createClient({ url: `file:${path}`, concurrency: 1, timeout: 2000 });
  try {
    return (await client.execute(sql)).rows;
  } finally {
    client.close();
  }
}

/** The driver keeps closed files open, and locked, until its memory is cleared away. */
async function letGo(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    Bun.gc(true);
    await Bun.sleep(1);
  }
}

/** Makes the file alone the whole database, as a backup is. */
async function fold(path: string): Promise<void> {
  await letGo();
  await execute(path, "PRAGMA journal_mode=DELETE");
  await letGo();
}

async function countReports(path: string): Promise<number> {
  return Number((await execute(path, "SELECT count(*) FROM reports"))[0]?.[0]);
}

/** Another process that saves report after report, counts those that were acknowledged, and tells how long each took. */
async function startWriter(path: string, pauseMs = 1) {
  const child = Bun.spawn(
    [
      process.execPath,
      "-e",
      `import { openStore } from "#store";
       import { makeReport } from "./test/store/make_report.ts";
       const store = await openStore(${JSON.stringify(at(path))});
       const took = [];
       let ended = false, n = 0;
       process.on("SIGTERM", () => { ended = true; });
       while (!ended) {
         n += 1;
         const startedAt = performance.now();
         await store.save(makeReport("203." + (n >> 16) + "." + ((n >> 8) & 255) + "." + (n & 255), ${NOW} + n), "{}");
         took.push(performance.now() - startedAt);
         process.stdout.write(n + "\\n");
         await Bun.sleep(${pauseMs});
       }
       await store.close();
       took.sort((a, b) => a - b);
       const of = (share) => took[Math.floor(took.length * share)];
       process.stdout.write(JSON.stringify({ p50: of(0.5), p99: of(0.99), longest: took.at(-1) }) + "\\n");`,
    ],
    { cwd: project, stdout: "pipe", stderr: "inherit" },
  );
  closeLater(() => child.kill("SIGKILL"));
  const decoder = new TextDecoder();
  let text = "";
  let acknowledged = 0;
  const reading = (async () => {
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      acknowledged = Number(text.slice(0, text.lastIndexOf("\n")).split("\n").at(-1)) || acknowledged;
    }
  })();
  while (acknowledged < 20) await Bun.sleep(5);
  return {
    acknowledged: () => acknowledged,
    process: child,
    /** @throws when a save was refused. */
    async stop(): Promise<{ p50: number; p99: number; longest: number; saved: number }> {
      child.kill("SIGTERM");
      if ((await child.exited) !== 0) throw new Error("the writer could not write");
      await reading;
      const [saved, figures = ""] = text.trimEnd().split("\n").slice(-2);
      return { ...JSON.parse(figures), saved: Number(saved) };
    },
  };
}

/** A command of its own process, to be killed, or with too little room for what it writes. */
function spawnDb(args: readonly string[], path: string, limit = "") {
  const command = [process.execPath, join(project, "src/main.ts"), "db", ...args];
  const child = Bun.spawn(
    limit === "" ? command : ["sh", "-c", `trap '' XFSZ; ${limit}; exec "$@"`, "sh", ...command],
    {
      cwd: project,
      env: {
        PATH: Bun.env.PATH ?? "",
        HOME: Bun.env.HOME ?? "",
        LIMPID_DATABASE_URL: `file:${path}`,
        LIMPID_DATA_DIR: join(path, ".."),
      },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  closeLater(() => child.kill("SIGKILL"));
  return child;
}

/** Gives the moment when a name with that ending stands in the folder. */
async function waitForPart(folder: string): Promise<void> {
  for (let turn = 0; turn < 20_000; turn += 1) {
    if (readdirSync(folder).some((name) => name.endsWith(".part"))) return;
    await Bun.sleep(1);
  }
  throw new Error("no part was begun");
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: MaintenanceError) => thrown,
  );
  return error === undefined ? "none" : (error.problem ?? `${error.name}: ${error.message}`);
}

describe("backupDatabase()", () => {
  test("saves one moment while another process writes, twenty times, and holds nobody up", async () => {
    const { folder, path } = await choosePlaces({ reports: 2000 });
    const writer = await startWriter(path);
    for (let turn = 1; turn <= 20; turn += 1) {
      await Bun.sleep(1);
      const before = writer.acknowledged();
      const file = join(folder, `backup-${turn}.db`);
      const made = await backupDatabase(at(path), file, { force: false, program });
      expect(made).toMatchObject({ check: { isSound: true, structure: "ok" } });
      const [row] = await execute(
        file,
        "SELECT count(*) AS n, max(surveyed_at) AS last FROM reports WHERE address LIKE '203.%'",
      );
      // One by one and no gap: it holds the first n and no other.
      expect(Number(row?.n)).toBeGreaterThanOrEqual(before);
      expect(Number(row?.last)).toBe(NOW + Number(row?.n));
      expect(existsSync(`${file}-wal`)).toBe(false);
      rmSync(file);
    }
    const { p99, saved } = await writer.stop();
    expect(p99).toBeLessThan(HELD_UP_MS);
    expect(await countReports(path)).toBe(2000 + saved);
    expect(readdirSync(folder).filter((name) => name.includes("backup"))).toEqual([]);
  });

  test("opens alone and gives every document, survey, history and vote back as they were", async () => {
    const { path, file } = await choosePlaces({ reports: 50 });
    await backupDatabase(at(path), file, { force: false, program });
    const [left, right] = [await openStore(at(path)), await openStore(at(file))];
    for (const store of [left, right]) closeLater(() => store.close());
    for (let n = 0; n < 50; n += 1) {
      const read = async (store: Store) => [
        await store.find(addressOf(n)),
        await store.findSurvey(addressOf(n)),
        await store.history(addressOf(n)),
      ];
      expect(await read(right)).toEqual(await read(left));
    }
    expect((await right.find(addressOf(0)))?.votes).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
  });

  test("replaces no file unless it is told to, and never the database or one at work", async () => {
    const { folder, path, file } = await choosePlaces({ reports: 3 });
    writeFileSync(file, "precious");
    const save = (target: string, force: boolean) =>
      problemOf(backupDatabase(at(path), target, { force, program }));
    expect(await save(file, false)).toBe("unwritable");
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect(await save(path, true)).toBe("unwritable");
    expect(await save(folder, true)).toBe("unwritable");
    expect(await save(join(folder, "no", "b.db"), true)).toBe("unwritable");
    writeFileSync(`${file}-wal`, "log");
    expect(await save(file, true)).toBe("in_use");
    rmSync(`${file}-wal`);
    expect(await save(file, true)).toBe("none");
    expect(await countReports(file)).toBe(3);
    expect(statSync(file).mode & 0o777).toBe(statSync(path).mode & 0o777);
  });

  test("saves nothing that is not there, not ours, or damaged", async () => {
    const { folder, path, file } = await choosePlaces();
    const save = () => problemOf(backupDatabase(at(path), file, { force: false, program }));
    expect(await save()).toBe("missing");
    expect(readdirSync(folder)).toEqual([]);
    await execute(path, "CREATE TABLE other (a)");
    expect(await save()).toBe("damaged");
    writeFileSync(path, "x".repeat(9000));
    expect(await save()).toBe("damaged");
    rmSync(path);
    await makeDatabase(path, 400);
    damage(path);
    expect(await save()).toBe("damaged");
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("part"))).toEqual([]);
  });

  test("leaves nothing behind on a full disk, and the database as it was", async () => {
    const { folder, path, file } = await choosePlaces({ reports: 2000 });
    await execute(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const before = Bun.hash(readFileSync(path));
    const child = spawnDb(["backup", file], path, "ulimit -f 1000");
    expect(await new Response(child.stderr).text()).toStartWith("Cannot save database");
    expect(await child.exited).toBe(73);
    expect(readdirSync(folder).filter((name) => name.startsWith("b.db"))).toEqual([]);
    expect(Bun.hash(readFileSync(path))).toBe(before);
  });

  test("killed in the middle, leaves the database alone, and the next one clears up", async () => {
    const { folder, path, file } = await choosePlaces({ reports: 5000 });
    const child = spawnDb(["backup", file], path);
    await waitForPart(folder);
    child.kill("SIGKILL");
    await child.exited;
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toHaveLength(1);
    expect(await checkDatabase(at(path))).toMatchObject({ isSound: true, reports: 5000 });
    await backupDatabase(at(path), file, { force: false, program });
    expect(readdirSync(folder).filter((name) => name.startsWith("b.db"))).toEqual(["b.db"]);
    expect(await countReports(file)).toBe(5000);
  });

  test("copies a server's database as it was at one moment, every table of it, into a file that opens alone", async () => {
    const backend = await startBackend("sqld");
    closeLater(() => backend.close());
    const store = await backend.open();
    for (let n = 0; n < 230; n += 1) await store.save(makeReport(addressOf(n), NOW + n), survey);
    await store.ratings.saveVote({ address: addressOf(0), scenario: "ai", voter: "v", day: 1, rating: 4 });
    await store.budgets.settle(9, [{ id: "a", limit: 5, wanted: 3, correction: 0 }]);
    await store.challenges.use("c", NOW, 1);
    const file = join(makeFolder(), "b.db");
    let saved = 0;
    let isStopped = false;
    const writing = (async () => {
      for (; !isStopped; saved += 1) await store.save(makeReport(addressOf(1000 + saved), NOW), "{}");
    })();
    const made = await backupDatabase({ url: backend.url, migrations }, file, { force: false, program });
    isStopped = true;
    await writing;
    // The first ones of the reports that were saved meanwhile, and no other.
    const added = made.check.reports - 230;
    expect(made.check).toMatchObject({ isSound: true, history: made.check.reports });
    expect(added).toBeLessThan(saved);
    const copy = await openStore(at(file));
    closeLater(() => copy.close());
    for (let n = 0; n < saved; n += 1)
      expect((await copy.find(addressOf(1000 + n))) !== undefined).toBe(n < added);
    for (const n of [0, 199, 200, 229]) {
      expect(await copy.find(addressOf(n))).toEqual(await store.find(addressOf(n)));
      expect(await copy.findSurvey(addressOf(n))).toBe(survey);
    }
    expect(await copy.budgets.read(9)).toEqual(new Map([["a", 3]]));
    expect(await copy.challenges.use("c", NOW, 1)).toBe(false);
  });
});

/** Overwrites pages in the middle of the file. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, Math.floor(bytes.length / 8192) * 4096, Math.floor(bytes.length / 8192) * 4096 + 40_960);
  writeFileSync(path, bytes);
}

describe("restoreDatabase()", () => {
  const now = () => NOW;

  test("puts a backup in the place of the database, and keeps the one of before aside", async () => {
    const { path, file } = await choosePlaces({ reports: 40 });
    await backupDatabase(at(path), file, { force: false, program });
    const store = await openStore(at(path));
    const kept = await store.find(addressOf(7));
    await store.save(makeReport(addressOf(7), NOW + 9, 11), "{}");
    await store.close();
    await letGo();
    const made = await restoreDatabase(at(path), file, { now });
    expect(made).toMatchObject({ path, aside: `${path}.before-20260921T141320Z`, check: { reports: 40 } });
    const again = await openStore(at(path));
    closeLater(() => again.close());
    expect(await again.find(addressOf(7))).toEqual(kept);
    expect(await again.findSurvey(addressOf(7))).toBe(survey);
    await again.save(makeReport(addressOf(8), NOW + 9, 12), "{}");
    const aside = await openStore(at(made.aside ?? ""));
    closeLater(() => aside.close());
    expect((await aside.find(addressOf(7)))?.assessment?.purity).toBe(11);
    expect((await aside.find(addressOf(8)))?.assessment?.purity).toBe(97);
    expect(await countReports(file)).toBe(40);
  });

  test("restores where there was nothing, and never over a database that it kept aside", async () => {
    const { folder, path, file } = await choosePlaces({ saved: 5 });
    const target = join(folder, "deep", "a.db");
    expect(await restoreDatabase(at(target), file, { now })).not.toHaveProperty("aside");
    expect(await countReports(target)).toBe(5);
    await makeDatabase(path, 2);
    const first = await restoreDatabase(at(path), file, { now });
    expect(await problemOf(restoreDatabase(at(path), file, { now }))).toBe("unwritable");
    expect(await countReports(first.aside ?? "")).toBe(2);
    const second = await restoreDatabase(at(path), file, { now: () => NOW + 1000 });
    expect(await countReports(second.aside ?? "")).toBe(5);
  });

  test("takes along what a killed server had only in its log, and leaves no log for the copy", async () => {
    const { path, file } = await choosePlaces({ reports: 10 });
    await backupDatabase(at(path), file, { force: false, program });
    await letGo();
    const writer = await startWriter(path);
    writer.process.kill("SIGKILL");
    await writer.process.exited;
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const made = await restoreDatabase(at(path), file, { now });
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await countReports(path)).toBe(10);
    expect(await countReports(made.aside ?? "")).toBeGreaterThanOrEqual(10 + writer.acknowledged());
    expect(await checkDatabase(at(made.aside ?? ""))).toMatchObject({ isSound: true });
  });

  test("refuses while another process has the database open, damaged or not", async () => {
    const { folder, path, file } = await choosePlaces({ reports: 300 });
    await backupDatabase(at(path), file, { force: false, program });
    const writer = await startWriter(path, 20);
    expect(await problemOf(restoreDatabase(at(path), file, { now }))).toBe("in_use");
    const { acknowledged } = writer;
    const before = acknowledged();
    while (acknowledged() < before + 5) await Bun.sleep(5);
    const handle = Bun.file(path).writer();
    handle.write(new Uint8Array(100).fill(1));
    await handle.end();
    expect(await problemOf(restoreDatabase(at(path), file, { now }))).toBe("in_use");
    writer.process.kill("SIGKILL");
    await writer.process.exited;
    expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);
  });

  test("lets a server that starts meanwhile write into the copy or nowhere", async () => {
    const folder = makeFolder();
    const [path, copy] = [join(folder, "a.db"), join(folder, "copy.db")];
    await makeDatabase(path, 3);
    await makeDatabase(copy, 7);
    await fold(copy);
    const taken = await lockFile(path);
    const start = () =>
      Bun.spawn(
        [
          process.execPath,
          "-e",
          `import { openStore } from "#store";
         import { makeReport } from "./test/store/make_report.ts";
         process.stdout.write("begins");
         const store = await openStore(${JSON.stringify(at(path))});
         await store.save(makeReport("203.0.113.1", 1), "{}");
         await store.close();`,
        ],
        { cwd: project, stdout: "pipe", stderr: "ignore" },
      );
    const starter = start();
    await starter.stdout.getReader().read();
    await Bun.sleep(200);
    renameSync(path, join(folder, "aside.db"));
    renameSync(copy, path);
    taken.release();
    // It had opened the file of before: SQLite tells that this has moved, and the next start finds the copy.
    const wasLate = (await starter.exited) === 0;
    expect(await countReports(path)).toBe(wasLate ? 8 : 7);
    expect(await countReports(join(folder, "aside.db"))).toBe(3);
    expect(await start().exited).toBe(0);
    expect(await countReports(path)).toBe(8);
  });

  test("replaces no database that is too damaged to lock, until it is moved away", async () => {
    const { folder, path, file } = await choosePlaces({ saved: 30 });
    writeFileSync(path, "x".repeat(9000));
    await expect(restoreDatabase(at(path), file, { now })).rejects.toThrow("move it away");
    expect(readFileSync(path, "utf8")).toBe("x".repeat(9000));
    renameSync(path, join(folder, "aside.db"));
    await restoreDatabase(at(path), file, { now });
    expect(await checkDatabase(at(path))).toMatchObject({ isSound: true, reports: 30 });
  });

  test("refuses a file that is missing, damaged, foreign, newer or at work, and changes nothing", async () => {
    const { folder, path, file } = await choosePlaces({ reports: 3 });
    await execute(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const before = Bun.hash(readFileSync(path));
    const restore = () => problemOf(restoreDatabase(at(path), file, { now }));
    expect(await restore()).toBe("missing");
    writeFileSync(file, "not a database ".repeat(900));
    expect(await restore()).toBe("damaged");
    rmSync(file);
    await execute(file, "CREATE TABLE other (a)");
    expect(await restore()).toBe("damaged");
    rmSync(file);
    await makeDatabase(file, 400);
    await fold(file);
    writeFileSync(`${file}-wal`, "log");
    expect(await restore()).toBe("in_use");
    rmSync(`${file}-wal`);
    await execute(file, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)");
    expect(await restore()).toBe("newer");
    await execute(file, "DELETE FROM __drizzle_migrations WHERE hash = 'x'");
    for (const [make, remove] of [
      ["CREATE TABLE extra (a)", "DROP TABLE extra"],
      ["CREATE VIEW extra AS SELECT 1", "DROP VIEW extra"],
      ["CREATE TRIGGER extra AFTER INSERT ON reports BEGIN DELETE FROM history; END", "DROP TRIGGER extra"],
    ] as const) {
      await execute(file, make);
      await fold(file);
      expect(await restore()).toBe("damaged");
      await execute(file, remove);
      await fold(file);
    }
    truncateSync(file, Math.floor(statSync(file).size / 2));
    expect(await restore()).toBe("damaged");
    expect(await problemOf(restoreDatabase(at(path), path, { now }))).toBe("unsupported");
    expect(Bun.hash(readFileSync(path))).toBe(before);
    expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);
    const remote = { url: "http://db.example", migrations };
    expect(await problemOf(restoreDatabase(remote, path, { now }))).toBe("unsupported");
  });

  test("killed at any moment, leaves one of the two databases whole", async () => {
    const { folder, path, file } = await choosePlaces({ saved: 3000, reports: 50 });
    const found: number[] = [];
    for (const delayMs of [0, 30, 100, 200, 300, 400, 500]) {
      // The next open of the file takes the locks from connections of this process that are closed but not yet cleared
      // away. Such a connection would read the file while the restore replaces it.
      await letGo();
      const child = spawnDb(["restore", file], path);
      await waitForPart(folder);
      await Bun.sleep(delayMs);
      child.kill("SIGKILL");
      await child.exited;
      await letGo();
      const check = await checkDatabase(at(path));
      expect(check.problems).toEqual([]);
      found.push(check.reports);
      await letGo();
      const store = await openStore(at(path));
      await store.ping();
      await store.close();
      for (const name of readdirSync(folder)) {
        if (name.endsWith(".part")) rmSync(join(folder, name), { recursive: true });
      }
    }
    expect(found[0]).toBe(50);
    expect(found.every((count) => count === 50 || count === 3000)).toBe(true);
  });

  test("leaves nothing behind on a full disk", async () => {
    const { folder, path, file } = await choosePlaces({ saved: 2000, reports: 5 });
    const child = spawnDb(["restore", file], path, "ulimit -f 1000");
    expect(await child.exited).toBe(73);
    expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([]);
    expect(await checkDatabase(at(path))).toMatchObject({ isSound: true, reports: 5 });
  });
});

describe("checkDatabase()", () => {
  test("finds nothing wrong with what limpid wrote, while another process writes, and changes no byte", async () => {
    const { path } = await choosePlaces({ reports: 700 });
    await execute(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const before = Bun.hash(readFileSync(path));
    expect(await checkDatabase(at(path))).toEqual({
      form: "known",
      isSound: true,
      problems: [],
      problemCount: 0,
      reports: 700,
      history: 700,
      unread: 0,
      structure: "ok",
    });
    expect(Bun.hash(readFileSync(path))).toBe(before);
    const writer = await startWriter(path);
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await checkDatabase(at(path))).toMatchObject({ isSound: true });
    }
    expect((await writer.stop()).p99).toBeLessThan(HELD_UP_MS);
  });

  test("checks a server", async () => {
    const backend = await startBackend("sqld");
    closeLater(() => backend.close());
    const store = await backend.open();
    for (let n = 0; n < 5; n += 1) await store.save(makeReport(addressOf(n), NOW), survey);
    const check = await checkDatabase({ url: backend.url, migrations });
    expect(check).toMatchObject({ isSound: true, reports: 5, history: 5 });
  });

  test.each([
    { name: "a document of something else", sql: "UPDATE reports SET assessment = 'x'", says: "is damaged" },
    {
      name: "a document of another address",
      sql: `UPDATE reports SET assessment = (SELECT assessment FROM reports WHERE address = '${addressOf(2)}') WHERE address = '${addressOf(1)}'`,
      says: `report "${addressOf(1)}": its document is damaged`,
    },
    {
      name: "a survey that does not unpack",
      sql: "UPDATE reports SET survey = x'00' WHERE rowid = 2",
      says: "its survey is damaged",
    },
    {
      name: "a key that is not an address",
      sql: "UPDATE reports SET address = '1.2.3' WHERE rowid = 1",
      says: 'report "1.2.3": its address is not in canonical form',
    },
    {
      name: "a change by a newer version",
      sql: "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)",
      says: "newer version",
    },
  ])("finds $name", async ({ sql, says }) => {
    const { path } = await choosePlaces({ reports: 3 });
    await execute(path, sql);
    const check = await checkDatabase(at(path));
    expect(check.isSound).toBe(false);
    expect(check.problems.join("\n")).toContain(says);
  });

  test("counts a document in an old format and a conclusion without a report as no problem", async () => {
    const { path } = await choosePlaces({ reports: 3 });
    await execute(path, `UPDATE reports SET assessment = '{"old":1}' WHERE rowid = 1`);
    await execute(path, "DELETE FROM reports WHERE rowid = 2");
    expect(await checkDatabase(at(path))).toMatchObject({ isSound: true, unread: 1, reports: 2 });
  });

  test("finds damaged pages, a cut file and a file of something else", async () => {
    const { folder, path } = await choosePlaces({ reports: 600 });
    await fold(path);
    const cut = join(folder, "cut.db");
    copyFileSync(path, cut);
    truncateSync(cut, 20_000);
    damage(path);
    for (const file of [path, cut]) {
      expect(await checkDatabase(at(file))).toMatchObject({ isSound: false, structure: "damaged" });
    }
    writeFileSync(cut, "x".repeat(9000));
    expect(await checkDatabase(at(cut))).toMatchObject({ isSound: false, problemCount: 1 });
    expect(readFileSync(cut, "utf8")).toBe("x".repeat(9000));
    expect(await problemOf(checkDatabase(at(join(folder, "none.db"))))).toBe("missing");
    expect(existsSync(join(folder, "none.db"))).toBe(false);
  });
});

describe("pruneDatabase()", () => {
  test.each(BACKENDS.map((kind) => ({ kind })))(
    "deletes what is too old with its history, and keeps votes and the rest: $kind",
    async ({ kind }) => {
      const backend = await startBackend(kind);
      closeLater(() => backend.close());
      const store = await backend.open();
      for (let n = 0; n < 30; n += 1) {
        const surveyedAt = NOW - (n % 3) * DAY;
        await store.save(makeReport(addressOf(n), surveyedAt - 9 * DAY), survey);
        await store.save(makeReport(addressOf(n), surveyedAt), survey);
      }
      await store.ratings.saveVote({ address: addressOf(2), scenario: "ai", voter: "v", day: 1, rating: 4 });
      // An assessment of a report that is gone leaves no conclusion.
      await store.rescore(makeReport("203.0.113.1", NOW - 8 * DAY));
      expect(await store.history("203.0.113.1")).toEqual([]);
      const before = NOW - DAY - 1;
      const done = await pruneDatabase({ url: backend.url }, { before });
      expect(done).toMatchObject({ reports: 10, history: 20, isDone: true });
      for (let n = 0; n < 30; n += 1) {
        const isOld = n % 3 === 2;
        expect((await store.find(addressOf(n))) === undefined).toBe(isOld);
        expect(await store.history(addressOf(n))).toHaveLength(isOld ? 0 : 2);
      }
      expect(await store.ratings.read(addressOf(2))).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
      expect(await pruneDatabase({ url: backend.url }, { before })).toMatchObject({ reports: 0, history: 0 });
    },
  );

  test("delays neither writers of another process nor this process", async () => {
    const { path } = await choosePlaces({ reports: 4000 });
    const writer = await startWriter(path);
    const ticks: number[] = [];
    const ticking = setInterval(() => ticks.push(performance.now()), 2);
    const done = await pruneDatabase(
      { url: `file:${path}` },
      { before: NOW + 1, signal: new AbortController().signal },
    );
    clearInterval(ticking);
    const { p99, saved } = await writer.stop();
    expect(done).toMatchObject({ reports: 4000, history: 4000, isDone: true });
    expect(await countReports(path)).toBe(saved);
    const gaps = ticks.slice(1).map((tick, n) => tick - (ticks[n] ?? 0));
    expect(gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.99)]).toBeLessThan(250);
    expect(p99).toBeLessThan(HELD_UP_MS);
    expect(await checkDatabase(at(path))).toMatchObject({ isSound: true });
  });

  test("stops after a batch and continues the next time", async () => {
    const { path } = await choosePlaces({ reports: 3000 });
    const ending = new AbortController();
    const pruning = pruneDatabase({ url: `file:${path}` }, { before: NOW, signal: ending.signal });
    while ((await countReports(path)) === 3000) await Bun.sleep(5);
    ending.abort();
    const first = await pruning;
    expect(first.isDone).toBe(false);
    expect(await countReports(path)).toBe(3000 - first.reports);
    const rest = await pruneDatabase({ url: `file:${path}` }, { before: NOW });
    expect(first.reports + rest.reports).toBe(2999);
  });
});

describe("measureDatabase()", () => {
  test("counts and measures, and shows no address", async () => {
    const { path } = await choosePlaces({ reports: 1500 });
    const store = await openStore(at(path));
    closeLater(() => store.close());
    await store.budgets.settle(20_717, [{ id: "a", limit: 5, wanted: 3, correction: 0 }]);
    const stats = await measureDatabase(at(path));
    expect(stats).toMatchObject({
      tables: { reports: 1500, history: 1500, ratings: 1, vote_sums: 1, budgets: 1, admissions: 0 },
      file: { bytes: statSync(path).size, walBytes: statSync(`${path}-wal`).size },
      reports: { oldest: NOW - 1499 * 60_000, newest: NOW },
    });
    const [sums] = await execute(
      path,
      "SELECT sum(length(CAST(assessment AS BLOB))), sum(length(survey)) FROM reports",
    );
    expect(stats.reports.assessmentBytes).toBe(Number(sums?.[0]));
    expect(stats.reports.surveyBytes).toBe(Number(sums?.[1]));
    expect(JSON.stringify(stats)).not.toContain("198.18.");
  });
});
