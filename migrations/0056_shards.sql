CREATE TABLE `directory` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`locale` text NOT NULL,
	`since` text NOT NULL,
	PRIMARY KEY(`kind`, `key`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `homes` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`shard` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `unlisted` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`locale` text NOT NULL,
	`since` text NOT NULL,
	`gone` integer NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`kind`, `key`, `id`)
) WITHOUT ROWID;
