/** Counts the log events of limpid processes, with the reason where a database did not answer. */
export function countEvents(logs: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of logs.flatMap((log) => log.split("\n"))) {
    const event = /"event":"([^"]+)"/.exec(line)?.[1] ?? line.slice(0, 60);
    const why = /no answer[a-z0-9 ]*|SQLITE_[A-Z_]+|database is locked/.exec(line)?.[0];
    const name = why === undefined ? event : `${event}: ${why}`;
    if (name !== "") counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Counts the lines `database checkpoint finished (took: 97.6ms)` of `sqld`; the unit is also s or µs. */
export function readCheckpoints(log: string) {
  const unitsMs: Record<string, number> = { s: 1000, ms: 1, µs: 0.001 };
  const took = [...log.matchAll(/checkpoint finished \(took: ([\d.]+)(s|ms|µs)\)/g)].map(
    ([, amount, unit = ""]) => Number(amount) * (unitsMs[unit] ?? Number.NaN),
  );
  return { checkpoints: took.length, longestCheckpointMs: Math.round(Math.max(0, ...took)) };
}
