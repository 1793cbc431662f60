CREATE TABLE `revoked_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`hint` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_used_time` text,
	`revoke_time` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `revoked_credentials_list` ON `revoked_credentials` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `deletions` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`article_version` text NOT NULL,
	`copy_version` text,
	`due_time` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`failure_code` text,
	`failure_detail` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deletions_list` ON `deletions` (`organization_id`,`due_time`,`article_id`);--> statement-breakpoint
CREATE INDEX `deletions_due` ON `deletions` (`due_time`) WHERE failure_code is null;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `name` text DEFAULT '' NOT NULL;