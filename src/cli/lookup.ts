import { parseArgs } from "node:util";
import { parseAddress } from "#address";
import { speak } from "#locale";
import { renderText } from "#render";
import type { Language } from "#report";
import { EXIT, ExitError } from "./exit_codes.ts";
import type { Service } from "./open_service.ts";

/** What `limpid lookup` was asked for. */
export interface LookupArguments {
  readonly ip: string;
  readonly language: Language;
  readonly json: boolean;
  readonly refresh: boolean;
}

/**
 * Reads the arguments of `limpid lookup ADDRESS [--json] [--lang zh|en] [--refresh]`.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readLookupArguments(args: readonly string[], language: Language): LookupArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" }, refresh: { type: "boolean" }, lang: { type: "string" } },
    });
    const [ip, ...rest] = positionals;
    if (ip === undefined || rest.length > 0) throw new Error("expected exactly one address");
    if (values.lang !== undefined && values.lang !== "en" && values.lang !== "zh") {
      throw new Error(`--lang must be zh or en: current value is "${values.lang}"`);
    }
    return {
      ip,
      language: values.lang ?? language,
      json: values.json ?? false,
      refresh: values.refresh ?? false,
    };
  } catch (error) {
    throw new ExitError(
      EXIT.usage,
      `Cannot look up: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Looks one address up in this process and gives the report as text or JSON.
 * @throws {ExitError} when the input is no address or the service cannot answer.
 */
export async function lookupOnce(
  service: Pick<Service, "lookup">,
  wanted: LookupArguments,
  baseUrl: string,
  signal: AbortSignal,
): Promise<string> {
  const address = parseAddress(wanted.ip);
  if (address === undefined)
    throw new ExitError(EXIT.badInput, `Cannot parse address ${JSON.stringify(wanted.ip)}`);
  const options = { refresh: wanted.refresh, admit: () => ({ admitted: true }) as const };
  const result = await service.lookup(address, options, signal);
  if (result.kind !== "answer") throw new ExitError(EXIT.unavailable, "Cannot look up: the service is busy");
  const { assessment, tier, stale } = result.answer;
  const prefix = wanted.language === "en" ? "/en" : "";
  const report = speak(assessment, {
    language: wanted.language,
    tier,
    stale,
    reportUrl: `${baseUrl}${prefix}/ip/${address.text}`,
  });
  return wanted.json ? `${JSON.stringify(report, undefined, 2)}\n` : renderText(report);
}
