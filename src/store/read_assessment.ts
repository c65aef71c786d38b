import type { Client } from "@libsql/client";
import * as v from "valibot";
import { type Assessment, AssessmentSchema } from "#report";
import type { Cast } from "./cast.ts";
import type { CastBook } from "./cast_book.ts";
import { unpackAssessment } from "./pack_assessment.ts";
import { readText } from "./read_text.ts";
import { isSealed, type Sealed, unseal } from "./seal.ts";

/** What a row can say of an address besides an assessment. */
type NoAssessment = "unread" | "damaged" | "foreign";

/**
 * What a row says of an address: the assessment, that it is in a form which is no longer read, or that nobody wrote it
 * like that. What its checksum shows to be as it was written is taken as it is; plain JSON is looked at closely.
 */
export async function readAssessment(
  address: string,
  value: unknown,
  casts: CastBook,
  client: Pick<Client, "execute">,
): Promise<Assessment | NoAssessment> {
  if (!isSealed(value)) return parseAssessment(address, readText(value));
  const sealed = unseal(address, value);
  const cast = sealed && (await casts.find(sealed.castId, client));
  return sealed === undefined || cast === undefined ? "damaged" : unpack(sealed, cast);
}

/** The same at once; undefined where a cast must be read first. */
export function readAssessmentNow(
  address: string,
  value: unknown,
  casts: Pick<CastBook, "peek">,
): Assessment | NoAssessment | undefined {
  if (!isSealed(value)) return parseAssessment(address, readText(value));
  const sealed = unseal(address, value);
  if (sealed === undefined) return "damaged";
  const cast = casts.peek(sealed.castId);
  return cast && unpack(sealed, cast);
}

function unpack({ body }: Sealed, cast: Cast): Assessment | "damaged" {
  try {
    return unpackAssessment(body, cast);
  } catch {
    return "damaged";
  }
}

function parseAssessment(address: string, json: string): Assessment | NoAssessment {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return "damaged";
  }
  const parsed = v.safeParse(AssessmentSchema, value);
  if (!parsed.success) return "unread";
  return parsed.output.address === address ? parsed.output : "foreign";
}
