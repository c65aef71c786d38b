import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ERRNO = { ENOSPC: 28, EIO: 5 } as const;
export type Errno = keyof typeof ERRNO;

/** A disk that fails on command, for the processes that are started with its environment. */
export interface FailingDisk {
  readonly env: Readonly<Record<string, string>>;
  /** The `n`-th write from now on fails, and all that follow it. */
  failFrom(n: number, errno: Errno): void;
  /** Lets writes work again. Returns how many writes have failed. */
  heal(): number;
}

/** The C compiler of this machine (package `gcc`), or null. */
export const COMPILER = Bun.which("cc") ?? Bun.which("gcc");

/** Compiles `fail_io.c`. Undefined without a C compiler. */
export function createFailingDisk(folder: string, under: string): FailingDisk | undefined {
  if (COMPILER === null) return undefined;
  const library = join(folder, "fail_io.so");
  const source = join(import.meta.dir, "fail_io.c");
  const built = Bun.spawnSync([COMPILER, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
  if (!built.success) throw new Error(`Cannot compile "${source}": ${built.stderr.toString()}`);
  const control = join(folder, "control");
  const set = (numbers: readonly number[]) => {
    // In place: the process has mapped this very file.
    const bytes = Buffer.alloc(4096);
    numbers.forEach((number, index) => {
      bytes.writeInt32LE(number, 4 * index);
    });
    writeFileSync(control, bytes, { flag: "r+" });
  };
  writeFileSync(control, Buffer.alloc(4096));
  return {
    env: { LD_PRELOAD: library, FAIL_IO_CONTROL: control, FAIL_IO_UNDER: under },
    failFrom: (n, errno) => set([n, ERRNO[errno], 0]),
    heal() {
      const failed = readFileSync(control).readInt32LE(8);
      set([0, 0, 0]);
      return failed;
    },
  };
}
