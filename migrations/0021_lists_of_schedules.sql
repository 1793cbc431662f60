CREATE INDEX `schedules_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`);--> statement-breakpoint
CREATE INDEX `schedules_waiting` ON `schedules` (`organization_id`,`due_time`,`article_id`) WHERE failure_code is null;--> statement-breakpoint
CREATE INDEX `schedules_waiting_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`) WHERE failure_code is null;--> statement-breakpoint
CREATE INDEX `schedules_failed` ON `schedules` (`organization_id`,`due_time`,`article_id`) WHERE failure_code is not null;--> statement-breakpoint
CREATE INDEX `schedules_failed_of_blog` ON `schedules` (`blog_id`,`due_time`,`article_id`) WHERE failure_code is not null;