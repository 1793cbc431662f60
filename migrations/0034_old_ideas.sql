-- The index by which old ideas are deleted leaves out those that became an article: they are kept for good, and the sweep would
-- read all that are older than a year again each minute.
DROP INDEX `topics_by_time`;--> statement-breakpoint
CREATE INDEX `topics_by_time` ON `topics` (`creation_time`) WHERE status <> 'used';
