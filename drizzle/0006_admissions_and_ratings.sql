CREATE TABLE `admissions` (
	`name` text NOT NULL,
	`until` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`name`, `until`)
);
--> statement-breakpoint
CREATE INDEX `admissions_until` ON `admissions` (`until`);--> statement-breakpoint
CREATE TABLE `ratings` (
	`voter` text NOT NULL,
	`scenario` text NOT NULL,
	`rating` integer NOT NULL,
	PRIMARY KEY(`voter`, `scenario`)
);
--> statement-breakpoint
INSERT INTO `admissions` SELECT `name`, (`day` + 1) * 86400000, `used` FROM `permit_counts`;--> statement-breakpoint
INSERT INTO `admissions` SELECT `name`, `at` + 60000, count(*) FROM `permit_entries` GROUP BY `name`, `at`;--> statement-breakpoint
INSERT INTO `ratings` SELECT `voter` || '.' || lower(hex(randomblob(8))), `scenario`, `rating` FROM `votes`;
