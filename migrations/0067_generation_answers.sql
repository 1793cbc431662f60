CREATE TABLE `generation_answers` (
	`generation_id` text NOT NULL,
	`key` text NOT NULL,
	`organization_id` text NOT NULL,
	`value` text NOT NULL,
	`media_id` text,
	`creation_time` text NOT NULL,
	PRIMARY KEY(`generation_id`, `key`),
	FOREIGN KEY (`generation_id`) REFERENCES `generations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `generation_answers_by_time` ON `generation_answers` (`creation_time`);--> statement-breakpoint
CREATE INDEX `generation_answers_by_media` ON `generation_answers` (`media_id`) WHERE media_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `generations` ADD `turn` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `generations` ADD `lease_time` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `generations` ADD `repeat_hash` text;--> statement-breakpoint
ALTER TABLE `generations` ADD `progress` text;--> statement-breakpoint
ALTER TABLE `generations` ADD `queued` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `generations` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `generations_repeated` ON `generations` (`repeat_hash`) WHERE repeat_hash IS NOT NULL;