-- The schema of 1.0.0. It changes nothing in a database that has all earlier migrations (0000_core to 0042_renderer_6), and refuses
-- one that lacks some of them.
CREATE TABLE IF NOT EXISTS `is_new_enough` (
	`yes` integer CONSTRAINT `this database is older than 1.0.0: start the version of commit 855f6380 once, and then this one` CHECK (`yes`)
);
--> statement-breakpoint
INSERT INTO `is_new_enough`
	SELECT count(*) = 0 OR sum(name = '0042_renderer_6.sql') FROM d1_migrations;
--> statement-breakpoint
DROP TABLE `is_new_enough`;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `articles` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`cover_url` text NOT NULL,
	`published` integer NOT NULL,
	`public_time` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	`content` text NOT NULL,
	`search_id` integer,
	`indexed_version` text,
	`publish_time` text,
	`revision` integer,
	`origin` text,
	`seo` text,
	`creator` text,
	`state_version` text,
	`event_due` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `articles_slug` ON `articles` (`blog_id`,`slug`,`locale`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_list` ON `articles` (`blog_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_list_published` ON `articles` (`blog_id`,`published`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_list_locale_published` ON `articles` (`blog_id`,`locale`,`published`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_own_slug` ON `articles` (`organization_id`,`slug`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_public_slug_locale` ON `articles` (`slug`,`locale`,`public_time`,`id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_public_slug` ON `articles` (`slug`,`public_time`,`id`) WHERE published = 1;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `articles_search_id` ON `articles` (`search_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_unindexed` ON `articles` (`organization_id`,`id`) WHERE indexed_version is not version;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_list_by_publication` ON `articles` (`blog_id`,`publish_time`,`id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_list_locale_by_publication` ON `articles` (`blog_id`,`locale`,`publish_time`,`id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_with_seo` ON `articles` (`blog_id`,`id`) WHERE seo is not null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `articles_event_due` ON `articles` (`event_due`) WHERE event_due is not null;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `assertions` (
	`holds` integer NOT NULL,
	CONSTRAINT "assertion_holds" CHECK("assertions"."holds" = 1)
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `blogs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`vanity_id` text NOT NULL,
	`cover_url` text NOT NULL,
	`locales` text NOT NULL,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	`topic_sources` text DEFAULT '[]' NOT NULL,
	`refresh_due_time` text,
	`topics_revision` integer DEFAULT 0 NOT NULL,
	`site_enabled` integer DEFAULT true NOT NULL,
	`site_url` text DEFAULT '' NOT NULL,
	`article_path` text DEFAULT '/{locale}/{slug}' NOT NULL,
	`site_description` text DEFAULT '' NOT NULL,
	`feed_content` text DEFAULT 'full' NOT NULL,
	`accent_color` text DEFAULT '' NOT NULL,
	`site_font` text DEFAULT 'serif' NOT NULL,
	`logo_url` text DEFAULT '' NOT NULL,
	`menu` text DEFAULT '[]' NOT NULL,
	`site_version` text,
	`site_edit_time` text,
	`newsletter` text DEFAULT '' NOT NULL,
	`redirects_version` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `blogs_vanity_id` ON `blogs` (`vanity_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `blogs_by_organization` ON `blogs` (`organization_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `blogs_refresh_due` ON `blogs` (`refresh_due_time`) WHERE refresh_due_time IS NOT NULL;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `contacts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`locale` text NOT NULL,
	`creation_time` text NOT NULL,
	`consent_time` text,
	`unsubscribe_time` text,
	`version` text,
	`imported` text,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `contacts_email` ON `contacts` (`blog_id`,`email`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `contacts_list` ON `contacts` (`blog_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`blog_id` text,
	`expiration_time` text,
	`last_used_time` text,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `credentials_hash` ON `credentials` (`hash`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `credentials_list` ON `credentials` (`organization_id`,`kind`,`creation_time`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `idempotency` (
	`organization_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`token` text NOT NULL,
	`answer` text,
	`content` text,
	`creation_time` text NOT NULL,
	`lease_time` text NOT NULL,
	PRIMARY KEY(`organization_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `idempotency_by_time` ON `idempotency` (`creation_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`creation_time` text NOT NULL,
	`articles` integer DEFAULT 0 NOT NULL,
	`article_bytes` integer DEFAULT 0 NOT NULL,
	`answer_bytes` integer DEFAULT 0 NOT NULL,
	`contacts` integer DEFAULT 0 NOT NULL,
	`media_bytes` integer DEFAULT 0 NOT NULL,
	`day` text DEFAULT '' NOT NULL,
	`day_events` integer DEFAULT 0 NOT NULL,
	`day_deliveries` integer DEFAULT 0 NOT NULL,
	`revision_bytes` integer DEFAULT 0 NOT NULL,
	`media_items` integer DEFAULT 0 NOT NULL,
	`ideas_day` text DEFAULT '' NOT NULL,
	`day_ideas` integer DEFAULT 0 NOT NULL,
	`redirects` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `webhook_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`active` integer NOT NULL,
	`secret` text NOT NULL,
	`failure_streak` integer NOT NULL,
	`epoch` integer NOT NULL,
	`since_seq` integer NOT NULL,
	`deactivation_time` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	`slow` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `webhook_subscriptions_list` ON `webhook_subscriptions` (`organization_id`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `delivery_hours` (
	`organization_id` text NOT NULL,
	`hour` text NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `hour`)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `delivery_hours_by_hour` ON `delivery_hours` (`hour`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`account_id` text NOT NULL,
	`password` text,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expiration_time` text,
	`refresh_token_expiration_time` text,
	`scope` text,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `accounts_provider` ON `accounts` (`provider_id`,`account_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `accounts_by_user` ON `accounts` (`user_id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`hash` text NOT NULL,
	`mail_hash` text NOT NULL,
	`inviter_id` text NOT NULL,
	`expiration_time` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `invitations_hash` ON `invitations` (`hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `invitations_mail_hash` ON `invitations` (`mail_hash`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `invitations_list` ON `invitations` (`organization_id`,`status`,`creation_time`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `local_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`creation_time` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `local_mails_by_time` ON `local_mails` (`creation_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `members` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `members_organization` ON `members` (`organization_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `members_by_user` ON `members` (`user_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `members_list` ON `members` (`organization_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`user_id` text NOT NULL,
	`active_organization_id` text,
	`ip_address` text,
	`user_agent` text,
	`expiration_time` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `sessions_token` ON `sessions` (`token`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `sessions_by_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `sessions_by_expiration` ON `sessions` (`expiration_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `users_email` ON `users` (`email`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expiration_time` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `verifications_identifier` ON `verifications` (`identifier`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `verifications_by_expiration` ON `verifications` (`expiration_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `generations` (
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
	`finish_time` text,
	`microdollars` integer,
	`article_id` text
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `generations_by_time` ON `generations` (`creation_time`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `generations_running` ON `generations` (`creation_time`) WHERE state = 'running';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `generations_of` ON `generations` (`organization_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `media` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`article_id` text,
	`media_type` text NOT NULL,
	`creation_time` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`library` integer DEFAULT 0 NOT NULL,
	`blog_id` text DEFAULT '' NOT NULL,
	`file_id` text,
	`name` text DEFAULT '' NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`width` integer,
	`height` integer,
	`sha256` text,
	`blur_hash` text,
	`sizes` text,
	`size_tries` integer DEFAULT 0 NOT NULL,
	`version` text,
	`last_edit_time` text,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `media_by_article` ON `media` (`article_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `media_library` ON `media` (`organization_id`,`creation_time`,`id`) WHERE library = 1;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `media_by_hash` ON `media` (`organization_id`,`sha256`,`blog_id`) WHERE library = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `media_unsized` ON `media` (`last_edit_time`) WHERE library = 1 AND sizes IS NULL;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `media_unowned` ON `media` (`creation_time`) WHERE article_id IS NULL AND library = 0;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `topic_items` (
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`url_key` text NOT NULL,
	`topic_id` text NOT NULL,
	PRIMARY KEY(`blog_id`, `url_key`),
	FOREIGN KEY (`topic_id`) REFERENCES `topics`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topic_items_by_topic` ON `topic_items` (`topic_id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `topic_refresh_sources` (
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
CREATE INDEX IF NOT EXISTS `topic_refresh_sources_open` ON `topic_refresh_sources` (`enqueue_time`) WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topic_refresh_sources_claimed` ON `topic_refresh_sources` (`claim_time`) WHERE state = 'claimed';
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `topic_refreshes` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`state` text NOT NULL,
	`creation_time` text NOT NULL,
	`finish_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `topic_refreshes_running` ON `topic_refreshes` (`blog_id`) WHERE state = 'running';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topic_refreshes_by_time` ON `topic_refreshes` (`creation_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `topic_source_states` (
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`source_key` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`read_time` text NOT NULL,
	PRIMARY KEY(`blog_id`, `source_key`)
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topic_source_states_by_time` ON `topic_source_states` (`read_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `topics` (
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
CREATE INDEX IF NOT EXISTS `topics_list` ON `topics` (`blog_id`,`score`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topics_list_status` ON `topics` (`blog_id`,`status`,`score`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topics_by_article` ON `topics` (`article_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `topics_by_time` ON `topics` (`creation_time`) WHERE status <> 'used';
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `connected_apps` (
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
CREATE INDEX IF NOT EXISTS `connected_apps_by_user` ON `connected_apps` (`user_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `connected_apps_list` ON `connected_apps` (`organization_id`,`creation_time`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `connected_apps_grant` ON `connected_apps` (`grant_id`) WHERE grant_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `oauth_records` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`metadata` text,
	`version` text NOT NULL,
	`expiration_time` integer
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `oauth_records_expired` ON `oauth_records` (`expiration_time`) WHERE expiration_time IS NOT NULL;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `deliveries` (
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`epoch` integer NOT NULL,
	`state` text NOT NULL,
	`token` text,
	`status` integer,
	`duration_ms` integer,
	`error` text,
	`creation_time` text NOT NULL,
	`claim_time` text,
	`settle_time` text,
	PRIMARY KEY(`event_id`, `subscription_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_list` ON `deliveries` (`subscription_id`,`event_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_settled` ON `deliveries` (`subscription_id`,`state`,`event_id`) WHERE settle_time IS NOT NULL;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_open` ON `deliveries` (`subscription_id`,`event_id`) WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deliveries_claimed` ON `deliveries` (`organization_id`,`claim_time`,`subscription_id`) WHERE state = 'claimed';
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `purges` (
	`tag` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`urgent` integer NOT NULL,
	`time` text NOT NULL,
	`round` integer NOT NULL,
	`due_time` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `last_times` (
	`name` text PRIMARY KEY NOT NULL,
	`time` text NOT NULL,
	`value` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `audit` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`resource_id` text NOT NULL,
	`blog_id` text,
	`request_id` text NOT NULL,
	`creation_time` text NOT NULL,
	PRIMARY KEY(`organization_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`creation_time` text NOT NULL,
	`enqueue_time` text NOT NULL,
	`fan_out_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `events_id` ON `events` (`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `events_pending` ON `events` (`organization_id`,`seq`) WHERE fan_out_time IS NULL;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`kind` text NOT NULL,
	`tries` integer NOT NULL,
	`creation_time` text NOT NULL,
	`try_time` text NOT NULL,
	`dead_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `dead_letters_of` ON `dead_letters` (`event_id`,`subscription_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `dead_letters_list` ON `dead_letters` (`organization_id`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `waiting_outboxes` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`deliveries` integer NOT NULL,
	`purged_seq` integer NOT NULL,
	`time` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `revisions` (
	`article_id` text NOT NULL,
	`number` integer NOT NULL,
	`organization_id` text NOT NULL,
	`published` integer NOT NULL,
	`lasting` integer NOT NULL,
	`members` text NOT NULL,
	`actor_kind` text,
	`actor_id` text,
	`action` text,
	`last_edit_time` text NOT NULL,
	`end_time` text NOT NULL,
	`content` blob,
	`working_copy` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`article_id`, `number`),
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `revisions_oldest` ON `revisions` (`organization_id`,`lasting`,`end_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `working_copies` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`members` text NOT NULL,
	`base_version` text NOT NULL,
	`version` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	`content` text,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `working_copies_with_terms` ON `working_copies` (`organization_id`) WHERE members ->> '$.tags' is not null or members ->> '$.authors' is not null;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `schedules` (
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
CREATE INDEX IF NOT EXISTS `schedules_list` ON `schedules` (`organization_id`,`due_time`,`article_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_due` ON `schedules` (`due_time`) WHERE failure_code is null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_waiting` ON `schedules` (`organization_id`,`due_time`,`article_id`) WHERE failure_code is null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_waiting_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`) WHERE failure_code is null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_failed` ON `schedules` (`organization_id`,`due_time`,`article_id`) WHERE failure_code is not null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_failed_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`) WHERE failure_code is not null;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `previews` (
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
CREATE UNIQUE INDEX IF NOT EXISTS `previews_token` ON `previews` (`token_hash`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `previews_by_article` ON `previews` (`article_id`,`expiration_time`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `previews_of_organization` ON `previews` (`organization_id`,`expiration_time`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `previews_expired` ON `previews` (`expiration_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `slug_terms` (
	`blog_id` text NOT NULL,
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`term_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`blog_id`, `slug`, `kind`, `term_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `term_articles` (
	`term_id` text NOT NULL,
	`creation_time` text NOT NULL,
	`article_id` text NOT NULL,
	`published` integer NOT NULL,
	`locale` text NOT NULL,
	`publish_time` text,
	PRIMARY KEY(`term_id`, `creation_time`, `article_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `term_articles_published_locale` ON `term_articles` (`term_id`,`locale`,`creation_time`,`article_id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `term_articles_locale_by_publication` ON `term_articles` (`term_id`,`locale`,`publish_time`,`article_id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `term_articles_published` ON `term_articles` (`term_id`,`creation_time`,`article_id`) WHERE published = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `term_articles_by_publication` ON `term_articles` (`term_id`,`publish_time`,`article_id`) WHERE published = 1;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `terms` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`members` text NOT NULL,
	`articles` integer DEFAULT 0 NOT NULL,
	`published_articles` integer DEFAULT 0 NOT NULL,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `terms_slug` ON `terms` (`blog_id`,`kind`,`slug`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `terms_list` ON `terms` (`blog_id`,`kind`,`creation_time`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `terms_name` ON `terms` (`blog_id`,`kind`,name collate nocase);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `moved_slugs` (
	`id` integer PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`slug` text NOT NULL,
	`locale` text NOT NULL,
	`article_id` text NOT NULL,
	`move_time` text NOT NULL,
	`number` integer NOT NULL,
	`live` integer NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `moved_slugs_slug` ON `moved_slugs` (`blog_id`,`slug`,`locale`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `moved_slugs_by_article` ON `moved_slugs` (`article_id`,`number`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `moved_slugs_of_organization` ON `moved_slugs` (`organization_id`,`number`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `moved_slugs_live` ON `moved_slugs` (`slug`,`move_time`) WHERE live = 1;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `moved_slugs_live_locale` ON `moved_slugs` (`slug`,`locale`,`move_time`) WHERE live = 1;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `media_uses` (
	`media_id` text NOT NULL,
	`article_id` text NOT NULL,
	`place` text NOT NULL,
	`organization_id` text NOT NULL,
	PRIMARY KEY(`media_id`, `article_id`, `place`),
	FOREIGN KEY (`media_id`) REFERENCES `media`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `media_uses_of_article` ON `media_uses` (`article_id`,`place`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `revoked_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`hint` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_used_time` text,
	`revoke_time` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `revoked_credentials_list` ON `revoked_credentials` (`organization_id`,`id`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `deletions` (
	`article_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`article_version` text NOT NULL,
	`copy_version` text,
	`due_time` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`failure_code` text,
	`failure_detail` text,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deletions_list` ON `deletions` (`organization_id`,`due_time`,`article_id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `deletions_due` ON `deletions` (`due_time`) WHERE failure_code is null;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `article_renderings` (
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
CREATE INDEX IF NOT EXISTS `article_renderings_waiting` ON `article_renderings` (`renderer`,`organization_id`) WHERE renderer <> 6;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `contact_requests` (
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
CREATE UNIQUE INDEX IF NOT EXISTS `contact_requests_email` ON `contact_requests` (`blog_id`,`email`);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `contact_requests_token` ON `contact_requests` (`token_hash`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `contact_requests_expired` ON `contact_requests` (`expiration_time`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `site_hosts` (
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
CREATE UNIQUE INDEX IF NOT EXISTS `site_hosts_verified` ON `site_hosts` (`host`) WHERE verified_time IS NOT NULL;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `site_hosts_due` ON `site_hosts` (`next_check_time`) WHERE next_check_time IS NOT NULL;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `redirects` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`source` text NOT NULL,
	`article_id` text,
	`target` text,
	`target_key` text,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`article_id`) REFERENCES `articles`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `redirects_source` ON `redirects` (`blog_id`,`source`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `redirects_list` ON `redirects` (`blog_id`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `redirects_by_target` ON `redirects` (`blog_id`,`target_key`) WHERE target_key is not null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `redirects_by_article` ON `redirects` (`article_id`) WHERE article_id is not null;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `imported_articles` (
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
CREATE INDEX IF NOT EXISTS `imported_articles_by_state` ON `imported_articles` (`import_id`,`state`,`number`);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `imported_pictures` (
	`import_id` text NOT NULL,
	`key` text NOT NULL,
	`url` text,
	`media_id` text,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`import_id`, `key`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `imports` (
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
CREATE INDEX IF NOT EXISTS `imports_by_blog` ON `imports` (`blog_id`,`id`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `imports_by_organization` ON `imports` (`organization_id`,`state`);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `imports_working` ON `imports` (`lease_time`) WHERE state in ('checking', 'running', 'undoing');
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `imports_by_time` ON `imports` (`creation_time`);
--> statement-breakpoint
CREATE VIRTUAL TABLE IF NOT EXISTS `article_text` USING fts5(content, title, description, place, source, tokenize = 'ascii', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE IF NOT EXISTS `article_text_terms` USING fts5vocab(article_text, instance);
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `contact_usage_delete` AFTER DELETE ON `contacts`
BEGIN
  UPDATE `organizations` SET contacts = contacts - 1 WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `article_search_delete` AFTER DELETE ON `articles` WHEN old.search_id IS NOT NULL
BEGIN
  DELETE FROM `article_text` WHERE rowid = old.search_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `contact_usage_insert` AFTER INSERT ON `contacts`
BEGIN
  UPDATE `organizations` SET contacts = contacts + 1,
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- All other events. A ping is stored with its one delivery.
CREATE TRIGGER IF NOT EXISTS `event_usage_insert` AFTER INSERT ON `events`
WHEN new.kind NOT IN ('article.created', 'article.updated', 'article.deleted', 'contact.created')
BEGIN
  UPDATE `organizations` SET
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END + (new.kind = 'ping'),
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- Working copies count as texts of articles, former states by themselves (src/store/core/quota.ts). The rows of a deleted
-- article go with it.
CREATE TRIGGER IF NOT EXISTS `working_copy_usage_insert` AFTER INSERT ON `working_copies`
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `working_copy_usage_update` AFTER UPDATE ON `working_copies`
WHEN octet_length(new.members) + coalesce(octet_length(new.content), 0)
  <> octet_length(old.members) + coalesce(octet_length(old.content), 0)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `working_copy_usage_delete` AFTER DELETE ON `working_copies`
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `revision_usage_delete` AFTER DELETE ON `revisions`
BEGIN
  UPDATE `organizations` SET revision_bytes = revision_bytes
    - octet_length(old.members) - coalesce(octet_length(old.content), 0)
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- What an organization uses is counted where it changes; the bytes of `seo` count, too.
CREATE TRIGGER IF NOT EXISTS `article_usage_insert` AFTER INSERT ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles + 1, article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0),
    day_events = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_events END + 1,
    day_deliveries = CASE WHEN day < substr(new.creation_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.creation_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `article_usage_delete` AFTER DELETE ON `articles`
BEGIN
  UPDATE `organizations` SET articles = articles - 1, article_bytes = article_bytes
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
      - coalesce(octet_length(old.seo), 0),
    day_events = CASE WHEN day < e.today THEN 0 ELSE day_events END + e.deleted,
    day_deliveries = CASE WHEN day < e.today THEN 0 ELSE day_deliveries END,
    day = max(day, e.today)
  FROM (
    SELECT count(*) AS deleted, coalesce(max(substr(creation_time, 1, 10)), '') AS today
    FROM (SELECT kind, data, creation_time FROM `events` ORDER BY seq DESC LIMIT 1)
    WHERE kind = 'article.deleted' AND data ->> '_id' = old.id
  ) AS e
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- Terms: an article has those of its slug, and is in the list of each.
CREATE TRIGGER IF NOT EXISTS `terms_of_new_article` AFTER INSERT ON `articles`
BEGIN
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT term_id, new.creation_time, new.id, new.published, new.locale, new.publish_time
  FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `terms_of_changed_article` AFTER UPDATE OF locale, published, publish_time ON `articles`
WHEN new.slug = old.slug
  AND (new.locale <> old.locale OR new.published <> old.published OR new.publish_time IS NOT old.publish_time)
BEGIN
  UPDATE `term_articles` SET locale = new.locale, published = new.published, publish_time = new.publish_time
  WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, new.creation_time, new.id FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug);
END;
--> statement-breakpoint
-- The terms of a slug go along with the last article that has it, unless others have the new slug already.
CREATE TRIGGER IF NOT EXISTS `terms_of_moved_article` AFTER UPDATE OF slug ON `articles`
WHEN new.slug <> old.slug
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, old.creation_time, old.id FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug);
  INSERT OR IGNORE INTO `slug_terms` (blog_id, slug, kind, term_id, position)
  SELECT blog_id, new.slug, kind, term_id, position FROM `slug_terms`
  WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = new.blog_id AND slug = new.slug AND id <> new.id);
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT term_id, new.creation_time, new.id, new.published, new.locale, new.publish_time
  FROM `slug_terms` WHERE blog_id = new.blog_id AND slug = new.slug;
  DELETE FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `terms_of_deleted_article` AFTER DELETE ON `articles`
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT term_id, old.creation_time, old.id FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug);
  DELETE FROM `slug_terms` WHERE blog_id = old.blog_id AND slug = old.slug AND NOT EXISTS (
    SELECT 1 FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_given` AFTER INSERT ON `slug_terms`
BEGIN
  INSERT OR IGNORE INTO `term_articles` (term_id, creation_time, article_id, published, locale, publish_time)
  SELECT new.term_id, creation_time, id, published, locale, publish_time
  FROM `articles` WHERE blog_id = new.blog_id AND slug = new.slug;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_taken` AFTER DELETE ON `slug_terms`
BEGIN
  DELETE FROM `term_articles` WHERE (term_id, creation_time, article_id) IN (
    SELECT old.term_id, creation_time, id FROM `articles` WHERE blog_id = old.blog_id AND slug = old.slug);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_counted` AFTER INSERT ON `term_articles`
BEGIN
  UPDATE `terms` SET articles = articles + 1, published_articles = published_articles + new.published WHERE id = new.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_count_changed` AFTER UPDATE OF published ON `term_articles`
WHEN new.published <> old.published
BEGIN
  UPDATE `terms` SET published_articles = published_articles + new.published - old.published WHERE id = new.term_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_uncounted` AFTER DELETE ON `term_articles`
BEGIN
  UPDATE `terms` SET articles = articles - 1, published_articles = published_articles - old.published WHERE id = old.term_id;
END;
--> statement-breakpoint
-- An article that gets a slug takes it from an article that had it before.
CREATE TRIGGER IF NOT EXISTS `moved_slug_taken_by_new` AFTER INSERT ON `articles`
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `moved_slug_taken` AFTER UPDATE OF slug, locale ON `articles`
WHEN new.slug <> old.slug OR new.locale <> old.locale
BEGIN
  DELETE FROM `moved_slugs` WHERE blog_id = new.blog_id AND slug = new.slug AND locale = new.locale;
END;
--> statement-breakpoint
-- An article keeps its 50 newest former slugs, an organization its 50,000 newest.
CREATE TRIGGER IF NOT EXISTS `moved_slug_left` AFTER UPDATE OF slug, locale ON `articles`
WHEN old.published = 1 AND (new.slug <> old.slug OR new.locale <> old.locale)
BEGIN
  INSERT INTO `moved_slugs` (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
  VALUES (old.organization_id, old.blog_id, old.slug, old.locale, old.id, new.last_edit_time,
    (SELECT coalesce(max(number), 0) + 1 FROM `moved_slugs` WHERE organization_id = old.organization_id), new.published);
  DELETE FROM `moved_slugs` WHERE id IN (
    SELECT id FROM `moved_slugs` WHERE article_id = new.id ORDER BY number DESC LIMIT -1 OFFSET 50);
  DELETE FROM `moved_slugs` WHERE organization_id = new.organization_id
    AND number <= (SELECT max(number) FROM `moved_slugs` WHERE organization_id = new.organization_id) - 50000;
END;
--> statement-breakpoint
-- The former slugs of an article lead to it while it is published.
CREATE TRIGGER IF NOT EXISTS `moved_slug_live` AFTER UPDATE OF published ON `articles`
WHEN new.published <> old.published
BEGIN
  UPDATE `moved_slugs` SET live = new.published WHERE article_id = new.id;
END;
--> statement-breakpoint
-- What an article shows: uploads of its organization whose address, /media/ and 36 characters, is in its texts. As JSON
-- text, which is cut at each address, it becomes a list: this takes time in proportion to the text. The first thousand
-- count.
CREATE TRIGGER IF NOT EXISTS `media_uses_insert` AFTER INSERT ON `articles`
WHEN instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `draft_media_uses_insert` AFTER INSERT ON `working_copies`
WHEN instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
BEGIN
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `draft_media_uses_delete` AFTER DELETE ON `working_copies`
BEGIN
  DELETE FROM `media_uses` WHERE article_id = old.article_id AND place = 'draft';
END;
--> statement-breakpoint
-- The pictures of a library are counted where their bytes are, so that a deletion, which changes both, writes one row.
CREATE TRIGGER IF NOT EXISTS `media_usage_insert` AFTER INSERT ON `media`
WHEN new.bytes > 0 OR new.library > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes, media_items = media_items + new.library
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `media_usage_update` AFTER UPDATE OF bytes, library ON `media`
WHEN new.bytes <> old.bytes OR new.library <> old.library
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes + new.bytes - old.bytes,
    media_items = media_items + new.library - old.library
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `media_usage_delete` AFTER DELETE ON `media`
WHEN old.bytes > 0 OR old.library > 0
BEGIN
  UPDATE `organizations` SET media_bytes = media_bytes - old.bytes, media_items = media_items - old.library
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
-- A write stores the rendering of a content before the content itself, so that these triggers find it. One that does not, as
-- an older version of the service that still runs, leaves an article that waits for the sweep.
CREATE TRIGGER IF NOT EXISTS `rendering_of_new_article` AFTER INSERT ON `articles`
WHEN NOT EXISTS (SELECT 1 FROM `article_renderings` WHERE article_id = new.id)
BEGIN
  INSERT INTO `article_renderings` (article_id, organization_id, renderer, version, state)
  VALUES (new.id, new.organization_id, 0, new.version, 'pending');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `rendering_of_changed_article` AFTER UPDATE OF content ON `articles`
WHEN new.content IS NOT old.content
BEGIN
  UPDATE `article_renderings` SET renderer = 0, state = 'pending', version = new.version, reading_minutes = NULL,
    excerpt = NULL, headings = NULL, text = NULL, html = NULL
  WHERE article_id = new.id AND version <> new.version;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_usage_insert` AFTER INSERT ON `terms`
WHEN octet_length(new.members) > 64
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes + octet_length(new.members) WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_usage_update` AFTER UPDATE OF members ON `terms`
WHEN octet_length(new.members) <> octet_length(old.members)
  AND (octet_length(new.members) > 64 OR octet_length(old.members) > 64)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
    + iif(octet_length(new.members) > 64, octet_length(new.members), 0)
    - iif(octet_length(old.members) > 64, octet_length(old.members), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `term_usage_delete` AFTER DELETE ON `terms`
WHEN octet_length(old.members) > 64
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes - octet_length(old.members) WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `answer_usage_insert` AFTER INSERT ON `idempotency`
WHEN octet_length(new.content) > 0 OR octet_length(new.answer) > 1024
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    + coalesce(octet_length(new.content), 0) + iif(octet_length(new.answer) > 1024, octet_length(new.answer), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- A key is claimed without an answer, which comes later. A claim anew takes the earlier one away.
CREATE TRIGGER IF NOT EXISTS `answer_usage_update` AFTER UPDATE OF answer, content ON `idempotency`
WHEN coalesce(octet_length(new.content), 0) <> coalesce(octet_length(old.content), 0)
  OR (coalesce(octet_length(new.answer), 0) <> coalesce(octet_length(old.answer), 0)
    AND (octet_length(new.answer) > 1024 OR octet_length(old.answer) > 1024))
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    + coalesce(octet_length(new.content), 0) + iif(octet_length(new.answer) > 1024, octet_length(new.answer), 0)
    - coalesce(octet_length(old.content), 0) - iif(octet_length(old.answer) > 1024, octet_length(old.answer), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `answer_usage_delete` AFTER DELETE ON `idempotency`
WHEN octet_length(old.content) > 0 OR octet_length(old.answer) > 1024
BEGIN
  UPDATE `organizations` SET answer_bytes = answer_bytes
    - coalesce(octet_length(old.content), 0) - iif(octet_length(old.answer) > 1024, octet_length(old.answer), 0)
  WHERE id = old.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `media_uses_update` AFTER UPDATE OF content, cover_url, seo ON `articles`
WHEN (new.content IS NOT old.content OR new.cover_url IS NOT old.cover_url OR new.seo IS NOT old.seo)
  AND (instr(new.content, '/media/') > 0 OR instr(new.cover_url, '/media/') > 0 OR instr(coalesce(new.seo, ''), '/media/') > 0
    OR instr(old.content, '/media/') > 0 OR instr(old.cover_url, '/media/') > 0 OR instr(coalesce(old.seo, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.id AND place = 'article' AND media_id NOT IN (
    SELECT substr(value, 1, 36) FROM json_each('[' || replace(
      json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
    WHERE key > 0);
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.id, 'article', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.cover_url || ' ' || coalesce(new.seo, '') || ' ' || new.content), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `draft_media_uses_update` AFTER UPDATE OF members, content ON `working_copies`
WHEN (new.members IS NOT old.members OR new.content IS NOT old.content)
  AND (instr(new.members, '/media/') > 0 OR instr(coalesce(new.content, ''), '/media/') > 0
    OR instr(old.members, '/media/') > 0 OR instr(coalesce(old.content, ''), '/media/') > 0)
BEGIN
  DELETE FROM `media_uses` WHERE article_id = new.article_id AND place = 'draft' AND media_id NOT IN (
    SELECT substr(value, 1, 36) FROM json_each('[' || replace(
      json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
    WHERE key > 0);
  INSERT OR IGNORE INTO `media_uses` (media_id, article_id, place, organization_id)
    SELECT m.id, new.article_id, 'draft', new.organization_id FROM (
      SELECT DISTINCT substr(value, 1, 36) AS id FROM json_each('[' || replace(
        json_quote(new.members || ' ' || coalesce(new.content, '')), '/media/', '","') || ']')
      WHERE key > 0 LIMIT 1000) AS named
    JOIN `media` AS m ON m.id = named.id WHERE m.organization_id = new.organization_id AND m.library = 1;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `article_usage_update` AFTER UPDATE OF title, description, cover_url, content, seo, version ON `articles`
WHEN new.version <> old.version
  OR octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
    + coalesce(octet_length(new.seo), 0)
  <> octet_length(old.title) + octet_length(old.description) + octet_length(old.cover_url) + octet_length(old.content)
    + coalesce(octet_length(old.seo), 0)
BEGIN
  UPDATE `organizations` SET article_bytes = article_bytes
      + octet_length(new.title) + octet_length(new.description) + octet_length(new.cover_url) + octet_length(new.content)
      + coalesce(octet_length(new.seo), 0)
      - octet_length(old.title) - octet_length(old.description) - octet_length(old.cover_url) - octet_length(old.content)
      - coalesce(octet_length(old.seo), 0),
    revision_bytes = revision_bytes + coalesce((SELECT octet_length(members) + coalesce(octet_length(content), 0)
      FROM `revisions` WHERE article_id = new.id AND number = new.revision - 1 AND new.revision IS NOT old.revision), 0),
    day_events = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_events END
      + (new.version <> old.version AND new.event_due IS NULL),
    day_deliveries = CASE WHEN day < substr(new.last_edit_time, 1, 10) THEN 0 ELSE day_deliveries END,
    day = max(day, substr(new.last_edit_time, 1, 10))
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
-- A state of a working copy is stored without a change of its article, whose trigger counts the others.
CREATE TRIGGER IF NOT EXISTS `revision_usage_insert` AFTER INSERT ON `revisions`
WHEN new.working_copy = 1
BEGIN
  UPDATE `organizations` SET revision_bytes = revision_bytes
    + octet_length(new.members) + coalesce(octet_length(new.content), 0)
  WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `redirect_usage_insert` AFTER INSERT ON `redirects`
BEGIN
  UPDATE `organizations` SET redirects = redirects + 1 WHERE id = new.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `redirect_usage_delete` AFTER DELETE ON `redirects`
BEGIN
  UPDATE `organizations` SET redirects = redirects - 1 WHERE id = old.organization_id;
END;
