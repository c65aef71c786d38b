import { EXIT, ExitError } from "./exit_codes.ts";

/**
 * Reads `--fail-below`, a purity from 0 to 100.
 * @throws {ExitError} when it is none.
 */
export function readFailBelow(values: ReadonlyMap<string, string>): number | undefined {
  const text = values.get("fail-below");
  if (text === undefined) return undefined;
  const purity = Number(text);
  if (/^\d{1,3}$/.test(text) && purity <= 100) return purity;
  throw new ExitError(
    EXIT.usage,
    `Cannot read --fail-below: it must be 0 to 100: current value is "${text}"`,
  );
}
