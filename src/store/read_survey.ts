import type { Client } from "@libsql/client";
import type { CastBook } from "./cast_book.ts";
import { unpackSurvey } from "./pack_survey.ts";
import { readZstdHead } from "./read_zstd_head.ts";
import { isSealed, unseal } from "./seal.ts";

/** Far above any survey of ours. */
const MAX_BYTES = 8_000_000;

/**
 * Restores the JSON of the survey that a row holds about an address.
 * @throws when it is damaged, or its cast is missing.
 */
export async function readSurvey(
  address: string,
  value: unknown,
  casts: CastBook,
  client: Pick<Client, "execute">,
): Promise<string> {
  if (!(value instanceof ArrayBuffer)) throw new TypeError("Cannot read a survey: it is no blob");
  if (!isSealed(value)) return unpackAlone(new Uint8Array(value));
  const sealed = unseal(address, value);
  if (sealed === undefined) throw new TypeError("Cannot read a survey: it is damaged or of another address");
  const cast = await casts.find(sealed.castId, client);
  if (cast === undefined)
    throw new TypeError(`Cannot read a survey: cast "${sealed.castId}" is missing or damaged`);
  return unpackSurvey(sealed.body, cast);
}

/** What stands without a seal. zlib's decoder would give what it has of a frame that is cut short, without a word. */
function unpackAlone(frame: Uint8Array): string {
  const head = readZstdHead(frame);
  if (head === undefined || head.contentBytes > MAX_BYTES)
    throw new TypeError("Cannot read a survey: it is damaged or too large");
  return Bun.zstdDecompressSync(frame).toString();
}
