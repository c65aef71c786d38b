import { ACCESS_OPERATORS, MOBILE_OPERATORS } from "./operator_names/access_operators.ts";
import { ENTERPRISES } from "./operator_names/enterprises.ts";

/** Kinds of operators that are known by the beginning of their name. */
type OperatorKind = "isp" | "mobile" | "business";

/** Kinds by the first words of the name, joined by blanks. */
const OPERATORS = readOperators();

/** Number of words of the longest beginning. */
const MAX_WORDS = 5;

/**
 * Returns the kind of a well-known operator whose name begins `words`: lower case, without accents and punctuation. The
 * longest beginning decides.
 */
export function findOperator(words: string): OperatorKind | undefined {
  const all = words.split(" ", MAX_WORDS * 2).filter((word) => word !== "");
  for (let count = Math.min(all.length, MAX_WORDS); count > 0; count--) {
    const kind = OPERATORS.get(all.slice(0, count).join(" "));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function readOperators(): ReadonlyMap<string, OperatorKind> {
  const operators = new Map<string, OperatorKind>();
  const add = (names: string, kind: OperatorKind) => {
    for (const name of names.split(",").map((text) => text.trim().replaceAll(/\s+/g, " "))) {
      if (name !== "") operators.set(name, kind);
    }
  };
  add(ACCESS_OPERATORS, "isp");
  add(MOBILE_OPERATORS, "mobile");
  add(ENTERPRISES, "business");
  return operators;
}
