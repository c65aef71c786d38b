import { afterEach, beforeEach } from "bun:test";
import { join } from "node:path";
import { createTemporaryFolder, type Sqld, standFor, startSqld } from "#kit";
import { openStore, type Store } from "#store";

export const project = join(import.meta.dir, "../../..");

export const migrations = join(project, "drizzle");

/** What a store may stand on. Every table of scenarios runs on both. */
export const BACKENDS = ["file", "sqld"] as const;

/** An empty database, and the stores and processes on it. */
export interface Backend {
  readonly url: string;
  /** Only of a server. */
  readonly sqld: Sqld | undefined;
  open(): Promise<Store>;
  /** Runs a script that has `store` and `print(line)`, and gives its lines; `kill` after that many lines. */
  run(
    script: string,
    killAfter?: number,
  ): Promise<{ readonly code: number; readonly lines: readonly string[] }>;
  close(): Promise<void>;
}

export async function startBackend(kind: (typeof BACKENDS)[number]): Promise<Backend> {
  const folder = createTemporaryFolder("limpid-backend-");
  const sqld = kind === "sqld" ? await startSqld() : undefined;
  const url = sqld?.url ?? `file:${join(folder, "a.db")}`;
  const stores: Store[] = [];
  return {
    url,
    sqld,
    async open() {
      const store = await openStore({ url, migrations });
      stores.push(store);
      return store;
    },
    async run(script, killAfter = Number.POSITIVE_INFINITY) {
      const text = `
        import { openStore } from "#store";
        const store = await openStore({ url: ${JSON.stringify(url)}, migrations: ${JSON.stringify(migrations)} });
        const print = (line) => process.stdout.write(line + "\\n");
        ${script}
        await store.close();`;
      const child = Bun.spawn([process.execPath, "-e", text], {
        cwd: project,
        stdout: "pipe",
        stderr: "inherit",
      });
      const decoder = new TextDecoder();
      let out = "";
      for await (const chunk of child.stdout) {
        out += decoder.decode(chunk, { stream: true });
        if (out.split("\n").length > killAfter) child.kill("SIGKILL");
      }
      return { code: await child.exited, lines: out.split("\n").slice(0, -1) };
    },
    async close() {
      for (const store of stores) await store.close();
      await sqld?.close();
    },
  };
}

/** Starts a backend and a store on it before each test of a `describe`. They stand for them then. */
export function setUpBackend(kind: (typeof BACKENDS)[number]): {
  readonly backend: Backend;
  readonly store: Store;
} {
  let backend: Backend | undefined;
  let store: Store | undefined;
  beforeEach(async () => {
    backend = await startBackend(kind);
    store = await backend.open();
  });
  afterEach(() => backend?.close());
  return { backend: standFor(() => backend), store: standFor(() => store) };
}
