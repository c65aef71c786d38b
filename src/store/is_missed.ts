import type { Client } from "@libsql/client";
import { readText } from "./read_text.ts";

/** The addresses on either side of a place, and at the ends of the table. Text is asked for as bytes, as everywhere. */
const NEIGHBOURS = `SELECT 'before' AS place, typeof(address) AS type, CAST(address AS BLOB) AS address
  FROM (SELECT address FROM reports WHERE address < ?1 ORDER BY address DESC LIMIT 1)
UNION ALL SELECT 'after', typeof(address), CAST(address AS BLOB)
  FROM (SELECT address FROM reports WHERE address > ?1 ORDER BY address LIMIT 1)
UNION ALL SELECT 'first', typeof(address), CAST(address AS BLOB)
  FROM (SELECT address FROM reports ORDER BY address LIMIT 1)
UNION ALL SELECT 'last', typeof(address), CAST(address AS BLOB)
  FROM (SELECT address FROM reports ORDER BY address DESC LIMIT 1)`;

/** An address as it is stored, of either version. */
const ADDRESS = /^[\d.]{7,15}$|^[\da-f:.]{2,45}$/;

/**
 * Whether an address that was looked for in vain may be there all the same. SQLite sums up neither a page nor, once it
 * is in use, its log: a search led astray by spoilt bytes ends beside them and finds nothing, without a word. So where
 * it ends there must stand two addresses, in order, or an end of the table.
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export async function isMissed(address: string, client: Pick<Client, "execute">): Promise<boolean> {
  const { rows } = await client.execute({ sql: NEIGHBOURS, args: [address] });
  const places: Partial<Record<string, string>> = {};
  for (const row of rows) {
    const text = readText(row.address);
    if (row.type !== "text" || !ADDRESS.test(text)) return true;
    places[String(row.place)] = text;
  }
  const { before, after, first = address, last = address } = places;
  if ((before !== undefined && before >= address) || (after !== undefined && after <= address)) return true;
  // It may have come between the two questions, and be an end itself.
  return (before === undefined && first < address) || (after === undefined && last > address);
}
