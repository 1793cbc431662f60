ALTER TABLE `articles` ADD `untold` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `changed` text;--> statement-breakpoint
CREATE INDEX `events_feed` ON `events` (`organization_id`,`seq`) WHERE kind <> 'ping';