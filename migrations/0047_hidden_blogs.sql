CREATE TABLE `hidden_blogs` (
	`blog_id` text NOT NULL,
	`reason` text NOT NULL,
	`organization_id` text NOT NULL,
	`time` text NOT NULL,
	PRIMARY KEY(`blog_id`, `reason`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `hidden_blogs_of_organization` ON `hidden_blogs` (`organization_id`,`time`,`blog_id`);--> statement-breakpoint
CREATE INDEX `hidden_blogs_by_time` ON `hidden_blogs` (`reason`,`time`);