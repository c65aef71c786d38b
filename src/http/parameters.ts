import * as v from "valibot";
import { type Address, findPastedAddresses, parseAddress, parsePrefix } from "#address";
import { describeInterface } from "#locale";
import { parseAsn } from "#network";
import {
  LANGUAGES,
  type Language,
  type ProblemCode,
  type Report,
  ReportSchema,
  readWords,
  SCENARIOS,
  SCORE_PATTERN,
} from "#report";
import type { ProblemDetails } from "./problem.ts";

/** Most addresses of one comparison; on the page, most of them that have no report yet. */
export const MOST_CANDIDATES = 5;

/** Most addresses of the comparison page, of which at most {@link MOST_CANDIDATES} may have no report. */
export const MOST_COMPARED = 20;

/** Fewest addresses of one comparison. */
export const LEAST_CANDIDATES = 2;

/** Longest text of one address in characters. Valid addresses are much shorter. */
const MAX_ADDRESS_LENGTH = 2048;

/** A text to compare, as the client wrote it. Without `address`, the text is not an address. */
export interface Candidate {
  readonly asked: string;
  readonly address?: Address;
}

/** A schema with its description. */
export function described<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

/** An optional member with its description. */
export function optional<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.exactOptional(described(schema, description));
}

/** An object with a name in the description. */
export function titled<const Entries extends v.ObjectEntries>(title: string, entries: Entries) {
  return v.pipe(v.object(entries), v.title(title));
}

/** What a schema declares beside what it reads. */
interface Declared {
  /** The problem of an invalid value, if it is not `invalid_parameter` with the allowed values. */
  readonly problem?: { readonly code: ProblemCode; readonly data?: ProblemDetails["data"] };
  /** The JSON Schema of a value, if it differs from the schema that reads the value. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** The words that a list in a query may have. */
  readonly words?: readonly string[];
}

/** Declares by a member of an empty action. Metadata of valibot would appear in the JSON Schema. */
function declare<Input>(declared: Declared) {
  return { ...v.metadata<Input, Record<never, never>>({}), declared };
}

/** Declares the JSON Schema of a value, if it differs from the schema that reads the value. */
export function describeAs<Input>(jsonSchema: Readonly<Record<string, unknown>>) {
  return declare<Input>({ jsonSchema });
}

/** Lists the described parameters of a query in one language. */
export function listParameters(
  query: { readonly entries: Readonly<Record<string, v.GenericSchema>> },
  language: Language,
): readonly { readonly name: string; readonly description: string }[] {
  return Object.entries(query.entries).map(([name, entry]) => {
    const schema = "wrapped" in entry ? (entry.wrapped as v.GenericSchema) : entry;
    const description = v.getDescription(schema) ?? "";
    return { name, description: describeInterface(description, language) ?? description };
  });
}

/** What a schema declares under a name, or what one action of its pipe declares. */
export function findDeclared<Name extends keyof Declared>(
  item: object,
  name: Name,
): Declared[Name] | undefined {
  if ("declared" in item) return (item.declared as Declared)[name];
  if (!("pipe" in item) || !Array.isArray(item.pipe)) return undefined;
  const actions = item.pipe as readonly { readonly declared?: Declared }[];
  return actions.find(({ declared }) => declared?.[name] !== undefined)?.declared?.[name];
}

/** Reads a text as a value; what cannot be read is an invalid address. */
function readAs<Value>(read: (text: string) => Value | undefined) {
  return v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value);
    if (value !== undefined) return value;
    addIssue({ message: "Not an address" });
    return NEVER;
  });
}

/** Stands for the caller where a path takes an address. */
export const ME = "me";

/** What a request is about: an address, or the caller. */
export type Subject = Address | typeof ME;

/** Reads an address or `me`. */
export function parseSubject(text: string): Subject | undefined {
  return text === ME ? ME : parseAddress(text);
}

const INVALID_IP = declare<string>({ problem: { code: "invalid_ip" } });

/**
 * The last part of a path, which names a file. Elysia gives no value for a broken escape; then it is the empty name, which
 * exists nowhere.
 */
export function fileName(description: string, examples: string[]) {
  return v.fallback(v.pipe(v.string(), v.description(description), v.examples(examples)), "");
}

/** One address, as text. */
export const ipText = v.pipe(
  v.string(),
  v.maxLength(MAX_ADDRESS_LENGTH),
  v.description(
    "One IPv4 or IPv6 address, without port, prefix length or zone. IPv6 may stand in square brackets; ::ffff:a.b.c.d is read as IPv4.",
  ),
  v.examples(["198.51.100.7", "2001:db8::7", "[2001:db8::7]"]),
);

/** One address. */
export const ip = v.pipe(ipText, INVALID_IP, readAs(parseAddress));

const NAME_DESCRIPTION =
  "IPv4 or IPv6 address; IPv6 may stand in square brackets. `me` is the caller's own address.";
const NAME_EXAMPLES = ["198.51.100.7", ME];

/** One address in a path, or `me`. */
export const ipOrMe = v.pipe(
  v.string(),
  v.maxLength(MAX_ADDRESS_LENGTH),
  v.description(NAME_DESCRIPTION),
  v.examples(NAME_EXAMPLES),
  INVALID_IP,
  readAs(parseSubject),
);

/** Text that may contain addresses anywhere, as people paste it. */
export const pasted = (description: string) => optional(v.string(), description);

/** A part of pasted text. Without `address` it is none: it was meant as one, or names a network, or is anything else. */
export interface PastedPart extends Candidate {
  readonly kind?: "network" | "other";
}

/**
 * The network of several addresses that a text names: a prefix, or an AS as `AS64500`. With host bits set, as tools write
 * the address of an interface, it is the address that is meant.
 */
export function findNetwork(text: string): string | undefined {
  const asn = /^ASN? ?\d/i.test(text) ? parseAsn(text.replace(/^ASN? ?/i, "")) : undefined;
  if (asn !== undefined) return `AS${asn}`;
  const prefix = parsePrefix(text);
  return prefix !== undefined && prefix.bits < 32 * prefix.address.words.length ? prefix.text : undefined;
}

/** A word that was meant as an address: three or more numbers with dots, or three or more colons; no MAC address. */
const MEANT_AS_ADDRESS =
  /^(?!(?:[\da-f]{2}:){5}[\da-f]{2}$)(?:\d{1,3}(?:\.\d{1,3}){2}\.?|\d{1,4}(?:\.\d{1,4}){3,5}|(?=(?:[^:]*:){3})[\da-f:.]{4,50})$/i;

/**
 * Lists the parts of pasted text in their order, each once: addresses, words that were meant as one, networks, and lines
 * or items of at most 60 characters that have none of these. Words beside an address on its line are left out. So are parts without an
 * address after the first twenty of them.
 */
export function readPasted(text: string): readonly PastedPart[] {
  const lines = text.split(/[\r\n,;，；、]+/).filter((line) => line.trim() !== "");
  const items = lines.length > 1 ? lines : text.split(/\s+/).filter((word) => word !== "");
  const parts = items.flatMap((item): PastedPart[] => {
    const found = item.split(/\s+/).flatMap((word): PastedPart[] => {
      // In running text, an IPv6 spelling without a digit is usually something else.
      const isAlone = word === item.trim() && (lines.length > 1 || items.length === 1);
      const network = findNetwork(word);
      // The line of a log names the AS of its address.
      if (network !== undefined && (word === item.trim() || network.includes("/")))
        return [{ asked: network, kind: "network" }];
      const addresses = isAlone || /\p{Nd}/u.test(word) ? findPastedAddresses(word) : [];
      if (addresses.length > 0) return addresses.map((address) => ({ asked: address.text, address }));
      return MEANT_AS_ADDRESS.test(word) ? [{ asked: word }] : [];
    });
    return found.length === 0 && item.length <= 60 ? [{ asked: item.trim(), kind: "other" }] : found;
  });
  let left = MOST_COMPARED;
  const unique = [...new Map(parts.map((part) => [part.asked, part] as const)).values()];
  return unique.filter(({ address }) => address !== undefined || left-- > 0);
}

/** Removes repeated addresses. A part that is not an address stays in the list and gets its own problem. */
export function toCandidates(parts: readonly string[]): readonly Candidate[] {
  const candidates = parts.map((asked): Candidate => {
    const address = parseAddress(asked);
    return address === undefined ? { asked } : { asked, address };
  });
  return [...new Map(candidates.map((one) => [one.address?.text ?? one.asked, one] as const)).values()];
}

/** Declares the problem of a parameter with the wrong number of addresses. */
export function declareCount<Input>() {
  const data = {
    parameter: "ips",
    reason: "address_count",
    least: LEAST_CANDIDATES,
    most: MOST_CANDIDATES,
  } as const;
  return declare<Input>({ problem: { code: "invalid_parameter", data } });
}

/** The addresses of a comparison. */
export const ips = v.pipe(
  v.string(),
  v.description(
    `${LEAST_CANDIDATES} to ${MOST_CANDIDATES} addresses, separated by commas; IPv6 may stand in square brackets.`,
  ),
  v.examples(["198.51.100.7,203.0.113.66"]),
  declareCount<string>(),
  v.transform((text: string) => toCandidates(text.split(","))),
  v.check((candidates) => candidates.length >= LEAST_CANDIDATES && candidates.length <= MOST_CANDIDATES),
);

export const lang = choice(LANGUAGES, "Language of the texts: `zh` (Chinese, the default) or `en`.");

export const refresh = choice(
  ["1"],
  "Ignores cache and database and queries every source again. Needs human verification, and is limited per minute.",
);

export const mask = choice(
  ["1"],
  "Hides the end of the address, for a picture that is posted: `203.0.*.*`; of IPv6 the first two groups stay.",
);

export const scenario = described(v.picklist(SCENARIOS), "The use whose score decides; without it, purity.");

/** A parameter with a closed set of values. */
export function choice<const Values extends readonly string[]>(values: Values, description: string) {
  return optional(v.picklist(values), description);
}

/** A list in a query: words of a closed set, separated by commas, at least one. */
export function words<const Word extends string>(known: readonly Word[], description: string) {
  const either = `(?:${known.join("|")})`;
  return v.exactOptional(
    v.pipe(
      v.string(),
      v.description(description),
      declare<string>({
        words: known,
        jsonSchema: { type: "string", pattern: `^${either}(?:,${either})*$` },
      }),
      v.rawTransform<string, readonly Word[]>(({ dataset, addIssue, NEVER }) => {
        const { words, unknown } = readWords(dataset.value.split(",", known.length + 1), known);
        // A longer list has words twice.
        if (unknown === undefined && words.length <= known.length) return words;
        addIssue({ message: "Not a list of known words" });
        return NEVER;
      }),
    ),
  );
}

// Object.keys() has the type string[].
const REPORT_FIELDS = Object.keys(ReportSchema.pipe[0].entries) as (keyof Report)[];

/** The top-level fields of a JSON report that a client wants. */
export const fields = words(
  REPORT_FIELDS,
  "Only these top-level fields of the JSON report, separated by commas, and always `ip`, `version`, `queriedAt` and `source`: `fields=risk,flags`.",
);

/** Whether a client wants only the state of each source. */
export const sources = choice(
  ["brief"],
  "`brief`: each item of `sources` in the JSON report has only its `name` and its `state`: `answered`, `failed` or `skipped`.",
);

/** A whole number from 0 to 100 in a query. */
export const percent = (description: string) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.description(description),
      v.regex(SCORE_PATTERN),
      describeAs<string>({ type: "integer", minimum: 0, maximum: 100 }),
      v.transform(Number),
    ),
  );

/**
 * The last part of a path that names an address or `me`, and often an ending. `read` returns undefined for a name without
 * an address, and then `written` is what should have been one.
 */
export function subjectName<Name>(
  read: (name: string) => { readonly name?: Name; readonly written: string },
) {
  return v.pipe(
    v.string(),
    v.description(NAME_DESCRIPTION),
    v.examples(NAME_EXAMPLES),
    INVALID_IP,
    v.rawTransform<string, Name>(({ dataset, addIssue, NEVER }) => {
      const { name, written } = read(dataset.value);
      if (name !== undefined) return name;
      addIssue({ message: "Not an address", input: written });
      return NEVER;
    }),
  );
}
