import type { Data, Language, ProblemCode } from "#report";
import { problemTextsOf } from "./problems.ts";

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
