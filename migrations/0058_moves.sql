CREATE TABLE `move_changes` (
	`table_name` text NOT NULL,
	`key` text NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`table_name`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `moves` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`state` text DEFAULT 'copying' NOT NULL,
	`cursor` text,
	`creation_time` text NOT NULL,
	`time` text NOT NULL,
	`lease_time` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
