import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CopyFactsSchema, findLoss, readCopyFacts } from "./replica_loss.ts";

/** Which copy of which primary a mirror's folder holds, and whether it can be relied on. */
const MarkerSchema = v.object({
  copy: v.pipe(v.number(), v.integer(), v.minValue(1)),
  primary: v.string(),
  /** Since which start of the machine. */
  boot: v.string(),
  state: v.picklist(["partial", "whole", "suspect"]),
});

/** When a copy was last in step, milliseconds since the epoch, what it held then, and since which start of the machine. */
const NoteSchema = v.object({
  copy: v.number(),
  at: v.number(),
  /** `flushed`: everything is on the disk, whatever has become of the machine since. */
  boot: v.string(),
  facts: CopyFactsSchema,
});

type Marker = v.InferOutput<typeof MarkerSchema>;

/** A copy as found: `problem` says why it cannot be relied on, if so. */
export interface FoundCopy {
  readonly copy: number;
  readonly isPartial: boolean;
  readonly lastSyncAt?: number;
  readonly problem?: string;
}

/** A mirror's folder: numbered copies of which one is served, and what is noted of them. */
export interface ReplicaFolder {
  /** The database of a copy. */
  pathOf(copy: number): string;
  /** Undefined when nothing of this primary is there. To be asked before anything is opened. */
  find(): FoundCopy | undefined;
  /** Says which copy is there; survives a kill at any moment. */
  mark(copy: number, state: Marker["state"]): void;
  /** Makes an empty place for a copy. */
  clear(copy: number): void;
  /** Removes every copy but these. */
  keepOnly(copies: readonly number[]): void;
  /** Notes that a copy is in step, milliseconds since the epoch. It must be open, and not written to meanwhile. */
  noteSync(copy: number, at: number): void;
  /** Puts the copy that was noted last on the disk, for good. It must be open, and not written to any more. */
  flush(copy: number): void;
}

/** Opens the folder of a mirror; everything in it can be made anew. */
export function openReplicaFolder(directory: string, primary: string): ReplicaFolder {
  const markerFile = join(directory, "current.json");
  const noteFile = join(directory, "synced.json");
  const folderOf = (copy: number) => join(directory, String(copy));
  const pathOf = (copy: number) => join(folderOf(copy), "replica.db");
  const boot = readBoot();
  let lastSyncAt: number | undefined;
  mkdirSync(directory, { recursive: true });

  function writeNote(copy: number, at: number, since: string): void {
    write(noteFile, { copy, at, boot: since, facts: readCopyFacts(pathOf(copy)) });
  }

  return {
    pathOf,
    find() {
      const marker = read(markerFile, MarkerSchema);
      if (marker?.primary !== primary || !existsSync(pathOf(marker.copy))) return undefined;
      const { copy, state } = marker;
      if (state === "partial") return marker.boot === boot ? { copy, isPartial: true } : undefined;
      const note = read(noteFile, NoteSchema);
      if (note?.copy !== copy) return { copy, isPartial: false, problem: "it is not known what it held" };
      lastSyncAt = note.at;
      const problem =
        state === "suspect"
          ? "it was left damaged"
          : note.boot !== boot && note.boot !== "flushed"
            ? "the machine was not shut down"
            : findLoss(pathOf(copy), note.facts);
      return { copy, isPartial: false, lastSyncAt, ...(problem === undefined ? {} : { problem }) };
    },
    mark: (copy, state) => write(markerFile, { copy, primary, boot, state }),
    clear(copy) {
      rmSync(folderOf(copy), { recursive: true, force: true });
      mkdirSync(folderOf(copy), { recursive: true });
    },
    keepOnly(copies) {
      for (const name of readdirSync(directory)) {
        if (/^\d+$/.test(name) && !copies.includes(Number(name)))
          rmSync(join(directory, name), { recursive: true, force: true });
      }
    },
    noteSync(copy, at) {
      lastSyncAt = at;
      writeNote(copy, at, boot);
    },
    flush(copy) {
      if (lastSyncAt === undefined) return;
      for (const name of readdirSync(folderOf(copy))) sync(join(folderOf(copy), name));
      writeNote(copy, lastSyncAt, "flushed");
    },
  };
}

/** Atomic. */
function write(path: string, value: unknown): void {
  writeFileSync(`${path}.tmp`, JSON.stringify(value));
  renameSync(`${path}.tmp`, path);
}

/** Undefined when it is not there, or is none of ours: what it would speak of is worth nothing without it. */
function read<const Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Another after every start of the machine (random(4)); where there is none, every start looks like the same. */
function readBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}
