import type { Data, Language } from "#report";

/** The values of the placeholders of a text, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** A part of a text: a constant, or a placeholder with the words for one and for many. */
type Part = string | readonly [name: string, one?: string, many?: string];

const PLACEHOLDER = /\{([^{}]+)\}/;

// One entry for each text of the catalogues that was shown: no text from outside is a pattern.
const parsed = new Map<string, readonly Part[]>();

/**
 * Fills the placeholders of a text of the catalogues. `{name}` is the value of that name; `{name|day|days}` is the first
 * word for the value 1, else the second.
 */
export function fill(text: string, values: Values): string {
  return fillWith(text, (name) => String(values[name] ?? "?"));
}

/** Fills the placeholders of a text like {@link fill}, each with what `read` returns for its name. */
function fillWith(text: string, read: (name: string) => string): string {
  let filled = "";
  for (const part of partsOf(text)) {
    if (typeof part === "string") filled += part;
    else if (part[1] === undefined) filled += read(part[0]);
    else filled += read(part[0]) === "1" ? part[1] : part[2];
  }
  return filled;
}

/** Makes a function of each of some texts with one placeholder, which fills it. */
export function fillersOf<Id extends string>(texts: Readonly<Record<Id, string>>, ids: readonly Id[]) {
  const makeFiller = (id: Id) => (value: string | number) => fillWith(texts[id], () => String(value));
  return Object.fromEntries(ids.map((id) => [id, makeFiller(id)])) as Record<
    Id,
    ReturnType<typeof makeFiller>
  >;
}

/** Makes a function that fills the placeholders of a text of a catalogue by its name. */
export function sayerOf<Name extends string>(texts: Readonly<Partial<Record<Name, unknown>>>) {
  return (name: Name, values: Values) => fill(String(texts[name]), values);
}

function partsOf(text: string): readonly Part[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const parts = text.split(PLACEHOLDER).map((part, index): Part => {
    if (index % 2 === 0) return part;
    const [name = "", one, many] = part.split("|");
    return one === undefined ? [name] : [name, one, many ?? one];
  });
  parsed.set(text, parts);
  return parts;
}

/**
 * Makes the texts of an area in each language from its catalogues, once. The Chinese catalogue must have the keys of the
 * English one.
 */
export function forLanguages<Catalogue, Texts>(
  en: Catalogue,
  zh: NoInfer<Catalogue>,
  make: (catalogue: Catalogue, language: Language) => Texts,
): (language: Language) => Texts {
  const texts = { en: make(en, "en"), zh: make(zh, "zh") };
  return (language) => texts[language];
}

/** Maps every value of a table. */
export function mapTable<Id extends string, From, To>(
  table: Readonly<Record<Id, From>>,
  map: (value: From, id: Id) => To,
): Readonly<Record<Id, To>> {
  const entries = Object.entries<From>(table).map(([id, value]) => [id, map(value, id as Id)]);
  return Object.fromEntries(entries) as Record<Id, To>;
}

/** Formats a count with a comma between thousands, as both languages write it. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Stands in a sentence for a fact that the stored document does not have. */
const MISSING = "?";

/** Formats one fact: numbers as digits, lists joined with `comma`, `?` when it is absent. */
export function factText(data: Data, key: string, comma?: string): string {
  return findText(data, key, comma) ?? MISSING;
}

/** Formats one fact like {@link factText}, but returns `undefined` when it is absent or empty. */
export function findText(data: Data, key: string, comma = ", "): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? formatCount(value) : undefined;
  if (typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : value?.join(comma);
  return text === "" ? undefined : text;
}

/** Returns one fact as a number, or `undefined` when it is absent or not a finite number. */
export function findNumber(data: Data, key: string): number | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns one fact as a list: a string becomes a list of one, anything else an empty list. */
export function factList(data: Data, key: string): readonly string[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" ? value : [];
}

/** Looks up the id in a fact; returns `fallback` for an id that the table does not have. */
export function nameById(
  table: Readonly<Record<string, string>>,
  data: Data,
  key: string,
  fallback: string,
): string {
  const id = factText(data, key);
  return Object.hasOwn(table, id) ? (table[id] ?? fallback) : fallback;
}

/** Formats all facts as `name: value; name: value`, for ids without a text. The same in every language. */
export function formatFacts(data: Data): string {
  return Object.keys(data)
    .map((key) => `${key}: ${factText(data, key)}`)
    .join("; ");
}

/** Formats one sentence from the facts behind it. A fact that is missing reads as `?`. */
export type Sentence = (data: Data) => string;

/** Whether the facts call for a clause. */
export type Condition = (data: Data) => boolean;

/** What the placeholders of the sentences of a catalogue stand for. */
interface SentenceParts {
  /** Texts that other texts include, as `{name}`; they may have placeholders themselves. */
  readonly clauses: Readonly<Record<string, string>>;
  /** When a clause stands. Otherwise it is empty. A clause without a condition always stands. */
  readonly conditions: Readonly<Partial<Record<string, Condition>>>;
  /** Between the items of a list. */
  readonly comma: string;
  /** Reads a fact that is not shown as it is; `undefined` for any other. */
  readonly read: (data: Data, name: string) => string | undefined;
}

/** Returns the function that makes sentences of the texts of a catalogue. */
export function sentenceMaker({ clauses, conditions, comma, read }: SentenceParts) {
  const say = (text: string, data: Data): string =>
    fillWith(text, (name) => {
      const clause = clauses[name];
      if (clause === undefined) return read(data, name) ?? factText(data, name, comma);
      return conditions[name]?.(data) === false ? "" : say(clause, data);
    });
  return (text: string): Sentence =>
    (data) =>
      say(text, data);
}
