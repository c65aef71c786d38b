/**
 * Measures `limpid batch --tables-only`: lines of an access log a second of one core, from the bytes of the log to the
 * bytes of the rows; the same for a list of addresses that are all different; and reading alone. Ends with 1 below a
 * budget. Uses the processor time of the main thread, so a busy machine gives the same result as an idle one.
 */
import { join } from "node:path";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import { createDraw } from "#kit";
import { createTableClassifier } from "#lookup";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { readItems } from "../../src/cli/batch/items.ts";
import { judgeItems } from "../../src/cli/batch/judge_items.ts";
import { readLines } from "../../src/cli/batch/read_lines.ts";
import { createRowWriter } from "../../src/cli/batch/rows.ts";
import { drawAddress, drawClients, formatLogLine, readAnnounced } from "./access_log.ts";
import { createBudget } from "./harness.ts";

const LINES = 1_000_000;
const ADDRESSES = 100_000;
const ROUNDS = 3;
const CHUNK_BYTES = 1 << 16;

/** A text, and the lines a second and core that are expected of it. */
interface Measured {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly lines: number;
  readonly budget: number;
  readonly run: (bytes: Uint8Array) => Promise<number>;
}

const tables = createTableSurvey(SOURCES, {
  datasets: openDatasets({ directory: join(import.meta.dir, "../../seed") }),
  settings: { ...NO_SETTINGS, off: new Set(FEEDS.map(({ id }) => id)) },
  now: Date.now,
});
/** Those of the command. */
const LIMITS = { facts: 40_000, addresses: 262_144 };

/** The lines of a text as the file system gives them, in chunks. */
function linesOf(bytes: Uint8Array) {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + CHUNK_BYTES));
      at += CHUNK_BYTES;
    },
  });
  return readLines(stream);
}

const itemsOf = (bytes: Uint8Array) => readItems(linesOf(bytes), { all: false, unique: false });

/** Reads the text and finds the addresses. Returns their number. */
async function findOnly(bytes: Uint8Array): Promise<number> {
  let found = 0;
  for await (const group of itemsOf(bytes).groups()) found += group.length;
  return found;
}

/**
 * Does all that `limpid batch --tables-only --format csv` does, except for the output itself, and knows no address at
 * the beginning. Returns the rows.
 */
async function judgeAll(bytes: Uint8Array): Promise<number> {
  const classifier = createTableClassifier(tables, { limits: LIMITS });
  const surveyedAt = new Date().toISOString();
  let written = 0;
  const { rows } = await judgeItems({
    items: itemsOf(bytes),
    writer: createRowWriter("csv", false),
    judgeOne: (address) => ({
      facts: classifier.classify(address),
      surveyedAt,
    }),
    parallel: 1,
    write(text) {
      written += Buffer.byteLength(text);
    },
  });
  if (written < rows * 80) throw new Error(`Cannot measure: ${written} bytes for ${rows} rows`);
  return rows;
}

async function measureRound({ bytes, lines, run }: Measured): Promise<number> {
  const before = process.threadCpuUsage();
  const rows = await run(bytes);
  const used = process.threadCpuUsage(before);
  if (rows !== lines) throw new Error(`Cannot measure: ${rows} rows for ${lines} lines`);
  return lines / ((used.user + used.system) / 1e6);
}

const announced = readAnnounced();
const draw = createDraw();
const clients = drawClients(LINES, announced, draw);
const toBytes = (lines: readonly string[]) => new TextEncoder().encode(`${lines.join("\n")}\n`);
const log = toBytes(clients.map(formatLogLine));
const list = toBytes(Array.from({ length: ADDRESSES }, () => drawAddress(announced, draw)));
const measured: readonly Measured[] = [
  { name: "access log, reading alone", bytes: log, lines: LINES, budget: 500_000, run: findOnly },
  { name: "access log", bytes: log, lines: LINES, budget: 150_000, run: judgeAll },
  { name: "list of different addresses", bytes: list, lines: ADDRESSES, budget: 20_000, run: judgeAll },
];

const budget = createBudget();
for (const one of measured) {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(await measureRound(one));
  const best = Math.max(...rates);
  budget.check(one.name, best, one.budget, "least");
  console.log(`${one.name}: ${rates.map((rate) => Math.round(rate)).join(", ")} lines/s and core`);
  console.log(`best ${Math.round(best)}, budget ${one.budget}`);
}
budget.end();
