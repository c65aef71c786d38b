import type { Language } from "#report";

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
export function fillWith(text: string, read: (name: string) => string): string {
  let filled = "";
  for (const part of partsOf(text)) {
    if (typeof part === "string") filled += part;
    else if (part[1] === undefined) filled += read(part[0]);
    else filled += read(part[0]) === "1" ? part[1] : part[2];
  }
  return filled;
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
