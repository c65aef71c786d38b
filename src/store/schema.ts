import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * One language-free document a row. `survey` stands last: SQLite then never touches its overflow pages
 * when a hit reads only the assessment.
 */
export const reports = sqliteTable("reports", {
  address: text("address").primaryKey(),
  surveyedAt: integer("surveyed_at").notNull(),
  scoringVersion: integer("scoring_version").notNull(),
  liveHeard: integer("live_heard").notNull(),
  assessment: text("assessment").notNull(),
  survey: blob("survey", { mode: "buffer" }).notNull(),
});

/** Conclusions about an address by survey and version of the scoring, oldest dropped beyond the limit kept by the queries. */
export const history = sqliteTable(
  "history",
  {
    address: text("address").notNull(),
    surveyedAt: integer("surveyed_at").notNull(),
    purity: integer("purity").notNull(),
    band: text("band").notNull(),
    scoringVersion: integer("scoring_version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.surveyedAt, table.scoringVersion] })],
);

/**
 * Questions asked of a source on a UTC day (days since the epoch), by every process on this database.
 * `granted` is what the last statement on the row gave: SQLite's RETURNING shows new values only.
 */
export const budgets = sqliteTable(
  "budgets",
  {
    day: integer("day").notNull(),
    source: text("source").notNull(),
    used: integer("used").notNull(),
    granted: integer("granted").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.source] })],
);
