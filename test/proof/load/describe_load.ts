import type { KindResult, LoadResult, Spread } from "./load_plan.ts";

/** One line about a run. */
export function describeLoad(result: LoadResult): string {
  const { total, offered, unsent, seconds, goodPerSecond } = result;
  return `${(offered / seconds).toFixed(0)}/s offered, ${goodPerSecond.toFixed(0)}/s answered, ${unsent} found no connection; ${describeKind("all", total)}`;
}

/** One line about a kind of request. */
export function describeKind(name: string, kind: KindResult): string {
  const parts = [`${name}: ${kind.good} right, ${show(kind.ms)}, since sent ${show(kind.sentMs)}`];
  if (kind.refused > 0)
    parts.push(
      `${kind.refused} refused (${kind.mute} without Retry-After), ${show(kind.refusedMs)}, since sent ${show(kind.refusedSentMs)}`,
    );
  if (kind.gaveUp > 0) parts.push(`${kind.gaveUp} gave up`);
  if (kind.broken > 0) parts.push(`${kind.broken} broken`);
  if (Object.keys(kind.wrong).length > 0) parts.push(`wrong ${JSON.stringify(kind.wrong)}`);
  return parts.join("; ");
}

function show({ p50, p99 }: Spread): string {
  return `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`;
}
