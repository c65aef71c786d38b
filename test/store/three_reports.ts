/** A database with three reports, one a day back from NOW, and one vote. */
import { join } from "node:path";
import { closeAfterEach, createTemporaryFolder, MIGRATIONS } from "#kit";
import { openStore, type Store } from "#store";
import { makeReport } from "./make_report.ts";

export const NOW = 1_790_000_000_000;
export const DAY = 86_400_000;
export const ADDRESSES = ["9.9.5.1", "9.9.5.2", "2620:fe::9"];

/** Functions that open the database of a folder, and fill one in a new folder; it is closed after the test. */
export function setUpDatabase() {
  const closeLater = closeAfterEach();
  async function open(folder: string): Promise<Store> {
    const store = await openStore({ url: `file:${join(folder, "limpid.db")}`, migrations: MIGRATIONS });
    closeLater(() => store.close());
    return store;
  }
  async function fill(): Promise<string> {
    const folder = createTemporaryFolder("limpid-reports-");
    const store = await open(folder);
    for (const [n, address] of ADDRESSES.entries())
      await store.save(makeReport(address, NOW - n * DAY), '{"runs":[]}');
    await store.ratings.saveVote({ address: "9.9.5.2", scenario: "ai", voter: "v", day: 1, rating: 4 });
    return folder;
  }
  return { open, fill, closeLater };
}
