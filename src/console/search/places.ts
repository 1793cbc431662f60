/** The pages and actions that the search and the palette lead to, for those whose role has the grant. */
import type { Grant } from "../../domain/principal.ts";

export type Place = { readonly name: string; readonly path: string; readonly grant: Grant; readonly words?: string };

/** `words` are further words under which a place is found. */
export const PLACES: readonly Place[] = [
  { name: "New article", path: "/console/articles/new", grant: "articles:write", words: "write create" },
  { name: "Generate an article", path: "/console/articles/generate", grant: "articles:write", words: "model ai" },
  { name: "New blog", path: "/console/blogs/new", grant: "blogs:write", words: "create" },
  { name: "New API key", path: "/console/keys/new", grant: "operator", words: "create token" },
  { name: "New webhook", path: "/console/webhooks/new", grant: "operator", words: "create subscription" },
  { name: "Overview", path: "/console", grant: "articles:read", words: "home dashboard" },
  { name: "Articles", path: "/console/articles", grant: "articles:read", words: "posts" },
  { name: "My drafts", path: "/console/articles?state=mine", grant: "articles:read" },
  { name: "Waiting for review", path: "/console/articles?state=review", grant: "articles:read", words: "generated" },
  { name: "Translations", path: "/console/articles/matrix", grant: "articles:read", words: "locales missing stale" },
  { name: "Media", path: "/console/media", grant: "articles:read", words: "library pictures images upload" },
  { name: "Calendar", path: "/console/calendar", grant: "articles:read", words: "schedules" },
  { name: "Ideas", path: "/console/topics", grant: "topics:read", words: "topics sources" },
  { name: "Sources of ideas", path: "/console/topics/sources", grant: "blogs:write", words: "topics feeds" },
  { name: "Generations", path: "/console/generations", grant: "articles:read", words: "model cost" },
  { name: "Blogs", path: "/console/blogs", grant: "blogs:read" },
  { name: "Contacts", path: "/console/contacts", grant: "contacts:read", words: "people subscribers" },
  { name: "New contact", path: "/console/contacts/new", grant: "contacts:write", words: "add create" },
  { name: "Import and export", path: "/console/transfer", grant: "articles:read", words: "ghost wordpress backup" },
  { name: "Keys", path: "/console/keys", grant: "operator", words: "tokens api" },
  { name: "Webhooks", path: "/console/webhooks", grant: "operator", words: "deliveries" },
  { name: "Members", path: "/console/members", grant: "operator", words: "people invite roles" },
  { name: "Audit log", path: "/console/audit", grant: "operator", words: "changes history" },
  { name: "Usage and quotas", path: "/console/usage", grant: "blogs:read", words: "limits storage" },
  { name: "Settings", path: "/console/settings", grant: "operator", words: "organization name" },
  { name: "Your account", path: "/console/account", grant: "articles:read", words: "password sessions applications" },
  { name: "Your organizations", path: "/console/organizations", grant: "articles:read", words: "switch" },
];

/** Returns whether every word of a question begins a word of the text. */
export function fits(question: string, text: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const asked = question
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return asked.every((part) => words.some((word) => word.startsWith(part)));
}
