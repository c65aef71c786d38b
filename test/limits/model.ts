import type { AdmissionLimits, AdmissionRequest } from "#limits";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A model of the rules: lists of times, without cache, windows or database. */
export function createModel(limits: AdmissionLimits) {
  const entries: { name: string; at: number }[] = [];
  const inMinute = (name: string, now: number) =>
    entries.filter((entry) => entry.name === name && entry.at <= now && now - entry.at < MINUTE).length;
  const onDay = (name: string, now: number) =>
    entries.filter((entry) => entry.name === name && Math.floor(entry.at / DAY) === Math.floor(now / DAY))
      .length;
  const isOpen = ({ kind, passId: pass }: AdmissionRequest) => kind === "new-ip" && pass === undefined;
  const minutesOf = ({ client, kind, passId: pass }: AdmissionRequest) => [
    `${kind} ${client.key}`,
    ...(pass === undefined ? [] : [`${kind} pass ${pass}`]),
  ];

  /** Returns every limit that is used up, in the order of refusal. */
  function listUsedUp(ask: AdmissionRequest, now: number): string[] {
    const { client, kind, passId: pass } = ask;
    if (kind === "refresh" && pass === undefined) return ["refresh_per_minute"];
    const used: string[] = [];
    const most = kind === "refresh" ? limits.refreshPerMinute : limits.newPerMinute;
    if (minutesOf(ask).some((name) => inMinute(name, now) >= most)) {
      used.push(kind === "refresh" ? "refresh_per_minute" : "new_per_minute");
    }
    if (!isOpen(ask)) return used;
    if (onDay(`day ${client.key}`, now) >= limits.openPerDay) used.push("client_day");
    if (onDay("open", now) >= limits.openDailyTotal) used.push("total_day");
    if (inMinute("open", now) >= limits.openPerMinute) used.push("open_per_minute");
    return used;
  }

  function judge(ask: AdmissionRequest, now: number): string {
    return listUsedUp(ask, now)[0] ?? "granted";
  }

  function enter(ask: AdmissionRequest, at: number): void {
    const names = [...minutesOf(ask), ...(isOpen(ask) ? [`day ${ask.client.key}`, "open"] : [])];
    for (const name of names) entries.push({ name, at });
  }

  return {
    judge,
    listUsedUp,
    /** Records an admission. */
    enter,
    ask(ask: AdmissionRequest, now: number): string {
      const said = judge(ask, now);
      if (said === "granted") enter(ask, now);
      return said;
    },
    left: (client: string, now: number) =>
      Math.max(
        0,
        Math.min(limits.openPerDay - onDay(`day ${client}`, now), limits.openDailyTotal - onDay("open", now)),
      ),
    total: (now: number) => onDay("open", now),
    /** Refunds the client's open survey of a time, but not its entry in the client's minute. */
    giveBack(client: string, at: number) {
      for (const name of [`day ${client}`, "open"]) {
        const index = entries.findLastIndex((entry) => entry.name === name && entry.at === at);
        if (index >= 0) entries.splice(index, 1);
      }
    },
    /** The highest number of admissions in any span of a minute, by name. */
    fullest(): ReadonlyMap<string, number> {
      const most = new Map<string, number>();
      for (const { name, at } of entries) most.set(name, Math.max(most.get(name) ?? 0, inMinute(name, at)));
      return most;
    },
  };
}
