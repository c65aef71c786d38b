import type { AdmissionCharge, Store } from "#store";

const DAY_MS = 86_400_000;

/** A charge that counts until the end of the UTC day of `now`. */
export function chargeOfDay(name: string, now: number, limit = 1_000_000_000): AdmissionCharge {
  return { name, limit, until: (Math.floor(now / DAY_MS) + 1) * DAY_MS };
}

/** How many admissions count for a name on the UTC day of `now`. */
export async function readUsed(
  { admissions }: Pick<Store, "admissions">,
  now: number,
  name = "total",
): Promise<number> {
  const [use] = await admissions.read(now, [chargeOfDay(name, now)]);
  return use?.used ?? 0;
}
