CREATE TABLE `budgets` (
	`day` integer NOT NULL,
	`source` text NOT NULL,
	`used` integer NOT NULL,
	`granted` integer NOT NULL,
	PRIMARY KEY(`day`, `source`)
);
