/** The day (YYYY-MM-DD) that a date or date and time in ISO 8601 order begins with; undefined when it is none. */
export function readDay(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? "";
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? day : undefined;
}
