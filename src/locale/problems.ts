import type { Data, Language, ProblemCode } from "#report";
import en from "./en/problems.json" with { type: "json" };
import {
  type Condition,
  factList,
  findNumber,
  findText,
  forLanguages,
  mapTable,
  type Sentence,
  sentenceMaker,
} from "./fill.ts";
import zh from "./zh/problems.json" with { type: "json" };

/** One text, or a text for each case; `other` stands when no case fits. */
type Cases = string | (Readonly<Record<string, string>> & { readonly other: string });

interface Catalogue {
  readonly problems: Readonly<Record<ProblemCode, { readonly error: Cases; readonly hint: Cases }>>;
}

/** When a clause stands. */
const CONDITIONS: Readonly<Record<keyof (typeof en)["clauses"], Condition>> = {
  retryIn: (data) => findNumber(data, "retryAfterSeconds") !== undefined,
  retryLater: (data) => findNumber(data, "retryAfterSeconds") === undefined,
  // An allowance of 0 is not reset.
  reset: (data) => findNumber(data, "limit") !== 0,
  operator: (data) => findText(data, "contact") !== undefined,
  // The values of a language: a client that reads neither hint learns them from the error.
  offered: (data) => findText(data, "parameter") === "lang" && isList(data, "allowed"),
  separated: (data) => data.isArgument !== true,
};

/** Lists the cases that fit the facts, the closest first. */
type FindCases = (data: Data) => readonly (string | undefined)[];

const findReason: FindCases = (data) => [findText(data, "reason")];

/** The cases of the texts that depend on more than the reason. */
const CASES: Readonly<
  Partial<Record<ProblemCode, { readonly error?: FindCases; readonly hint?: FindCases }>>
> = {
  invalid_ip: { error: (data) => (data.input === undefined ? [] : [...findReason(data), "input"]) },
  invalid_parameter: {
    error: (data) => [
      when(data.reason === "missing", "missing"),
      when(data.isArgument === true, "argument"),
      ...findReason(data),
      when(Object.hasOwn(data, "value"), "value"),
      when(data.parameter === undefined, "any"),
    ],
    hint: (data) => [
      ...findReason(data),
      when(isList(data, "allowed"), data.isArgument === true ? "allowed" : "allowed_once"),
      when(data.isArgument !== true, "once"),
    ],
  },
  verification_required: {
    error: (data) => {
      const reason = findText(data, "reason");
      const limit = findNumber(data, "limit");
      if (reason !== "client_day") return [reason];
      return [limit === 0 ? "no_allowance" : limit === undefined ? "client_day_unknown" : reason];
    },
  },
  forbidden: {
    hint: ({ reason }) => {
      const text = String(reason);
      return [["failed", "expired", "replayed"].includes(text) ? "again" : text];
    },
  },
  not_in_mirror: { hint: (data) => [when(data.primary === false, "no_primary"), ...findReason(data)] },
  method_not_allowed: { hint: (data) => [when(isList(data, "allowed"), "allowed")] },
  rate_limited: { error: (data) => [when(hasNoLimit(data), "no_limit"), ...findReason(data)] },
  open_rate_limited: { error: (data) => [when(hasNoLimit(data), "no_limit")] },
  internal: { hint: (data) => [when(findText(data, "requestId") !== undefined, "request")] },
};

function when(holds: boolean, name: string): string | undefined {
  return holds ? name : undefined;
}

function isList(data: Data, key: string): boolean {
  return factList(data, key).length > 0;
}

function hasNoLimit(data: Data): boolean {
  return findNumber(data, "limit") === undefined;
}

/** Returns what went wrong and what to do about it, for every error code. */
export const problemTextsOf = forLanguages(en, zh, makeProblemTexts);

function makeProblemTexts({ problems, clauses, comma }: typeof en & Catalogue) {
  // A value may be empty.
  const read = (data: Data, name: string) => (name === "value" ? (findText(data, name) ?? "") : undefined);
  const sentence = sentenceMaker({ clauses, conditions: CONDITIONS, comma, read });
  const choose = (cases: Cases, findCases: FindCases = findReason): Sentence => {
    if (typeof cases === "string") return sentence(cases);
    const sentences = mapTable(cases, sentence);
    const other = sentence(cases.other);
    return (data) => {
      const found = findCases(data).find((name) => name !== undefined && Object.hasOwn(sentences, name));
      return (sentences[found ?? ""] ?? other)(data);
    };
  };
  return mapTable(problems, ({ error, hint }, code) => ({
    error: choose(error, CASES[code]?.error),
    hint: choose(hint, CASES[code]?.hint),
  }));
}

/** Longest quotation of what a client sent, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 60;

/**
 * Returns the error message of a code and a hint about what to do. All facts in `data` are optional:
 * - `input` (invalid_ip); `parameter`, `value`, `allowed`, `isArgument` of a tool (invalid_parameter); `allowed`
 *   (method_not_allowed);
 * - `reason`: what needs a check (verification_required), why a submission is refused (forbidden), which limit
 *   (rate_limited), or that a parameter is missing (invalid_parameter);
 * - `limit`: the limit that is used up (verification_required, rate_limited, open_rate_limited);
 * - `contact`: how to reach the operator (verification_required, rate_limited, open_rate_limited);
 * - `retryAfterSeconds` (rate_limited, open_rate_limited, overloaded); `requestId` (internal).
 *
 * Strings that a client sent are shortened and sanitized, because they may contain anything. `contact` is the
 * operator's own setting.
 */
export function localizeProblem(
  code: ProblemCode,
  language: Language,
  data: Data,
): { readonly error: string; readonly hint: string } {
  const { error, hint } = problemTextsOf(language)[code];
  const safe = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, key === "contact" ? value : sanitizeValue(value)]),
  );
  return { error: error(safe), hint: hint(safe) };
}

function sanitizeValue(value: Data[string]): Data[string] {
  if (typeof value === "string") return sanitizeText(value);
  return typeof value === "object" ? value.map(sanitizeText) : value;
}

/** Replaces control, format (bidi, zero-width), separator, surrogate and private-use characters by `?`. */
function sanitizeText(text: string): string {
  const plain = text.slice(0, MAX_QUOTED_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return plain.length > MAX_QUOTED_LENGTH ? `${plain.slice(0, MAX_QUOTED_LENGTH)}...` : plain;
}
