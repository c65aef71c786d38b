import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { replaceFile } from "#datasets";

const WholeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A file of an accepted download: its position in the feed's files, its name on disk, its validators for the server. */
const CachedFileSchema = v.object({
  index: WholeSchema,
  url: v.string(),
  name: v.pipe(v.string(), v.regex(/^\d{1,2}-[0-9a-f]{16}\.data$/)),
  bytes: WholeSchema,
  etag: v.exactOptional(v.string()),
  lastModified: v.exactOptional(v.string()),
});

const ExtentSchema = v.object({ ipv4: WholeSchema, ipv6: WholeSchema, networks: WholeSchema });

/** Times are in milliseconds since the epoch. A state with other fields is from another program and is ignored. */
const FeedRecordSchema = v.strictObject({
  /** The last good download; absent before the first. */
  good: v.exactOptional(
    v.object({
      files: v.array(CachedFileSchema),
      rows: WholeSchema,
      stripped: WholeSchema,
      /** What it covers; absent when an older version of this program downloaded it. */
      extent: v.exactOptional(ExtentSchema),
      date: v.exactOptional(v.string()),
      /** When it was downloaded, and when the server last confirmed that it is the newest. */
      fetchedAt: WholeSchema,
      checkedAt: WholeSchema,
    }),
  ),
  /** Failures since the last success, and the last one of them. */
  failures: WholeSchema,
  error: v.exactOptional(
    v.object({ at: WholeSchema, problem: v.string(), reason: v.exactOptional(v.picklist(["implausible"])) }),
  ),
  /** When the next download is due. */
  dueAt: WholeSchema,
});

/** The state on disk: `seal` is the XXH3-64 of the JSON of all other fields, so that damage is detected. */
const StateSchema = v.looseObject({ seal: v.exactOptional(v.string()) });

export type CachedFile = v.InferOutput<typeof CachedFileSchema>;
export type FeedRecord = v.InferOutput<typeof FeedRecordSchema>;

const EMPTY: FeedRecord = { failures: 0, dueAt: 0 };
const STATE = "state.json";
/** A file this much older than the state does not belong to a download that is under way. */
const ABANDONED_MS = 600_000;

export interface DownloadOnDisk {
  readonly id: string;
  readonly files: readonly { readonly index: number; readonly url: string; readonly path: string }[];
}

/**
 * The last good download of every feed on disk: one folder for each feed, with the files of the download and
 * `state.json`, which names them. The state is replaced as a whole and last, so it always names a complete download.
 */
export class FeedCache {
  readonly directory: string;
  readonly #records = new Map<string, FeedRecord>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Gives the record of a feed, read from disk on first use. A state that cannot be read counts as no state. */
  record(id: string): FeedRecord {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const read = readRecord(join(this.directory, id));
    this.#records.set(id, read);
    return read;
  }

  /** Reads the state again when another process has saved a newer download. */
  reload(id: string): void {
    const known = this.record(id);
    const read = readRecord(join(this.directory, id));
    if ((read.good?.checkedAt ?? 0) > (known.good?.checkedAt ?? 0)) this.#records.set(id, read);
  }

  /**
   * Writes a downloaded file beside those in use. The name is made from the content, so equal files are written once.
   * @throws the file system's error.
   */
  put(id: string, index: number, bytes: Uint8Array): { readonly name: string; readonly path: string } {
    const name = `${index}-${hashOf(bytes)}.data`;
    const path = this.path(id, name);
    mkdirSync(join(this.directory, id), { recursive: true });
    const isThere = statSync(path, { throwIfNoEntry: false })?.size === bytes.length;
    if (!isThere || !isDownloaded(name, readFileSync(path))) replaceFile(path, bytes);
    return { name, path };
  }

  /** Whether a file on disk equals the downloaded file. Reads all of it without blocking the thread. */
  async isWhole(id: string, { name, bytes }: Pick<CachedFile, "name" | "bytes">): Promise<boolean> {
    try {
      const file = Bun.file(this.path(id, name));
      return file.size === bytes && isDownloaded(name, await file.bytes());
    } catch {
      return false;
    }
  }

  /** Removes a damaged or refused download from the state, so that the next download is not conditional. */
  forget(id: string, error?: FeedRecord["error"]): void {
    try {
      this.save(id, error === undefined ? EMPTY : { ...EMPTY, error });
    } catch {
      // The old state stays on disk, and the next read finds the same damage.
    }
  }

  path(id: string, name: string): string {
    return join(this.directory, id, name);
  }

  /** Gives the files of a download with their paths. */
  locate(id: string, files: readonly CachedFile[]): DownloadOnDisk {
    return { id, files: files.map(({ index, url, name }) => ({ index, url, path: this.path(id, name) })) };
  }

  /**
   * Makes `record` the state of the feed, in memory and on disk.
   * @throws the file system's error; the old state then stays on disk.
   */
  save(id: string, record: FeedRecord): void {
    this.#records.set(id, record);
    mkdirSync(join(this.directory, id), { recursive: true });
    const sealed = { ...record, seal: sealOf(record) };
    replaceFile(this.path(id, STATE), new TextEncoder().encode(`${JSON.stringify(sealed, undefined, 2)}\n`));
  }

  /**
   * Removes files that are not in the state in memory and not in the state on disk. Young files stay, because the next
   * state of another process may name them.
   */
  sweep(id: string): void {
    const folder = join(this.directory, id);
    const records = [this.record(id), readRecord(folder)];
    const used = new Set(records.flatMap((record) => record.good?.files.map((file) => file.name) ?? []));
    try {
      const savedMs = statSync(join(folder, STATE)).mtimeMs;
      for (const name of readdirSync(folder)) {
        if (!/\.(?:data|tmp)$/.test(name) || used.has(name)) continue;
        const path = join(folder, name);
        if (savedMs - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path);
      }
    } catch {
      // A file that cannot be removed now is removed the next time.
    }
  }
}

/** Whether the bytes match the hash in the name of their file. */
export function isDownloaded(name: string, bytes: Uint8Array): boolean {
  return name.slice(name.indexOf("-") + 1) === `${hashOf(bytes)}.data`;
}

function hashOf(bytes: Uint8Array): string {
  return Bun.hash.xxHash3(bytes).toString(16).padStart(16, "0");
}

function sealOf(record: object): string {
  return hashOf(new TextEncoder().encode(JSON.stringify(record)));
}

/** A state without a seal is from an older version, or written by hand, and is accepted. */
function readRecord(folder: string): FeedRecord {
  try {
    const state = v.parse(StateSchema, JSON.parse(readFileSync(join(folder, STATE), "utf8")));
    const { seal, ...rest } = state;
    if (seal !== undefined && seal !== sealOf(rest)) return EMPTY;
    const record = v.parse(FeedRecordSchema, rest);
    const isWhole = record.good?.files.every(
      ({ name, bytes }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
    );
    if (isWhole !== false) return record;
  } catch {
    // Absent, damaged or from another program: start again.
  }
  return EMPTY;
}
