import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { createTemporaryFolder } from "#kit";
import { openStore } from "#store";
import * as schema from "../../src/store/schema.ts";

const migrations = join(import.meta.dir, "../../drizzle");

/** The tables of a database: columns by name with type, NOT NULL and place in the primary key, and the indexes. */
async function describeTables(url: string): Promise<Record<string, unknown>> {
  const client = createClient({ url, concurrency: 1 });
  try {
    const read = async (sql: string) => (await client.execute(sql)).rows;
    const described: Record<string, unknown> = {};
    for (const { name } of await read("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
      if (String(name).startsWith("sqlite_") || name === "__drizzle_migrations") continue;
      const columns = await read(
        `SELECT name, type, "notnull", pk FROM pragma_table_info('${name}') ORDER BY name`,
      );
      const indexes = await read(
        `SELECT l.name, l."unique", group_concat(i.name) AS columns
          FROM pragma_index_list('${name}') l, pragma_index_info(l.name) i WHERE l.origin = 'c' GROUP BY l.name`,
      );
      described[String(name)] = {
        columns: columns.map((row) => ({ ...row })),
        indexes: indexes.map((row) => ({ ...row })),
      };
    }
    return described;
  } finally {
    client.close();
  }
}

describe("schema.ts", () => {
  test("equals the result of the migrations in drizzle/: a change needs `bun run generate`", async () => {
    const folder = createTemporaryFolder("limpid-schema-");
    try {
      const migrated = `file:${join(folder, "migrated.db")}`;
      await (await openStore({ url: migrated, migrations })).close();

      const generated = `file:${join(folder, "generated.db")}`;
      const empty = await generateSQLiteDrizzleJson({});
      const statements = await generateSQLiteMigration(empty, await generateSQLiteDrizzleJson(schema));
      const client = createClient({ url: generated, concurrency: 1 });
      for (const statement of statements) await client.execute(statement);
      client.close();

      expect(await describeTables(migrated)).toEqual(await describeTables(generated));
    } finally {
    }
  });

  test("equals the last snapshot in drizzle/meta, where the next migration starts", async () => {
    const last = readdirSync(join(migrations, "meta"))
      .filter((name) => name.endsWith("_snapshot.json"))
      .toSorted()
      .at(-1);
    const snapshot = JSON.parse(readFileSync(join(migrations, "meta", last ?? ""), "utf8"));
    const current = await generateSQLiteDrizzleJson(schema, snapshot.id);
    expect(await generateSQLiteMigration(snapshot, current)).toEqual([]);
  });
});
