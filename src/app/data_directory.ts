import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Log } from "#common";
import { syncToDisk } from "#datasets";
import { EXIT, ExitError } from "./exit_codes.ts";

const SECRET_BYTES = 32;

/** The format of a secret, generated or written by the operator. */
const SECRET = /^[\x21-\x7e]{16,512}$/;

/** The data folder of a server that was started in the current folder. */
const SERVER_DATA = "./data";

/**
 * Returns the data folder of commands: `./data` if a server keeps its database there, else one in the user's data folder.
 * @throws {ExitError} when that is relative, because HOME is: no command creates a folder where it is run.
 */
export function chooseDataDirectory(userData: string): string {
  if (existsSync(join(SERVER_DATA, "limpid.db"))) return SERVER_DATA;
  if (isAbsolute(userData)) return join(userData, "limpid");
  throw new ExitError(
    EXIT.config,
    `Cannot use the data folder "${userData}": HOME is not an absolute path. Set LIMPID_DATA_DIR`,
  );
}

/** Only the owner may read what this process creates: the database holds what clients asked for. */
const UMASK = 0o077;

/**
 * Creates the data directory if it does not exist, for its owner alone, and lets this process create files for its
 * owner alone. An existing directory keeps its mode.
 * @throws {ExitError} when it cannot be created or written.
 */
export function prepareDataDirectory(directory: string): void {
  process.umask(UMASK);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ExitError(
      EXIT.cannotCreate,
      `Cannot write to the data directory "${directory}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/**
 * Reads the secret from the file `secret` in the data directory. If there is none, generates it: 32 random bytes in
 * base64url, readable by the owner only. Processes that start at the same time on a new directory get the same secret.
 * @throws {ExitError} with the file name when it cannot be read or written, or does not hold a secret.
 */
export function readSecret(directory: string, log: Log): string {
  const path = join(directory, "secret");
  try {
    const known = readSecretFile(path, log);
    if (known !== undefined) return known;
    createSecretFile(directory, path);
    const created = readSecretFile(path, log);
    if (created !== undefined) return created;
    throw new Error("the file was removed");
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError(
      EXIT.cannotCreate,
      `Cannot store a secret in "${path}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function readSecretFile(path: string, log: Log): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return undefined;
  if ((file.mode & 0o077) !== 0) log("warn", "secret_readable_by_others", { path });
  const secret = readFileSync(path, "utf8").trim();
  if (SECRET.test(secret)) return secret;
  throw new ExitError(
    EXIT.config,
    `Cannot use the secret in "${path}": it is not 16 to 512 printable ASCII characters`,
  );
}

/**
 * Writes the file under a temporary name and links it, so that readers never see a part of it. Only the first link
 * succeeds.
 */
function createSecretFile(directory: string, path: string): void {
  const temporary = join(directory, `.secret.${crypto.randomUUID()}.tmp`);
  try {
    const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
    writeFileSync(temporary, `${secret.toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
    syncToDisk(temporary);
    linkUnlessExists(temporary, path);
    syncToDisk(directory);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function linkUnlessExists(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
