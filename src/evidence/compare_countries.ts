import type { NativeEvidence } from "./evidence.ts";

/** Compares registration with use. Anycast services and special blocks are used nowhere in particular. */
export function compareCountries(
  registered: string | undefined,
  located: string | undefined,
  isNowhere: boolean,
): NativeEvidence {
  const known = {
    ...(registered === undefined ? {} : { registered }),
    ...(located === undefined ? {} : { located }),
  };
  if (isNowhere || registered === undefined || located === undefined) return { type: "unknown", ...known };
  return { type: registered === located ? "native" : "broadcast", ...known };
}
