import { EXIT, ExitError } from "#app";
import { isNetworkText } from "#network";
import { createCellReader } from "./columns.ts";
import { createAddressCounts } from "./count_addresses.ts";
import { findAll, findFirst, isMistake } from "./find_in_line.ts";
import type { LineSource } from "./read_lines.ts";
import type { BatchItem } from "./rows.ts";

/** How addresses are taken from lines. */
export interface ItemOptions {
  /** Only this column is read; see {@link createCellReader}. */
  readonly column?: string;
  /** Every address of a line, not only the first one. */
  readonly all: boolean;
  /** A line or cell that is a prefix or an AS number is an item of its own. */
  readonly networks?: boolean;
  /** Every address once, with the number of lines that have it. */
  readonly unique: boolean;
}

/** What a batch judges, in the order of its rows. */
export type ItemSource = ReturnType<typeof readItems>;

/** Lines that gave no row. */
export type LeftOut = ReturnType<ItemSource["leftOut"]>;

const ITEMS_PER_GROUP = 1024;
const MAX_SHOWN = 64;

/**
 * Takes the addresses out of the lines of an input: one item for each line that has an address, about the first one.
 * Blank lines and lines that begin with # are skipped. A line without an address gives an item without one if it looks
 * like a mistake: a line of a plain list, four numbers with dots that are not an address, or a column that is not empty.
 * All other lines are counted only. With `unique` the items come when the input has been read.
 */
export function readItems(lines: LineSource, options: ItemOptions, max?: number) {
  const { column, all, unique } = options;
  let left = 0;
  let mistakes = 0;
  let firstMistake: string | undefined;
  let counted: { done: number; readonly of: number } | undefined;

  async function* readGroups(): AsyncGenerator<readonly BatchItem[]> {
    const readCell = column === undefined ? undefined : createCellReader(column);
    for await (const group of lines.groups()) {
      const items: BatchItem[] = [];
      for (const line of group) {
        const input = line.trim();
        if (input === "" || input.startsWith("#")) continue;
        const cell = readCell === undefined ? input : readCell(line);
        if (cell === undefined) continue;
        if (options.networks === true && isNetworkText(cell.trim())) {
          items.push({ input, network: cell.trim() });
          continue;
        }
        const before = items.length;
        if (all) {
          for (const address of findAll(cell)) items.push({ input, address });
        } else {
          const address = findFirst(cell);
          if (address !== undefined) items.push({ input, address });
        }
        if (items.length > before) continue;
        if (readCell === undefined ? isMistake(input) : cell !== "" && cell !== "-") {
          mistakes += 1;
          firstMistake ??= input.slice(0, MAX_SHOWN);
          items.push({ input });
        } else left += 1;
      }
      yield items;
    }
  }

  async function* countGroups(): AsyncGenerator<readonly BatchItem[]> {
    const counts = createAddressCounts(max);
    for await (const items of readGroups()) {
      for (const { address } of items) {
        if (address !== undefined && !counts.add(address)) throw tooMany(counts.size());
      }
      // An empty group lets the caller stop, and show the progress.
      yield [];
    }
    counted = { done: 0, of: counts.size() };
    let group: BatchItem[] = [];
    for (const { address, count } of counts.entries()) {
      group.push({ input: address.text, address, count });
      if (group.length < ITEMS_PER_GROUP) continue;
      counted.done += group.length;
      yield group;
      group = [];
    }
    counted.done += group.length;
    yield group;
  }

  return {
    /** @throws {ExitError} when the input cannot be read, or has no such column. */
    groups: unique ? countGroups : readGroups,
    /** How much of the input, or of the counted addresses, has been returned; `of` is absent if it is unknown. */
    progress: (): { readonly done: number; readonly of?: number } =>
      counted ?? { done: lines.bytesRead(), ...(lines.size === undefined ? {} : { of: lines.size }) },
    /** What was left out so far. */
    leftOut: () => ({
      /** Number of lines without an address. */
      lines: left,
      /** Those of them that look like a mistake; without `unique` they have a row. */
      mistakes,
      /** The first mistake, cut. */
      ...(firstMistake === undefined ? {} : { firstMistake }),
    }),
  };
}

function tooMany(max: number): ExitError {
  return new ExitError(
    EXIT.software,
    `Cannot count more than ${max} different addresses; no row was written. Give the input in parts, or leave out --unique`,
  );
}
