/** The pages and actions that the search and the palette lead to, for those whose role has the grant. */
import { GROUPS, type Place as MainPlace } from "../navigation.ts";

/** `words` are further words under which the place is found. */
type Place = Pick<MainPlace, "name" | "path" | "grant"> & { readonly words?: string };

const MAIN = new Map(GROUPS.flatMap(({ places }) => places.map((place) => [place.path, place])));

/** Returns a place of the main navigation. Throws if it has none of this path. */
function main(path: string, words = ""): Place {
  const place = MAIN.get(path);
  if (place === undefined) throw new Error(`${path} is not in the navigation`);
  return { name: place.name, path, words, ...(place.grant && { grant: place.grant }) };
}

export const PLACES: readonly Place[] = [
  { name: "New article", path: "/console/articles/new", grant: "articles:draft", words: "write create" },
  { name: "Generate an article", path: "/console/articles/generate", grant: "articles:draft", words: "model ai" },
  { name: "New blog", path: "/console/blogs/new", grant: "blogs:write", words: "create" },
  { name: "New API key", path: "/console/keys/new", grant: "operator", words: "create token" },
  { name: "New webhook", path: "/console/webhooks/new", grant: "operator", words: "create subscription" },
  main("/console", "home dashboard"),
  main("/console/articles", "posts"),
  { name: "My drafts", path: "/console/articles?state=mine", grant: "articles:read" },
  { name: "Needs review", path: "/console/articles?state=review", grant: "articles:read", words: "generated" },
  {
    name: "Translations",
    path: "/console/articles/matrix",
    grant: "articles:read",
    words: "languages missing outdated",
  },
  { name: "Trash", path: "/console/articles/trash", grant: "articles:read", words: "deleted restore" },
  main("/console/media", "library pictures images upload"),
  main("/console/calendar", "schedules"),
  main("/console/approvals", "requests review pending agents"),
  main("/console/topics", "sources"),
  { name: "Topic sources", path: "/console/topics/sources", grant: "blogs:write", words: "ideas feeds" },
  { name: "Generations", path: "/console/generations", grant: "articles:read", words: "model cost" },
  main("/console/blogs"),
  main("/console/contacts", "people subscribers"),
  { name: "New contact", path: "/console/contacts/new", grant: "contacts:write", words: "add create" },
  main("/console/imports", "ghost wordpress markdown zip upload move"),
  { name: "Import and export", path: "/console/transfer", grant: "articles:read", words: "ghost wordpress backup" },
  main("/console/keys", "tokens"),
  main("/console/webhooks", "deliveries"),
  main("/console/events", "feed changes"),
  main("/console/members", "people invite roles"),
  main("/console/audit", "changes history"),
  { ...main("/console/usage", "limits storage"), name: "Usage and quotas" },
  main("/console/settings", "organization name"),
  { name: "Your account", path: "/console/account", grant: "articles:read", words: "password sessions apps" },
  { name: "Your organizations", path: "/console/organizations", grant: "articles:read", words: "switch" },
];

/** Returns whether every word of a question begins a word of the text. */
export function matches(question: string, text: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const asked = question
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return asked.every((part) => words.some((word) => word.startsWith(part)));
}
