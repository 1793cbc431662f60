CREATE TABLE `ledger` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`deliveries` integer DEFAULT 0 NOT NULL,
	`model_tokens` integer DEFAULT 0 NOT NULL,
	`picture_operations` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `day`)
) WITHOUT ROWID;
