import { dbipCity } from "./lists/dbip_city.ts";
import { iptoasn } from "./lists/iptoasn.ts";
import { rirDelegated } from "./lists/rir_delegated.ts";
import type { TableFeed } from "./table_feed.ts";

/** Every download that replaces the seed of a table. */
export const TABLE_FEEDS: readonly TableFeed[] = [iptoasn, rirDelegated, dbipCity];
