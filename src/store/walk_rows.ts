import type { Client, Row, Transaction } from "@libsql/client";

/**
 * Reads a table page by page in the order of its row ids, so that memory is bounded by a page whatever the table holds.
 * `columns` are SQL; each row has its `row_id` besides. Without a transaction a page shows what stands when it is read.
 */
export async function* walkRows(
  database: Client | Transaction,
  {
    table,
    columns,
    pageRows,
  }: { readonly table: string; readonly columns: string; readonly pageRows: number },
): AsyncGenerator<readonly Row[]> {
  const sql = `SELECT rowid AS row_id, ${columns} FROM ${table} WHERE rowid > ?1 ORDER BY rowid LIMIT ?2`;
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const { rows } = await database.execute({ sql, args: [last, pageRows] });
    if (rows.length === 0) return;
    yield rows;
    last = Number(rows.at(-1)?.row_id);
  }
}
