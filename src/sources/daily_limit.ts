import type { SourceSettings } from "./run.ts";
import type { Source } from "./source.ts";

/** Others may spend from the same quota, and the vendor's day may not be ours: some of it stays unspent. */
const SHARE = 0.95;

/** Our own budget of questions a UTC day: the operator's, else 95 % of the vendor's quota; undefined = unbounded. */
export function dailyLimit(
  source: Source,
  settings: SourceSettings,
  overrides: ReadonlyMap<string, number>,
): number | undefined {
  const override = overrides.get(source.id);
  if (override !== undefined) return override;
  if (source.daily === undefined) return undefined;
  // Who is never asked without a key has no quota without one.
  const isKeyed = source.secret === "required" || (settings.secrets.get(source.id) ?? "") !== "";
  return Math.floor((isKeyed ? source.daily.keyed : source.daily.keyless) * SHARE);
}
