/** The main navigation. The search leads to the same places, and to others (search/places.ts). */
import type { Grant } from "../../domain/principal.ts";
import type { IconName } from "./icons.ts";

export type Place = { readonly path: string; readonly name: string; readonly icon: IconName; readonly grant?: Grant };

/** A member sees the links that their role has the grant for. Links without a grant are for everybody. */
export const GROUPS: readonly { readonly name: string; readonly places: readonly Place[] }[] = [
  {
    name: "Write",
    places: [
      { path: "/console", name: "Overview", icon: "overview", grant: "articles:read" },
      { path: "/console/articles", name: "Articles", icon: "articles", grant: "articles:read" },
      { path: "/console/media", name: "Media", icon: "media", grant: "articles:read" },
      { path: "/console/calendar", name: "Calendar", icon: "calendar", grant: "articles:read" },
      { path: "/console/approvals", name: "Approvals", icon: "approvals", grant: "articles:draft" },
      { path: "/console/topics", name: "Topic ideas", icon: "ideas", grant: "topics:read" },
    ],
  },
  {
    name: "Publish",
    places: [
      { path: "/console/blogs", name: "Blogs", icon: "blogs", grant: "blogs:read" },
      { path: "/console/contacts", name: "Contacts", icon: "contacts", grant: "contacts:read" },
      { path: "/console/imports", name: "Imports", icon: "import", grant: "articles:write" },
    ],
  },
  {
    name: "Manage",
    places: [
      { path: "/console/keys", name: "API keys", icon: "keys", grant: "operator" },
      { path: "/console/webhooks", name: "Webhooks", icon: "webhooks", grant: "operator" },
      { path: "/console/events", name: "Events", icon: "events", grant: "operator" },
      { path: "/console/members", name: "Members", icon: "members", grant: "operator" },
      { path: "/console/audit", name: "Audit log", icon: "audit", grant: "operator" },
      { path: "/console/usage", name: "Usage", icon: "usage" },
      { path: "/console/settings", name: "Settings", icon: "settings", grant: "operator" },
    ],
  },
  { name: "Learn", places: [{ path: "/docs", name: "Documentation", icon: "docs" }] },
];
