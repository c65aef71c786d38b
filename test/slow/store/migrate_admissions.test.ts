import { expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { createTemporaryFolder, MIGRATIONS, readUsed } from "#kit";
import { checkDatabase, openStore } from "#store";
import { makeOlderMigrations } from "../../proof/durability/old_databases.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY = Math.floor(NOON / 86_400_000);

test("the counts of the day, the minutes and the sums of votes stay, and no vote names an address", async () => {
  const folder = createTemporaryFolder("limpid-migrate-");
  const old = makeOlderMigrations(folder, 6);
  const url = `file:${join(folder, "limpid.db")}`;
  await (await openStore({ url, migrations: old })).close();
  const client = createClient({ url });
  await client.executeMultiple(`
    INSERT INTO permit_counts VALUES (${DAY}, 'total', 7), (${DAY}, 'client:x', 2);
    INSERT INTO permit_entries VALUES ('open', ${NOON}, 'one'), ('open', ${NOON}, 'two');
    INSERT INTO votes VALUES ('203.0.113.7', 'ai', ${DAY}, 'voter', 4), ('203.0.113.8', 'ai', ${DAY}, 'voter', 5);
    INSERT INTO vote_sums VALUES ('203.0.113.7', 'ai', 1, 4), ('203.0.113.8', 'ai', 1, 5);`);

  const store = await openStore({ url, migrations: MIGRATIONS });
  expect(await readUsed(store, NOON)).toBe(7);
  expect(await readUsed(store, NOON, "client:x")).toBe(2);
  const minute = [{ name: "open", limit: 15, until: NOON + 60_000 }];
  expect(await store.admissions.read(NOON + 1, minute)).toEqual([{ used: 2, freeAt: NOON + 60_000 }]);
  await store.ratings.saveVote({ address: "203.0.113.7", scenario: "ai", voter: "new", day: DAY, rating: 1 });
  expect(await store.ratings.read("203.0.113.7")).toEqual([{ scenario: "ai", count: 2, sum: 5 }]);
  const { rows } = await client.execute("SELECT * FROM ratings");
  expect(rows.length).toBe(3);
  expect(JSON.stringify(rows)).not.toContain("203.0.113");
  client.close();
  await store.close();
  expect((await checkDatabase({ url, migrations: MIGRATIONS })).problems).toEqual([]);
});
