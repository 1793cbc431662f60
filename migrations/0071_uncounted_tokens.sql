ALTER TABLE `generations` ADD `uncounted_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `generations` ADD `former_tokens` integer DEFAULT 0 NOT NULL;