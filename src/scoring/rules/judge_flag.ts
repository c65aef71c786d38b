import type { Evidence } from "#evidence";
import type { Flag } from "#report";
import type { Finding } from "../rule.ts";
import { LONE_SHARE, type Weight } from "../weights.ts";

/** Weighs a flag: in full on two voices or an authority's, by {@link LONE_SHARE} and without its floor on one. */
export function judgeFlag(
  evidence: Evidence,
  flag: Flag,
  weight: Weight & { readonly points: number },
): Finding | undefined {
  const { value, yes, agreement } = evidence.flags[flag];
  if (!value) return undefined;
  const isLone = agreement < 2;
  return {
    points: weight.points * (isLone ? LONE_SHARE : 1),
    ...(weight.floor === undefined || isLone ? {} : { floor: weight.floor }),
    data: { families: yes, agreement },
  };
}
