ALTER TABLE `deliveries` ADD `redeliveries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `last_success_id` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `warned_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `end_time` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `replaces` text;--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_failing` ON `webhook_subscriptions` (`failure_streak`) WHERE failure_streak >= 10;--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_ending` ON `webhook_subscriptions` (`end_time`) WHERE end_time IS NOT NULL;--> statement-breakpoint
UPDATE `webhook_subscriptions` SET `last_success_id` = (SELECT d.`event_id` FROM `deliveries` d
  WHERE d.`subscription_id` = `webhook_subscriptions`.`id` AND d.`state` = 'succeeded' AND d.`settle_time` IS NOT NULL
    AND EXISTS (SELECT 1 FROM `events` e WHERE e.`id` = d.`event_id` AND e.`kind` <> 'ping')
  ORDER BY d.`event_id` DESC LIMIT 1);
