ALTER TABLE `connected_apps` ADD `secret_hash` text;--> statement-breakpoint
ALTER TABLE `connected_apps` ADD `hint` text;--> statement-breakpoint
ALTER TABLE `connected_apps` ADD `expiration_time` text;