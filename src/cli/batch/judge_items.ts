import type { Address } from "#address";
import { EXIT, ExitError } from "#app";
import type { ItemSource } from "./items.ts";
import {
  type BatchItem,
  exitCodeOf,
  type Judgement,
  type NetworkResult,
  type RowProblem,
  type RowWriter,
} from "./rows.ts";

/** The facts about one address, or "unavailable" when the lookup gave no answer. */
export type Judged = Judgement | "unavailable";

/** The progress of a batch: rows so far, and how much of the input they are from; `of` is absent if it is unknown. */
export interface BatchProgress {
  readonly rows: number;
  readonly done: number;
  readonly of?: number;
}

type Result = Judgement | NetworkResult | RowProblem;

/** Rows that are there at once are written in groups of about this size. A killed run loses one group at most. */
const CHARACTERS_PER_WRITE = 1 << 16;

/**
 * Judges the items and writes one row for each in their order. Rows that were judged at once are written when there are
 * enough, and whenever the input pauses; a row that cost a survey is written immediately. In the counts, `rows` also has
 * those of earlier runs; `unknown`: live sources answered or none was queried, but not enough is known for `failBelow`.
 * @throws {ExitError} when the rows of an earlier run do not belong to these items.
 */
export async function judgeItems(ports: {
  readonly items: ItemSource;
  readonly writer: RowWriter;
  /** Returns the answer of the tables at once. A survey that the signal aborts has none. */
  readonly judgeOne: (address: Address) => Judged | Promise<Judged | undefined>;
  /** Summarizes a prefix or an AS number; needed for items that are one. */
  readonly judgeNetwork?: (text: string) => Promise<NetworkResult | RowProblem>;
  /** Surveys at once. */
  readonly parallel: number;
  /** Receives complete rows in the order of the items. */
  readonly write: (text: string) => void | Promise<void>;
  /** The rows that an earlier run wrote. Their items are not judged again. */
  readonly written?: Iterable<string>;
  /** The output has its first line already. */
  readonly hasHead?: boolean;
  readonly failBelow?: number;
  readonly onProgress?: (progress: BatchProgress) => void;
  readonly signal?: AbortSignal;
}) {
  const { items, writer, failBelow, signal } = ports;
  const counts = { rows: 0, bad: 0, unavailable: 0, below: 0, unknown: 0 };
  const waiting: { readonly item: BatchItem; readonly result: Result | Promise<Result | undefined> }[] = [];
  const written = ports.written?.[Symbol.iterator]();
  let text = ports.hasHead === true ? "" : writer.head;

  async function flush(): Promise<void> {
    if (text !== "") {
      const rows = text;
      text = "";
      await ports.write(rows);
    }
    ports.onProgress?.({ rows: counts.rows, ...items.progress() });
  }

  function add(item: BatchItem, result: Result): void {
    counts.rows += 1;
    if (typeof result !== "string" && "network" in result) {
      text += writer.network?.(item, result) ?? "";
      return;
    }
    if (result === "unavailable") counts.unavailable += 1;
    else if (typeof result === "string") counts.bad += 1;
    else {
      const code = exitCodeOf(result.facts, failBelow);
      if (code === EXIT.below) counts.below += 1;
      else if (code === EXIT.unavailable)
        counts[result.facts.answered === 0 ? "unavailable" : "unknown"] += 1;
    }
    text += writer.row(item, result);
  }

  async function settleOldest(): Promise<void> {
    const oldest = waiting.shift();
    if (oldest === undefined) return;
    const result = await oldest.result;
    // The rows end here, so that a later run can continue them.
    if (result === undefined) waiting.length = 0;
    else add(oldest.item, result);
    if (oldest.result instanceof Promise) await flush();
  }

  function judge({ address, network }: BatchItem): Result | Promise<Result | undefined> {
    if (network !== undefined && ports.judgeNetwork !== undefined) return ports.judgeNetwork(network);
    return address === undefined ? "invalid_ip" : ports.judgeOne(address);
  }

  /** Reports whether the item has the next row of the earlier run. */
  function isWritten(item: BatchItem): boolean {
    const next = written?.next();
    if (next === undefined || next.done === true) return false;
    counts.rows += 1;
    if (!next.value.startsWith(writer.start(item))) throw otherInput(counts.rows);
    return true;
  }

  try {
    groups: for await (const group of items.groups()) {
      for (const item of group) {
        if (signal?.aborted === true) break groups;
        if (isWritten(item)) continue;
        if (waiting.length >= ports.parallel) await settleOldest();
        const result = judge(item);
        if (waiting.length === 0 && !(result instanceof Promise)) {
          add(item, result);
          if (text.length >= CHARACTERS_PER_WRITE) await flush();
          continue;
        }
        waiting.push({ item, result });
      }
      if (signal?.aborted === true) break;
      // The next group may come much later.
      while (waiting.length > 0) await settleOldest();
      await flush();
    }
  } finally {
    // An input that is damaged further on has given rows until there.
    while (waiting.length > 0) await settleOldest();
    await flush();
  }
  if (signal?.aborted !== true && written?.next().done === false) throw otherInput(counts.rows + 1);
  return counts;
}

function otherInput(row: number): ExitError {
  return new ExitError(
    EXIT.badInput,
    `Cannot continue the output: its rows belong to another input, as row ${row} shows; use another --out`,
  );
}
