CREATE TABLE `schedules` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`publish_time` text,
	`unpublish_time` text,
	`time_zone` text NOT NULL,
	`due_time` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`failure_code` text,
	`failure_detail` text,
	`failure_time` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedules_list` ON `schedules` (`organization_id`,`due_time`,`article_id`);
--> statement-breakpoint
CREATE INDEX `schedules_due` ON `schedules` (`due_time`) WHERE failure_code is null;
