CREATE TABLE `article_sources` (
	`article_id` text NOT NULL,
	`position` integer NOT NULL,
	`organization_id` text NOT NULL,
	`url` text NOT NULL,
	`title` text NOT NULL,
	`is_cut` integer NOT NULL,
	`read_time` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`article_id`, `position`),
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
