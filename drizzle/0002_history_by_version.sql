PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_history` (
	`address` text NOT NULL,
	`surveyed_at` integer NOT NULL,
	`purity` integer NOT NULL,
	`band` text NOT NULL,
	`scoring_version` integer NOT NULL,
	PRIMARY KEY(`address`, `surveyed_at`, `scoring_version`)
);
--> statement-breakpoint
INSERT INTO `__new_history`("address", "surveyed_at", "purity", "band", "scoring_version") SELECT "address", "surveyed_at", "purity", "band", "scoring_version" FROM `history`;--> statement-breakpoint
DROP TABLE `history`;--> statement-breakpoint
ALTER TABLE `__new_history` RENAME TO `history`;--> statement-breakpoint
PRAGMA foreign_keys=ON;