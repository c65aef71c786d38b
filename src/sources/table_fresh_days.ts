/** The tables are published monthly; one that missed three issues is ageing. */
export const TABLE_FRESH_DAYS = 92;
