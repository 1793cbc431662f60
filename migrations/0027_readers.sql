CREATE TABLE `article_renderings` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`renderer` integer NOT NULL,
	`version` text NOT NULL,
	`state` text NOT NULL,
	`reading_minutes` integer,
	`excerpt` text,
	`headings` text,
	`text` text,
	`html` text,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `article_renderings_waiting` ON `article_renderings` (`renderer`,`organization_id`) WHERE renderer <> 1;--> statement-breakpoint
CREATE INDEX `articles_with_seo` ON `articles` (`blog_id`,`id`) WHERE seo is not null;--> statement-breakpoint
CREATE TABLE `contact_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`email` text NOT NULL,
	`locale` text NOT NULL,
	`token_hash` text NOT NULL,
	`creation_time` text NOT NULL,
	`expiration_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_email` ON `contact_requests` (`blog_id`,`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_token` ON `contact_requests` (`token_hash`);--> statement-breakpoint
CREATE INDEX `contact_requests_expired` ON `contact_requests` (`expiration_time`);--> statement-breakpoint
CREATE TABLE `site_hosts` (
	`blog_id` text NOT NULL,
	`host` text NOT NULL,
	`organization_id` text NOT NULL,
	`token` text NOT NULL,
	`verified_time` text,
	`check_time` text,
	`failure` text,
	`next_check_time` text,
	`creation_time` text NOT NULL,
	PRIMARY KEY(`blog_id`, `host`),
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `site_hosts_verified` ON `site_hosts` (`host`) WHERE verified_time IS NOT NULL;--> statement-breakpoint
CREATE INDEX `site_hosts_due` ON `site_hosts` (`next_check_time`) WHERE next_check_time IS NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_enabled` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_url` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `article_path` text DEFAULT '/{locale}/{slug}' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `feed_content` text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `accent_color` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_font` text DEFAULT 'serif' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `logo_url` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `menu` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_version` text;--> statement-breakpoint
ALTER TABLE `blogs` ADD `site_edit_time` text;--> statement-breakpoint
ALTER TABLE `contacts` ADD `consent_time` text;--> statement-breakpoint
ALTER TABLE `contacts` ADD `unsubscribe_time` text;--> statement-breakpoint
ALTER TABLE `contacts` ADD `version` text;
--> statement-breakpoint
-- A write stores the rendering of a content before the content itself, so that these triggers find it. One that does not, as
-- an older version of the service that still runs, leaves an article that waits for the sweep.
CREATE TRIGGER `rendering_of_new_article` AFTER INSERT ON `articles`
WHEN NOT EXISTS (SELECT 1 FROM `article_renderings` WHERE article_id = new.id)
BEGIN
  INSERT INTO `article_renderings` (article_id, organization_id, renderer, version, state)
  VALUES (new.id, new.organization_id, 0, new.version, 'pending');
END;
--> statement-breakpoint
CREATE TRIGGER `rendering_of_changed_article` AFTER UPDATE OF content ON `articles`
WHEN new.content IS NOT old.content
BEGIN
  UPDATE `article_renderings` SET renderer = 0, state = 'pending', version = new.version, reading_minutes = NULL,
    excerpt = NULL, headings = NULL, text = NULL, html = NULL
  WHERE article_id = new.id AND version <> new.version;
END;
--> statement-breakpoint
INSERT INTO `article_renderings` (article_id, organization_id, renderer, version, state)
  SELECT id, organization_id, 0, version, 'pending' FROM `articles`;
