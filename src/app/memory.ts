import { existsSync, openSync, readSync } from "node:fs";
import { totalmem } from "node:os";
import type { StartTimer } from "#common";
import { repeat } from "./timers.ts";

const MIB = 1024 * 1024;

/** What the program needs without its caches. */
const PROGRAM_BYTES = 128 * MIB;

/** Share of the remaining memory that the caches may fill, unless the operator sets it. */
const CACHE_SHARE = 0.25;

/** The caches are not smaller by default, however little memory there is. */
const MIN_DEFAULT_CACHE_BYTES = 8 * MIB;

/** The caches are not larger by default, however much memory the machine has. */
const MAX_DEFAULT_CACHE_BYTES = 512 * MIB;

/** Up to this share of the allowed memory, only the runtime decides when to collect garbage. */
const CALM_SHARE = 0.55;

/** After a collection, the memory may grow by this share of the allowed memory before the next one. */
const STEP_SHARE = 0.05;

const CHECK_MS = 100;

const STATUS_PATH = "/proc/self/status";

/** The memory of the machine, or the limit of its container. */
export function measureMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/**
 * Divides the memory. The caches get `cacheBytes`, or a quarter of what the program leaves, from 8 to 512 MiB:
 * one half is for reports, the other for replies. The process may take four times the memory of the caches beside what
 * the program needs, but not more than there is.
 */
export function planMemory(cacheBytes: number | undefined, memoryBytes = measureMemory()) {
  const share = Math.floor((memoryBytes - PROGRAM_BYTES) * CACHE_SHARE);
  const caches = cacheBytes ?? Math.min(Math.max(share, MIN_DEFAULT_CACHE_BYTES), MAX_DEFAULT_CACHE_BYTES);
  const half = Math.max(1, Math.floor(caches / 2));
  return {
    processBytes: Math.min(memoryBytes, PROGRAM_BYTES + caches / CACHE_SHARE),
    reportBytes: half,
    replyBytes: half,
  };
}

/**
 * Collects garbage when the process comes near the memory that it may take. The runtime alone waits until its heap has
 * doubled, whatever the limit of the container is. Returns a function that ends the watch.
 */
export function watchMemory({
  processBytes,
  readBytes = readResidentBytes,
  collect = () => Bun.gc(true),
  every = repeat,
}: {
  /** What the process may take, in bytes. */
  readonly processBytes: number;
  /** Reads the resident memory of the process, in bytes. */
  readonly readBytes?: () => number;
  /** Collects all garbage and returns its memory to the system. */
  readonly collect?: () => void;
  readonly every?: StartTimer;
}): () => void {
  let collectFrom = processBytes * CALM_SHARE;
  return every(CHECK_MS, () => {
    if (readBytes() < collectFrom) return;
    collect();
    // What is left is in use. Collecting again at once would only take processor time.
    collectFrom = Math.max(processBytes * CALM_SHARE, readBytes() + processBytes * STEP_SHARE);
  });
}

/** A file of proc(5), open for the life of the process; undefined on other systems. */
let statusFile: number | undefined;

/**
 * Reads the resident memory of this process in bytes. The file stays open, because reading the memory in another way
 * needs a free file descriptor, and connections of clients may take them all.
 */
function readResidentBytes(): number {
  if (!existsSync(STATUS_PATH)) return process.memoryUsage.rss();
  statusFile ??= openSync(STATUS_PATH, "r");
  const buffer = Buffer.alloc(4096);
  const text = buffer.toString("latin1", 0, readSync(statusFile, buffer, 0, buffer.length, 0));
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}
