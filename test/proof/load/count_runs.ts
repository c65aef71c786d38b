/** The states of the live sources so far. */
export interface RunCount {
  readonly answered: number;
  readonly failed: Readonly<Record<string, number>>;
  minus(before: RunCount): RunCount;
  toString(): string;
}

/** Reads from the metrics of a service how its sources fared, skipped ones left out. */
export async function countRuns(url: string): Promise<RunCount> {
  const text = await (await fetch(`${url}/metrics`)).text();
  let answered = 0;
  const failed: Record<string, number> = {};
  for (const [, labels = "", value] of text.matchAll(/^limpid_source_runs_total\{(.*)\} (\d+)/gm)) {
    const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
    const state = read("state");
    if (state === "failed") failed[read("reason")] = (failed[read("reason")] ?? 0) + Number(value);
    else if (state !== "skipped") answered += Number(value);
  }
  return describe(answered, failed);
}

function describe(answered: number, failed: Readonly<Record<string, number>>): RunCount {
  return {
    answered,
    failed,
    minus: (before) =>
      describe(
        answered - before.answered,
        Object.fromEntries(
          Object.entries(failed)
            .map(([reason, count]) => [reason, count - (before.failed[reason] ?? 0)] as const)
            .filter(([, count]) => count > 0),
        ),
      ),
    toString: () => `${answered} runs answered, failed ${JSON.stringify(failed)}`,
  };
}
