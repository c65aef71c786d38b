import type { Observation } from "#evidence";
import { boundText } from "./bound_text.ts";

const MAX_ITEMS = 256;
const MAX_DEPTH = 6;

/** Keys that mean something else than a field to an object. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Makes an observation safe to keep: plain and frozen, strings cleaned and cut to 200 characters, lists and maps to
 * 256 entries. What is empty or no value after that is left out: an absent field means "did not say".
 * Undefined = nothing is left. The one exit through which words from outside enter the house.
 */
export function boundObservation(observation: Observation): Observation | undefined {
  const { vpn, ...rest } = observation;
  const isNamed = vpn !== undefined && boundText(vpn.name) !== "";
  // The copy has the fields of the original or fewer, and what may be missing is optional in an observation.
  return boundObject(isNamed ? observation : rest, 0) as Observation | undefined;
}

function boundObject(value: object, depth: number): object | undefined {
  const fields: Record<string, unknown> = {};
  let count = 0;
  for (const [key, item] of Object.entries(value)) {
    if (count >= MAX_ITEMS) break;
    const name = boundText(key);
    if (name === "" || FORBIDDEN_KEYS.has(name)) continue;
    const bounded = boundValue(item, depth + 1);
    if (bounded === undefined) continue;
    fields[name] = bounded;
    count += 1;
  }
  return count === 0 ? undefined : Object.freeze(fields);
}

function boundValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string": {
      const text = boundText(value);
      return text === "" ? undefined : text;
    }
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "boolean":
      return value;
    case "object":
      if (value === null || depth > MAX_DEPTH) return undefined;
      if (!Array.isArray(value)) return boundObject(value, depth);
      return Object.freeze(
        value
          .slice(0, MAX_ITEMS)
          .map((item) => boundValue(item, depth + 1))
          .filter((item) => item !== undefined),
      );
    default:
      return undefined;
  }
}
