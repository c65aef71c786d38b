/** `bun damage_reader.ts PATH…`: reads every address from each database and prints one line of JSON for each. */
import { writeSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { openStore, type Store, StoreError } from "#store";
import { beginCounts } from "./begin_counts.ts";
import { migrations } from "./folders.ts";
import { keptAt, REPORTS } from "./kept_reports.ts";

async function readDamaged(path: string) {
  const wrong: string[] = [];
  const counts = beginCounts();
  let store: Store;
  try {
    store = await openStore({ url: `file:${path}`, migrations });
  } catch (error) {
    if (!(error instanceof StoreError)) wrong.push(`opening failed with ${String(error)}`);
    return { ...counts, refused: 1, wrong };
  }
  for (let n = 0; n < REPORTS; n += 1) {
    const [report, survey] = keptAt(n);
    const { address } = report;
    try {
      const found = await store.find(address);
      if (found?.assessment === undefined) {
        counts.missing += 1;
        continue;
      }
      const { votes, liveAnswers, chars: _, ...rest } = found;
      // This field has no checksum, and decides what a poorer survey may replace; the report does not show it.
      if (liveAnswers !== report.liveAnswers) counts.otherHeard += 1;
      if (isDeepStrictEqual({ ...rest, liveAnswers: report.liveAnswers }, report)) counts.right += 1;
      else wrong.push(`${address}: found ${difference(rest, report)}`);
      const [sum] = votes;
      const voted = n % 3 === 0 ? { scenario: "streaming", count: 1, sum: (n % 5) + 1 } : undefined;
      if (!isDeepStrictEqual(sum, voted)) counts.otherVotes += 1;
      const [last] = (await store.history(address)).map(
        ({ confidence, coverage, ...conclusion }) => conclusion,
      );
      const { surveyedAt, assessment } = report;
      const { purity, band, scoringVersion } = assessment;
      if (!isDeepStrictEqual(last, { surveyedAt, purity, band, scoringVersion })) counts.otherHistory += 1;
      const kept = await store.findSurvey(address);
      if (kept !== undefined && !isDeepStrictEqual(JSON.parse(kept), JSON.parse(survey)))
        wrong.push(`${address}: another survey`);
    } catch (error) {
      if (error instanceof StoreError) counts.unreadable += 1;
      else wrong.push(`${address}: ${String(error)}`);
    }
  }
  // A write to it must give an error and nothing worse.
  try {
    const [report, survey] = keptAt(7);
    await store.save(report, survey);
    const found = await store.find(report.address);
    if (!isDeepStrictEqual(found?.assessment, report.assessment)) wrong.push("what was saved is not there");
  } catch (error) {
    if (!(error instanceof StoreError)) wrong.push(`saving: ${String(error)}`);
  }
  await store.close();
  return { ...counts, wrong };
}

/** The first part in which two documents differ. */
function difference(found: unknown, wanted: unknown): string {
  const [some, others] = [JSON.stringify(found), JSON.stringify(wanted)];
  let at = 0;
  while (at < some.length && some[at] === others[at]) at += 1;
  return `"${some.slice(Math.max(0, at - 30), at + 30)}" for "${others.slice(Math.max(0, at - 30), at + 30)}"`;
}

for (const path of process.argv.slice(2)) writeSync(1, `${JSON.stringify(await readDamaged(path))}\n`);
