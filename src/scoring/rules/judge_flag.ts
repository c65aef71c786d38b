import type { Evidence } from "#evidence";
import type { Flag } from "#report";
import type { Finding } from "../rule.ts";
import { isSubnetShare, shareOf } from "../share_of.ts";
import type { Weight } from "../weights.ts";

/** Weighs a flag by the voices behind it ({@link shareOf}). Its floor stands only on full weight. */
export function judgeFlag(
  evidence: Evidence,
  flag: Flag,
  weight: Weight & { readonly points: number },
): Finding | undefined {
  const voices = evidence.flags[flag];
  if (!voices.value) return undefined;
  const share = shareOf(voices);
  return {
    points: weight.points * share,
    ...(weight.floor === undefined || share < 1 ? {} : { floor: weight.floor }),
    data: {
      families: voices.yes,
      agreement: voices.agreement,
      ...(voices.authoritative ? { authoritative: true } : {}),
      ...(isSubnetShare(voices) ? { subnet: true } : {}),
    },
  };
}
