/** `2026-10-01`, or with a time behind `T` or a blank, a fraction, and `Z` or an offset; without these it is UTC. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A moment as RFC 3339 writes it, in UTC and whole seconds; another form, or a day that is none, is no moment. */
export function knownMoment(value: unknown): string | undefined {
  const parts = typeof value === "string" ? MOMENT.exec(value.trim()) : null;
  const [, day, time = "00:00:00", zone = "Z"] = parts ?? [];
  if (day === undefined || toText(`${day}T00:00:00Z`)?.startsWith(day) !== true) return undefined;
  return toText(`${day}T${time}${zone}`);
}

/** `Date.parse` takes 31 February for 3 March: who asks for a day looks whether it came back. */
function toText(moment: string): string | undefined {
  const milliseconds = Date.parse(moment);
  return Number.isNaN(milliseconds) ? undefined : `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
