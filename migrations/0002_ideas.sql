CREATE TABLE `generations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`state` text NOT NULL,
	`code` text,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`creation_time` text NOT NULL,
	`finish_time` text
);
--> statement-breakpoint
CREATE INDEX `generations_list` ON `generations` (`organization_id`,`creation_time`);--> statement-breakpoint
CREATE INDEX `generations_by_time` ON `generations` (`creation_time`);--> statement-breakpoint
CREATE INDEX `generations_running` ON `generations` (`creation_time`) WHERE state = 'running';--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`article_id` text,
	`media_type` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `media_by_article` ON `media` (`article_id`);--> statement-breakpoint
CREATE INDEX `media_unowned` ON `media` (`creation_time`) WHERE article_id IS NULL;--> statement-breakpoint
CREATE TABLE `topic_items` (
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`url_key` text NOT NULL,
	`topic_id` text NOT NULL,
	PRIMARY KEY(`blog_id`, `url_key`),
	FOREIGN KEY (`topic_id`) REFERENCES `topics`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topic_items_by_topic` ON `topic_items` (`topic_id`);--> statement-breakpoint
CREATE TABLE `topic_refresh_sources` (
	`refresh_id` text NOT NULL,
	`position` integer NOT NULL,
	`organization_id` text NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`token` text,
	`found` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`merged` integer DEFAULT 0 NOT NULL,
	`refused` text DEFAULT '{}' NOT NULL,
	`reason` text,
	`detail` text,
	`enqueue_time` text NOT NULL,
	`claim_time` text,
	PRIMARY KEY(`refresh_id`, `position`),
	FOREIGN KEY (`refresh_id`) REFERENCES `topic_refreshes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `topic_refresh_sources_open` ON `topic_refresh_sources` (`enqueue_time`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `topic_refresh_sources_claimed` ON `topic_refresh_sources` (`claim_time`) WHERE state = 'claimed';--> statement-breakpoint
CREATE TABLE `topic_refreshes` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`state` text NOT NULL,
	`creation_time` text NOT NULL,
	`finish_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `topic_refreshes_running` ON `topic_refreshes` (`blog_id`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `topic_refreshes_by_time` ON `topic_refreshes` (`creation_time`);--> statement-breakpoint
CREATE TABLE `topic_source_states` (
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`source_key` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`read_time` text NOT NULL,
	PRIMARY KEY(`blog_id`, `source_key`)
);
--> statement-breakpoint
CREATE INDEX `topic_source_states_by_time` ON `topic_source_states` (`read_time`);--> statement-breakpoint
CREATE TABLE `topics` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`angle` text NOT NULL,
	`url` text NOT NULL,
	`source_kind` text NOT NULL,
	`source_name` text NOT NULL,
	`keywords` text NOT NULL,
	`locale` text NOT NULL,
	`item_title` text NOT NULL,
	`mentions` text NOT NULL,
	`score` real NOT NULL,
	`status` text NOT NULL,
	`article_id` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `topics_list` ON `topics` (`blog_id`,`score`,`id`);--> statement-breakpoint
CREATE INDEX `topics_list_status` ON `topics` (`blog_id`,`status`,`score`,`id`);--> statement-breakpoint
CREATE INDEX `topics_by_article` ON `topics` (`article_id`);--> statement-breakpoint
CREATE INDEX `topics_by_time` ON `topics` (`creation_time`);--> statement-breakpoint
ALTER TABLE `blogs` ADD `topic_sources` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `refresh_due_time` text;--> statement-breakpoint
ALTER TABLE `blogs` ADD `topics_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `blogs_refresh_due` ON `blogs` (`refresh_due_time`) WHERE refresh_due_time IS NOT NULL;