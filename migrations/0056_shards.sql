CREATE TABLE `directory` (
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`locale` text NOT NULL,
	`since` text NOT NULL,
	`gone` integer NOT NULL,
	`change` integer NOT NULL,
	`until` text,
	PRIMARY KEY(`kind`, `key`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `directory_until` ON `directory` (`until`) WHERE "directory"."until" is not null;--> statement-breakpoint
CREATE TABLE `homes` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`shard` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `unlisted` (
	`change` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`locale` text NOT NULL,
	`since` text NOT NULL,
	`gone` integer NOT NULL
);
