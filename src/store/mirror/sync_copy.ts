import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "@libsql/client";
import type { Subprocess } from "bun";
import * as v from "valibot";
import { isDamaged, listCauses } from "../failures.ts";
import { CopyFactsSchema, findLoss, lockByFile, readCopyFacts } from "./replica_folder.ts";

/** How long the process waits for another one that still writes to the copy. */
const LOCK_WAIT_MS = 5000;

/** The hidden command that synchronizes the copy of a mirror once: see {@link runSync}. */
export const SYNC_COMMAND = "sync-copy";

const OrderSchema = v.object({
  /** The database file of the copy. */
  path: v.string(),
  primary: v.string(),
  token: v.optional(v.string()),
  /** Check the whole file before anything is added to it. */
  check: v.boolean(),
  /** What the copy must still contain. */
  known: v.optional(CopyFactsSchema),
});

export type SyncOrder = v.InferOutput<typeof OrderSchema>;

const OutcomeSchema = v.variant("kind", [
  v.object({
    kind: v.literal("done"),
    frame: v.optional(v.number()),
    added: v.optional(v.number()),
    facts: CopyFactsSchema,
  }),
  v.object({ kind: v.picklist(["damaged", "failed"]), problem: v.string() }),
]);

/** `frame`: number of the last page written; `added`: number of new pages. `late`: ended at the deadline. */
export type SyncOutcome =
  | v.InferOutput<typeof OutcomeSchema>
  | { readonly kind: "late"; readonly problem: string };

/**
 * Synchronizes a copy in a process of its own, because libSQL blocks its thread until the primary has answered. Never
 * rejects. The process is killed when `signal` aborts; the next one continues where it stopped. `program` is the
 * command line that starts this program.
 */
export async function syncInProcess(
  order: SyncOrder,
  program: readonly string[],
  signal: AbortSignal,
): Promise<SyncOutcome> {
  let child: Subprocess<Blob, "pipe", "ignore"> | undefined;
  const kill = () => child?.kill("SIGKILL");
  try {
    // The token is not among the arguments, which every user of the machine can read.
    child = Bun.spawn([...program, SYNC_COMMAND], {
      stdin: new Blob([JSON.stringify(order)]),
      stdout: "pipe",
      stderr: "ignore",
    });
    signal.addEventListener("abort", kill);
    if (signal.aborted) kill();
    const answer = await new Response(child.stdout).text();
    await child.exited;
    if (signal.aborted) return { kind: "late", problem: "the primary did not answer in time" };
    if (answer === "")
      return { kind: "failed", problem: `the process ended: ${child.signalCode ?? child.exitCode}` };
    return v.parse(OutcomeSchema, JSON.parse(answer));
  } catch (error) {
    return { kind: "failed", problem: listCauses(error) };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

/**
 * The work of the process: reads an order as JSON and returns the outcome as JSON. The process must end then, which
 * closes the files of the copy.
 */
export async function runSync(input: string): Promise<string> {
  let outcome: SyncOutcome;
  try {
    outcome = await syncCopy(v.parse(OrderSchema, JSON.parse(input)));
  } catch (error) {
    outcome = { kind: isDamaged(error) ? "damaged" : "failed", problem: listCauses(error) };
  }
  return JSON.stringify(outcome);
}

async function syncCopy({ path, primary, token, check, known }: SyncOrder): Promise<SyncOutcome> {
  // The process of a mirror that was killed may still be running, and two writers would damage the file.
  await lockByFile(join(dirname(path), "writer.db"), LOCK_WAIT_MS);
  const problem =
    (known && findLoss(path, known)) ?? (check && existsSync(path) ? await findDamage(path) : undefined);
  if (problem !== undefined) return { kind: "damaged", problem };
  const client = createClient({
    url: `file:${path}`,
    syncUrl: primary,
    ...(token === undefined ? {} : { authToken: token }),
  });
  const done = await client.sync();
  return {
    kind: "done",
    ...(done === undefined ? {} : { frame: done.frame_no, added: done.frames_synced }),
    facts: readCopyFacts(path),
  };
}

/** Checks the structure only; readers check the content of rows. */
async function findDamage(path: string): Promise<string | undefined> {
  const plain = createClient({ url: `file:${path}` });
  try {
    const { rows } = await plain.execute("PRAGMA quick_check(1)");
    const found = String(rows[0]?.quick_check);
    return found === "ok" ? undefined : found;
  } finally {
    plain.close();
  }
}
