ALTER TABLE `articles` ADD `creator` text;--> statement-breakpoint
ALTER TABLE `articles` ADD `state_version` text;