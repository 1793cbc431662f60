DROP INDEX `term_articles_published`;--> statement-breakpoint
DROP INDEX `term_articles_by_publication`;--> statement-breakpoint
CREATE INDEX `term_articles_published_locale` ON `term_articles` (`term_id`,`locale`,`creation_time`,`article_id`) WHERE published = 1;--> statement-breakpoint
CREATE INDEX `term_articles_locale_by_publication` ON `term_articles` (`term_id`,`locale`,`publish_time`,`article_id`) WHERE published = 1;--> statement-breakpoint
CREATE INDEX `term_articles_published` ON `term_articles` (`term_id`,`creation_time`,`article_id`) WHERE published = 1;--> statement-breakpoint
CREATE INDEX `term_articles_by_publication` ON `term_articles` (`term_id`,`publish_time`,`article_id`) WHERE published = 1;