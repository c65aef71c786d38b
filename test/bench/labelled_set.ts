import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type Address, addressFromWords, parseAddress, parseLoosePrefix } from "#address";
import { FLAGS } from "#report";

const FlagSchema = v.picklist(FLAGS);

/** What `SETS.json` says of one file; only what the measure uses. */
const SetSchema = v.object({
  id: v.string(),
  group: v.string(),
  file: v.pipe(v.string(), v.regex(/^[\w.-]+$/)),
  label: v.object({
    true: v.array(FlagSchema),
    false: v.array(FlagSchema),
    anyOf: v.exactOptional(v.array(FlagSchema)),
    usageType: v.exactOptional(v.array(v.string())),
  }),
});
const FolderSchema = v.object({ sets: v.array(SetSchema) });

/** One set of a labelled folder: what must hold, and the addresses it is measured on. */
export type LabelledSet = v.InferOutput<typeof SetSchema> & {
  readonly rows: number;
  readonly sampled: number;
  readonly addresses: readonly Address[];
};

/** The kind of rows in a labelled set; sets that are "either" have none. */
export type Feature =
  | "tor"
  | "vpn"
  | "proxy"
  | "relay"
  | "hosting"
  | "crawler"
  | "listed_5"
  | "listed_3"
  | "listed_1"
  | "ordinary";

/**
 * Data centres and clouds: operators' lists of prefixes contain those of their customers too. Abitcool is the name under
 * which 21Vianet, a data-centre company, announces its space; Aceville is Tencent Cloud outside China.
 */
export const SAYS_HOSTING =
  /abitcool|\bidc\d*\b|cloud|\bdata center\b|tencent|alibaba|baidu|jingdong|volcano engine|amazon|microsoft|guanghuan|aceville/i;

/** Reads it from the label, and from the id where the label has no flag for it. */
export function featureOf({ id, group, label }: LabelledSet): Feature | undefined {
  if (group.startsWith("negative")) return "ordinary";
  if (group === "either") return undefined;
  if (label.true.includes("isTor")) return "tor";
  if (label.true.includes("isRelay")) return "relay";
  if (label.true.includes("isVpn")) return "vpn";
  if (label.true.includes("isHosting")) return "hosting";
  if (label.true.includes("isSearchEngineBot")) return "crawler";
  if (label.anyOf !== undefined) return "proxy";
  if (id === "abuse-ipsum-5plus") return "listed_5";
  if (id === "abuse-ipsum-1-2") return "listed_1";
  return id.startsWith("abuse-") ? "listed_3" : undefined;
}

/**
 * Reads a folder with `SETS.json` and lists of `prefix-or-address <tab> note`. Of a set with more than `mostRows` rows
 * it takes every k-th, evenly over the file; of a prefix it takes the addresses at `places`: a quarter, a half and nine tenths.
 * Without randomness: the same folder gives the same addresses.
 */
export function readLabelledSets(
  folder: string,
  mostRows: number,
  places: readonly number[] = [0.25, 0.5, 0.9],
): readonly LabelledSet[] {
  const { sets } = v.parse(FolderSchema, JSON.parse(readFileSync(join(folder, "SETS.json"), "utf8")));
  return sets.map((set) => {
    const rows = readFileSync(join(folder, set.file), "utf8")
      .split("\n")
      .map((line) => line.split("\t", 1)[0]?.trim() ?? "")
      .filter((text) => text !== "" && !text.startsWith("#"));
    const count = Math.min(rows.length, mostRows);
    const sample = Array.from({ length: count }, (_, n) => rows[Math.floor((n * rows.length) / count)] ?? "");
    return {
      ...set,
      rows: rows.length,
      sampled: count,
      addresses: sample.flatMap((row) => expandRow(row, places)),
    };
  });
}

/** The addresses that stand for a row. */
function expandRow(text: string, places: readonly number[]): readonly Address[] {
  const address = parseAddress(text);
  if (address !== undefined) return [address];
  const prefix = parseLoosePrefix(text);
  if (prefix === undefined) throw new Error(`Cannot read "${text}" as a prefix or an address`);
  const { version, words } = prefix.address;
  const free = (version === 4 ? 32 : 128) - prefix.bits;
  if (free < 2) return [prefix.address];
  return places.map((share) => addressFromWords(version, place(words, prefix.bits, share)));
}

/** Sets the bits behind the prefix to `share` of their range. */
function place(words: readonly number[], bits: number, share: number): readonly number[] {
  let rest = share;
  return words.map((word, index) => {
    const free = 32 - Math.min(Math.max(bits - index * 32, 0), 32);
    if (free === 0) return word;
    const scaled = rest * 2 ** free;
    const part = Math.floor(scaled);
    rest = scaled - part;
    return word + part;
  });
}
