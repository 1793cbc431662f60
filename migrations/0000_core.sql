CREATE TABLE `articles` (
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
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug` ON `articles` (`blog_id`,`slug`,`locale`);--> statement-breakpoint
CREATE INDEX `articles_list` ON `articles` (`blog_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `articles_list_published` ON `articles` (`blog_id`,`published`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `articles_list_locale` ON `articles` (`blog_id`,`locale`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `articles_list_locale_published` ON `articles` (`blog_id`,`locale`,`published`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `articles_own_slug` ON `articles` (`organization_id`,`slug`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `articles_public_slug_locale` ON `articles` (`slug`,`locale`,`public_time`,`id`) WHERE published = 1;--> statement-breakpoint
CREATE INDEX `articles_public_slug` ON `articles` (`slug`,`public_time`,`id`) WHERE published = 1;--> statement-breakpoint
CREATE TABLE `assertions` (
	`holds` integer NOT NULL,
	CONSTRAINT "assertion_holds" CHECK("assertions"."holds" = 1)
);
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`resource_id` text NOT NULL,
	`blog_id` text,
	`request_id` text NOT NULL,
	`creation_time` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_list` ON `audit` (`organization_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit` (`creation_time`);--> statement-breakpoint
CREATE TABLE `blogs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`vanity_id` text NOT NULL,
	`cover_url` text NOT NULL,
	`locales` text NOT NULL,
	`version` text NOT NULL,
	`creation_time` text NOT NULL,
	`last_edit_time` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blogs_vanity_id` ON `blogs` (`vanity_id`);--> statement-breakpoint
CREATE INDEX `blogs_by_organization` ON `blogs` (`organization_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`blog_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`locale` text NOT NULL,
	`creation_time` text NOT NULL,
	FOREIGN KEY (`blog_id`) REFERENCES `blogs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`blog_id`,`email`);--> statement-breakpoint
CREATE INDEX `contacts_list` ON `contacts` (`blog_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE TABLE `credentials` (
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
CREATE UNIQUE INDEX `credentials_hash` ON `credentials` (`hash`);--> statement-breakpoint
CREATE INDEX `credentials_list` ON `credentials` (`organization_id`,`kind`,`creation_time`,`id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`epoch` integer NOT NULL,
	`state` text NOT NULL,
	`token` text,
	`status` integer,
	`duration_ms` integer,
	`error` text,
	`creation_time` text NOT NULL,
	`enqueue_time` text NOT NULL,
	`claim_time` text,
	`settle_time` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event` ON `deliveries` (`event_id`,`subscription_id`);--> statement-breakpoint
CREATE INDEX `deliveries_list` ON `deliveries` (`subscription_id`,`creation_time`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`enqueue_time`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `deliveries_claimed` ON `deliveries` (`claim_time`) WHERE state = 'claimed';--> statement-breakpoint
CREATE INDEX `deliveries_by_time` ON `deliveries` (`creation_time`);--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_pending` ON `events` (`enqueue_time`) WHERE fan_out_time IS NULL;--> statement-breakpoint
CREATE INDEX `events_by_time` ON `events` (`creation_time`);--> statement-breakpoint
CREATE TABLE `idempotency` (
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
CREATE INDEX `idempotency_by_time` ON `idempotency` (`creation_time`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`creation_time` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
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
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_list` ON `webhook_subscriptions` (`organization_id`,`id`);