DROP INDEX `article_renderings_waiting`;--> statement-breakpoint
CREATE INDEX `article_renderings_waiting` ON `article_renderings` (`renderer`,`organization_id`) WHERE renderer <> 6;