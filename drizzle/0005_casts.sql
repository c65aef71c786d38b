CREATE TABLE `casts` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL
);
