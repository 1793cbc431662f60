CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`tries` integer NOT NULL,
	`creation_time` text NOT NULL,
	`try_time` text NOT NULL,
	`dead_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_of` ON `dead_letters` (`event_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_list` ON `dead_letters` (`organization_id`,`id`);