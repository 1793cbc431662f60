import type { Scope } from "./principal.ts";

export const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  "articles:read": "Read articles, including drafts",
  "articles:draft": "Write drafts and unpublished changes, which readers do not see",
  "articles:write": "Create, change, publish and delete articles",
  "blogs:read": "See blogs and their settings",
  "blogs:write": "Create and change blogs",
  "topics:read": "See topic ideas",
  "topics:write": "Refresh topic ideas, and change their status",
  "contacts:read": "Read contacts: names and email addresses",
  "contacts:write": "Create contacts",
  "events:read": "Read the events of changes, with drafts and settings as they were",
};
