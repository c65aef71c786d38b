import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { type Corrections, indexCorrections, NO_CORRECTIONS, parseCorrections } from "#evidence";
import { EXIT, ExitError } from "./exit_codes.ts";

const MAX_BYTES = 1_000_000;

/** The file is looked at this often, when somebody asks. So no timer keeps the process or ends it. */
const LOOK_MS = 1000;

/** The time of change and the size of the file, or why it cannot be read. */
function describeFile(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch (error) {
    return String(error);
  }
}

/** @throws {Error} when it is no file, larger than 1 MB, not UTF-8, or a row is wrong. */
function readFile(path: string) {
  // Opening a pipe without a writer would wait for one.
  if (!statSync(path).isFile()) throw new Error("it is not a file");
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES) + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return parseCorrections(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length)));
  } finally {
    closeSync(file);
  }
}

/**
 * Opens the operator's corrections and reads the file again within a second of a change. A file that is wrong then is
 * refused whole with the number of the row, and the last good one stays.
 * @throws {ExitError} with the number of the row when the file is wrong at the start.
 */
export function openCorrections(
  path: string | undefined,
  { now, onProblem }: { readonly now: () => number; readonly onProblem: (message: string) => void },
): Corrections {
  if (path === undefined) return NO_CORRECTIONS;
  const refuse = (error: unknown) =>
    `Cannot read corrections "${path}": ${error instanceof Error ? error.message : String(error)}`;
  let state = describeFile(path);
  let lookedAt = now();
  let today = new Date(lookedAt).toISOString().slice(0, 10);
  let revision = 1;
  let rows: ReturnType<typeof readFile>;
  try {
    rows = readFile(path);
  } catch (error) {
    throw new ExitError(EXIT.config, refuse(error));
  }
  let find = index();
  let version = describeVersion();

  function index() {
    return indexCorrections(rows.filter(({ until }) => until >= today));
  }

  function describeVersion(): string {
    return rows.some(({ until }) => until >= today) ? `${revision} ${today}` : "";
  }

  function look(path: string): void {
    const nowMs = now();
    if (Math.abs(nowMs - lookedAt) < LOOK_MS) return;
    lookedAt = nowMs;
    const current = describeFile(path);
    const day = new Date(nowMs).toISOString().slice(0, 10);
    if (current === state && day === today) return;
    today = day;
    if (current !== state) {
      state = current;
      try {
        rows = readFile(path);
        revision += 1;
      } catch (error) {
        onProblem(refuse(error));
      }
    }
    find = index();
    version = describeVersion();
  }

  return {
    version() {
      look(path);
      return version;
    },
    blocks: () => rows.flatMap(({ block }) => (typeof block === "number" ? [] : [block])),
    find: (address, asn) => find(address, asn),
  };
}
