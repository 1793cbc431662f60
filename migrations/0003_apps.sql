CREATE TABLE `article_search` (
	`id` integer PRIMARY KEY NOT NULL,
	`article_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `article_search_article` ON `article_search` (`article_id`);--> statement-breakpoint
CREATE TABLE `connected_apps` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`grant_id` text,
	`creation_time` text NOT NULL,
	`last_used_time` text,
	`disconnect_time` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `connected_apps_by_user` ON `connected_apps` (`user_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `connected_apps_list` ON `connected_apps` (`organization_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `connected_apps_grant` ON `connected_apps` (`grant_id`) WHERE grant_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `oauth_records` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`metadata` text,
	`version` text NOT NULL,
	`expiration_time` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_records_expired` ON `oauth_records` (`expiration_time`) WHERE expiration_time IS NOT NULL;