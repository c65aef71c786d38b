/** An RFC 3339 UTC date-time as people read it, `2026-01-31 08:15:00 UTC`; anything else as it is. */
export function formatMoment(moment: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(moment);
  return parts === null ? moment : `${parts[1]} ${parts[2]} UTC`;
}
