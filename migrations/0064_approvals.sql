CREATE TABLE `approvals` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`action` text NOT NULL,
	`publish_time` text,
	`unpublish_time` text,
	`time_zone` text NOT NULL,
	`note` text NOT NULL,
	`article_version` text NOT NULL,
	`copy_version` text,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`decline_time` text,
	`decline_reason` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `approvals_list` ON `approvals` (`organization_id`,`creation_time`,`article_id`);