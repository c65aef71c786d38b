/** How long a human check may take: 10 minutes. */
export const CHECK_MS = 10 * 60_000;

/** A used check is remembered this much longer than it counts, for processes whose clocks differ. */
export const USED_MS = 60_000;
