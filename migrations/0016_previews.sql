CREATE TABLE `moved_slugs` (
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`article_id` text NOT NULL,
	`move_time` text NOT NULL,
	PRIMARY KEY(`blog_id`, `slug`, `locale`),
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `moved_slugs_by_article` ON `moved_slugs` (`article_id`,`move_time`);--> statement-breakpoint
CREATE INDEX `moved_slugs_by_slug` ON `moved_slugs` (`slug`,`move_time`);--> statement-breakpoint
CREATE INDEX `moved_slugs_own` ON `moved_slugs` (`organization_id`,`slug`,`move_time`);--> statement-breakpoint
CREATE TABLE `previews` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`article_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`creation_time` text NOT NULL,
	`expiration_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `previews_token` ON `previews` (`token_hash`);--> statement-breakpoint
CREATE INDEX `previews_by_article` ON `previews` (`article_id`,`expiration_time`);--> statement-breakpoint
CREATE INDEX `previews_of_organization` ON `previews` (`organization_id`,`expiration_time`);--> statement-breakpoint
CREATE INDEX `previews_expired` ON `previews` (`expiration_time`);--> statement-breakpoint
-- An article that gets a slug takes it from an article that had it before.
CREATE TRIGGER `moved_slug_taken_by_new` AFTER INSERT ON `articles`
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
CREATE TRIGGER `moved_slug_taken` AFTER UPDATE OF slug, locale ON `articles`
WHEN new.slug <> old.slug OR new.locale <> old.locale
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
CREATE TRIGGER `moved_slug_left` AFTER UPDATE OF slug, locale ON `articles`
WHEN old.published = 1 AND (new.slug <> old.slug OR new.locale <> old.locale)
BEGIN
  INSERT INTO `moved_slugs` (organization_id, blog_id, slug, locale, article_id, move_time)
  VALUES (old.organization_id, old.blog_id, old.slug, old.locale, old.id, new.last_edit_time);
  DELETE FROM `moved_slugs` WHERE (blog_id, slug, locale) IN (
    SELECT blog_id, slug, locale FROM `moved_slugs` WHERE article_id = new.id ORDER BY move_time DESC LIMIT -1 OFFSET 50);
END;
