-- A delivery is found by its event and subscription, and has fewer indexes: a third of the rows written before.
-- What is older than the log shows from now on stays behind.
CREATE TABLE `deliveries_by_event` (
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`epoch` integer NOT NULL,
	`state` text NOT NULL,
	`token` text,
	`status` integer,
	`duration_ms` integer,
	`error` text,
	`creation_time` text NOT NULL,
	`claim_time` text,
	`settle_time` text,
	PRIMARY KEY(`event_id`, `subscription_id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `deliveries_by_event` SELECT `event_id`, `subscription_id`, `id`, `organization_id`, `epoch`, `state`, `token`, `status`, `duration_ms`, `error`, `creation_time`, `claim_time`, `settle_time` FROM `deliveries` WHERE `settle_time` IS NULL OR `creation_time` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-7 days') ORDER BY `event_id`, `subscription_id`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `deliveries_by_event` RENAME TO `deliveries`;--> statement-breakpoint
CREATE INDEX `deliveries_list` ON `deliveries` (`subscription_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `deliveries_settled` ON `deliveries` (`subscription_id`,`state`,`event_id`) WHERE settle_time IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`subscription_id`,`event_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `deliveries_claimed` ON `deliveries` (`organization_id`,`claim_time`,`subscription_id`) WHERE state = 'claimed';--> statement-breakpoint
DROP INDEX `events_by_time`;--> statement-breakpoint
DROP INDEX `events_pending`;--> statement-breakpoint
CREATE INDEX `events_pending` ON `events` (`organization_id`,`seq`) WHERE fan_out_time IS NULL;--> statement-breakpoint
CREATE TABLE `purges` (
	`tag` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`urgent` integer NOT NULL,
	`time` text NOT NULL,
	`round` integer NOT NULL,
	`due_time` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `last_times` (
	`name` text PRIMARY KEY NOT NULL,
	`time` text NOT NULL,
	`value` text
) WITHOUT ROWID;
