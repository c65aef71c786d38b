import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { replaceFile } from "./replace_file.ts";

const WholeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A file of a download that was accepted: which of the feed's files, its name on disk, what to ask the server with. */
const KeptFileSchema = v.object({
  index: WholeSchema,
  url: v.string(),
  name: v.pipe(v.string(), v.regex(/^\d{1,2}-[0-9a-f]{16}\.data$/)),
  bytes: WholeSchema,
  etag: v.exactOptional(v.string()),
  lastModified: v.exactOptional(v.string()),
});

/** See {@link Extent}. */
const ExtentSchema = v.object({ ipv4: WholeSchema, ipv6: WholeSchema, networks: WholeSchema });

/** All moments in milliseconds since the epoch. What else there is makes it a state of somebody else's. */
const FeedRecordSchema = v.strictObject({
  /** The last good download; absent before the first. */
  good: v.exactOptional(
    v.object({
      files: v.array(KeptFileSchema),
      rows: WholeSchema,
      stripped: WholeSchema,
      /** What it covers; absent where a version that did not measure it downloaded it. */
      extent: v.exactOptional(ExtentSchema),
      date: v.exactOptional(v.string()),
      /** When it was downloaded, and when the server last said that it is still the newest. */
      fetchedAt: WholeSchema,
      checkedAt: WholeSchema,
    }),
  ),
  /** Failures since the last success, and what the last one was. */
  failures: WholeSchema,
  error: v.exactOptional(
    v.object({
      at: WholeSchema,
      problem: v.string(),
      reason: v.exactOptional(v.picklist(["implausible"])),
    }),
  ),
  /** Not to be asked again before. */
  dueAt: WholeSchema,
});

/** The state as it is written: `seal` is the XXH3-64 of the JSON of all the rest, so that no digit of it turns unseen. */
const StateSchema = v.looseObject({ seal: v.exactOptional(v.string()) });

export type KeptFile = v.InferOutput<typeof KeptFileSchema>;
export type FeedRecord = v.InferOutput<typeof FeedRecordSchema>;

const NOTHING: FeedRecord = { failures: 0, dueAt: 0 };
const STATE = "state.json";
/** A file this much older than the state belongs to no download that is still being made. */
const LEFT_BEHIND_MS = 600_000;

/**
 * What is kept of every feed on disk: a folder each, with the files of the last good download and `state.json`, which
 * names them. The state is replaced as a whole and last, so that at every moment it names a complete download.
 */
export class FeedShelf {
  readonly directory: string;
  readonly #records = new Map<string, FeedRecord>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** What is known of a feed; read from disk on first sight. A state that cannot be read is none. */
  record(id: string): FeedRecord {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const read = readRecord(join(this.directory, id));
    this.#records.set(id, read);
    return read;
  }

  /** Takes over what another process has downloaded since. */
  reload(id: string): void {
    const known = this.record(id);
    const read = readRecord(join(this.directory, id));
    if ((read.good?.checkedAt ?? 0) > (known.good?.checkedAt ?? 0)) this.#records.set(id, read);
  }

  /**
   * Writes a downloaded file beside those in use. Its name follows from its content, so the same one is not written twice.
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

  /** Whether a file on disk is, byte for byte, what was downloaded. Reads all of it, beside what else goes on. */
  async isWhole(id: string, { name, bytes }: Pick<KeptFile, "name" | "bytes">): Promise<boolean> {
    try {
      const file = Bun.file(this.path(id, name));
      return file.size === bytes && isDownloaded(name, await file.bytes());
    } catch {
      return false;
    }
  }

  /**
   * Takes a download out of use whose files are damaged or not to be believed, so that it is asked for as if there
   * never was one.
   */
  forget(id: string, error?: FeedRecord["error"]): void {
    try {
      this.save(id, error === undefined ? NOTHING : { ...NOTHING, error });
    } catch {
      // On disk the old state stands, and is found to be damaged again.
    }
  }

  path(id: string, name: string): string {
    return join(this.directory, id, name);
  }

  /**
   * Makes `record` the state of the feed, in memory in any case.
   * @throws the file system's error; on disk the old state then stands.
   */
  save(id: string, record: FeedRecord): void {
    this.#records.set(id, record);
    mkdirSync(join(this.directory, id), { recursive: true });
    const sealed = { ...record, seal: sealOf(record) };
    replaceFile(this.path(id, STATE), new TextEncoder().encode(`${JSON.stringify(sealed, undefined, 2)}\n`));
  }

  /**
   * Removes files that neither the state in memory nor the one on disk names; young ones stay, because another process
   * may be about to name them.
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
        if (savedMs - statSync(path).mtimeMs > LEFT_BEHIND_MS) rmSync(path);
      }
    } catch {
      // What cannot be removed now is removed the next time.
    }
  }
}

/** Whether bytes are those that a file of the shelf was named after. */
export function isDownloaded(name: string, bytes: Uint8Array): boolean {
  return name.slice(name.indexOf("-") + 1) === `${hashOf(bytes)}.data`;
}

function hashOf(bytes: Uint8Array): string {
  return Bun.hash.xxHash3(bytes).toString(16).padStart(16, "0");
}

function sealOf(record: object): string {
  return hashOf(new TextEncoder().encode(JSON.stringify(record)));
}

/** A state without a seal is one of before, or written by hand. */
function readRecord(folder: string): FeedRecord {
  try {
    const state = v.parse(StateSchema, JSON.parse(readFileSync(join(folder, STATE), "utf8")));
    const { seal, ...rest } = state;
    if (seal !== undefined && seal !== sealOf(rest)) return NOTHING;
    const record = v.parse(FeedRecordSchema, rest);
    const isWhole = record.good?.files.every(
      ({ name, bytes }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
    );
    if (isWhole !== false) return record;
  } catch {
    // Absent, damaged or not ours: as good as new.
  }
  return NOTHING;
}
