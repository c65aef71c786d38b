import type { Data, Language, ProblemCode } from "#report";
import { wordsOf } from "./words_of.ts";

const QUOTED_LENGTH = 60;

/**
 * Says what went wrong and what to do about it.
 * All facts are optional: `input` (invalid_ip), `parameter`, `value`, `allowed` (invalid_parameter),
 * `reason` (verification_required: what needs a check or is used up, or how a check ended; rate_limited: which limit),
 * `limit` of what is used up (verification_required, rate_limited, open_rate_limited),
 * `retryAfterSeconds` (rate_limited, open_rate_limited, overloaded), `allowed` (method_not_allowed), `requestId` (internal). What a client sent is shortened and stripped of control characters here,
 * because an error may leave as one line of plain text.
 */
export function sayProblem(
  code: ProblemCode,
  language: Language,
  data: Data,
): { readonly error: string; readonly hint?: string } {
  const texts = wordsOf(language).problems[code];
  const tame = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, tameValue(value)]));
  return {
    error: texts.error(tame),
    ...(texts.hint === undefined ? {} : { hint: texts.hint(tame) }),
  };
}

function tameValue(value: Data[string]): Data[string] {
  if (typeof value === "string") return tameText(value);
  return typeof value === "object" ? value.map(tameText) : value;
}

/** Control, format (bidi, zero-width), separator, surrogate and private-use characters become `?`. */
function tameText(text: string): string {
  const plain = text.slice(0, QUOTED_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return plain.length > QUOTED_LENGTH ? `${plain.slice(0, QUOTED_LENGTH)}...` : plain;
}
