CREATE TABLE `suspensions` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`creation_time` text NOT NULL
) WITHOUT ROWID;
