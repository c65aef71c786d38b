/** `bun text_reader.ts PATH`: does everything that a store can do; rejections are correct. */
import { writeSync } from "node:fs";
import { checkDatabase, measureDatabase, openStore } from "#store";
import { BASE_MS, DAY, FAR_MS, MOST } from "./deeds.ts";
import { migrations } from "./folders.ts";
import { keptAt } from "./kept_reports.ts";

const [path = ""] = process.argv.slice(2);
const options = { url: `file:${path}`, migrations };
const store = await openStore(options);
const [report, survey] = keptAt(1);
const [older] = keptAt(2);
const { address } = report;
const charges = [{ name: "client", limit: MOST, until: FAR_MS }];
const vote = { address, scenario: "streaming", voter: "v", day: DAY, rating: 4 };
const works: Record<string, () => Promise<unknown>> = {
  find: () => store.find(address),
  findOlder: () => store.find(older.address),
  findSurvey: () => store.findSurvey(address),
  history: () => store.history(address),
  votes: () => store.ratings.read(address),
  cast: () => store.ratings.saveVote(vote),
  budgets: () => store.budgets.read(DAY),
  settle: () => store.budgets.settle(DAY, [{ id: "alpha", limit: 9, wanted: 1, correction: 0 }]),
  permits: () => store.admissions.read(BASE_MS, charges),
  take: () => store.admissions.admit(BASE_MS, charges),
  giveBack: () => store.admissions.refund(charges),
  challenge: () => store.challenges.use("one", FAR_MS, BASE_MS),
  check: () => checkDatabase(options),
  measure: () => measureDatabase(options),
  save: () => store.save(report, survey),
  rescore: () => store.rescore(older),
};
for (const [name, work] of Object.entries(works)) {
  writeSync(1, `${name} `);
  await work().catch(() => undefined);
}
await store.close();
