CREATE TABLE `__new_deliveries` (
	`subscription_id` text NOT NULL,
	`event_id` text NOT NULL,
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
	`redeliveries` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`subscription_id`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
-- In the order of the new key, so that each row is written behind the last one.
INSERT INTO `__new_deliveries` (
  `subscription_id`, `event_id`, `id`, `organization_id`, `epoch`, `state`, `token`, `status`, `duration_ms`, `error`,
  `creation_time`, `claim_time`, `settle_time`, `redeliveries`
) SELECT
  `subscription_id`, `event_id`, `id`, `organization_id`, `epoch`, `state`, `token`, `status`, `duration_ms`, `error`,
  `creation_time`, `claim_time`, `settle_time`, `redeliveries`
FROM `deliveries` ORDER BY `subscription_id`, `event_id`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
CREATE INDEX `deliveries_settled` ON `deliveries` (`subscription_id`,`state`,`event_id`) WHERE settle_time IS NOT NULL AND state <> 'succeeded';--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`subscription_id`,`event_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `deliveries_claimed` ON `deliveries` (`organization_id`,`claim_time`,`subscription_id`) WHERE state = 'claimed';