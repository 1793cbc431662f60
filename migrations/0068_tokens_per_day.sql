ALTER TABLE `organizations` ADD `model_tokens_per_day` integer;--> statement-breakpoint
ALTER TABLE `generations` ADD `estimated_tokens` integer DEFAULT 0 NOT NULL;