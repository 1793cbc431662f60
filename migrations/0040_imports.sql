CREATE TABLE `imported_articles` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`name` text NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`published` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`article_id` text,
	`version` text,
	`losses` text DEFAULT '[]' NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`import_id`, `number`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imported_articles_by_state` ON `imported_articles` (`import_id`,`state`,`number`);--> statement-breakpoint
CREATE TABLE `imported_pictures` (
	`import_id` text NOT NULL,
	`key` text NOT NULL,
	`url` text,
	`media_id` text,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`import_id`, `key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`state` text NOT NULL,
	`file_name` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`format` text DEFAULT '' NOT NULL,
	`wishes` text NOT NULL,
	`actor` text NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`remarks` text DEFAULT '[]' NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	`starts` integer DEFAULT 0 NOT NULL,
	`undo_changed` integer DEFAULT 0 NOT NULL,
	`turn` text DEFAULT '' NOT NULL,
	`lease_time` text DEFAULT '' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`creation_time` text NOT NULL,
	`start_time` text,
	`finish_time` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_by_blog` ON `imports` (`blog_id`,`id`);--> statement-breakpoint
CREATE INDEX `imports_by_organization` ON `imports` (`organization_id`,`state`);--> statement-breakpoint
CREATE INDEX `imports_working` ON `imports` (`lease_time`) WHERE state in ('checking', 'running', 'undoing');--> statement-breakpoint
CREATE INDEX `imports_by_time` ON `imports` (`creation_time`);