import type { Client } from "@libsql/client";
import * as v from "valibot";
import { type Assessment, AssessmentSchema } from "#report";
import type { CastBook } from "./cast_book.ts";
import { unpackAssessment } from "./pack_assessment.ts";
import { readText } from "./read_text.ts";
import { isSealed, unseal } from "./seal.ts";

/**
 * What a row says of an address: the assessment, that it is in a form which is no longer read, or that nobody wrote it
 * like that. What its checksum shows to be as it was written is taken as it is; plain JSON is looked at closely.
 */
export async function readAssessment(
  address: string,
  value: unknown,
  casts: CastBook,
  client: Pick<Client, "execute">,
): Promise<Assessment | "unread" | "damaged" | "foreign"> {
  if (!isSealed(value)) return parseAssessment(address, readText(value));
  const sealed = unseal(address, value);
  if (sealed === undefined) return "damaged";
  const cast = await casts.find(sealed.castId, client);
  if (cast === undefined) return "damaged";
  try {
    return unpackAssessment(sealed.body, cast);
  } catch {
    return "damaged";
  }
}

function parseAssessment(address: string, json: string): Assessment | "unread" | "damaged" | "foreign" {
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
