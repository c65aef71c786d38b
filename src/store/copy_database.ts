import { type Client, createClient, type InValue, type Transaction } from "@libsql/client";
import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { bringUpToDate } from "./bring_up_to_date.ts";
import { MaintenanceError } from "./maintenance_error.ts";
import type { ReportProgress } from "./maintenance_progress.ts";
import { readForm } from "./read_form.ts";
import * as schema from "./schema.ts";
import { StoreError } from "./store.ts";
import { walkRows } from "./walk_rows.ts";

/** A page of reports is about a megabyte then. */
const PAGE_ROWS = 200;

/** Reports first: whoever is saved later than them may be newer than they are, and never the other way round. */
const TABLES = Object.values(schema).filter((table) => is(table, Table));

/**
 * Copies a database on a server, table by table and page by page, into a new embedded one, in one read transaction:
 * what it shows is of one moment as far as the server keeps its word on that for as long as the copying takes. A server
 * that ends the transaction fails the copy.
 * @throws {MaintenanceError} when the server's database has another form than this version's.
 */
export async function copyDatabase(
  source: Client,
  path: string,
  { migrations, onProgress }: { readonly migrations: string; readonly onProgress: ReportProgress },
): Promise<void> {
  const form = await readForm(source, migrations);
  if (form.kind !== "known" || form.applied !== form.known) {
    throw new MaintenanceError(
      "unsupported",
      "Cannot copy the database: it has another form than this version's",
    );
  }
  const target = createClient({ url: `file:${path}`, concurrency: 1 });
  try {
    await bringUpToDate(target, migrations, () => createClient({ url: `file:${path}`, concurrency: 1 }));
    const snapshot = await source.transaction("read");
    try {
      for (const table of TABLES) await copyTable(snapshot, target, table, onProgress);
    } finally {
      snapshot.close();
    }
  } finally {
    target.close();
  }
}

async function copyTable(
  source: Transaction,
  target: Client,
  table: Table,
  onProgress: ReportProgress,
): Promise<void> {
  const name = getTableName(table);
  const columns = Object.values(getTableColumns(table)).map((column) => column.name);
  const { rows: counted } = await source.execute(`SELECT count(*) FROM ${name}`);
  const all = Number(counted[0]?.[0] ?? 0);
  const places = columns.map((_, index) => `?${index + 2}`).join(", ");
  const insert = `INSERT INTO ${name} (rowid, ${columns.join(", ")}) VALUES (?1, ${places})`;
  let done = 0;
  for await (const rows of walkRows(source, {
    table: name,
    columns: columns.join(", "),
    pageRows: PAGE_ROWS,
  })) {
    await target.batch(
      rows.map((row) => {
        const args: InValue[] = [row.row_id ?? null, ...columns.map((column) => row[column] ?? null)];
        return { sql: insert, args };
      }),
      "write",
    );
    done += rows.length;
    onProgress({ doing: `copying ${name}`, done, of: Math.max(all, done) });
  }
  if (done !== all) {
    throw new StoreError(`Cannot copy ${name}: the server gave ${done} of ${all} rows`);
  }
}
