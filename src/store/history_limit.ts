/** Earlier conclusions kept per address. */
export const HISTORY_LIMIT = 50;
