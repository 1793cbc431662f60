/**
 * The icons of the console, and their names in the package lucide-static. The build collects them in
 * public/console/icons.svg (scripts/build-assets.ts).
 */
export const ICONS = {
  menu: "menu",
  close: "x",
  search: "search",
  switch: "chevrons-up-down",
  more: "ellipsis",
  previous: "chevron-left",
  next: "chevron-right",
  add: "plus",
  overview: "layout-dashboard",
  articles: "file-text",
  calendar: "calendar-days",
  ideas: "lightbulb",
  approvals: "check-check",
  blogs: "newspaper",
  contacts: "contact",
  media: "images",
  import: "import",
  keys: "key-round",
  webhooks: "webhook",
  events: "activity",
  members: "users",
  audit: "scroll-text",
  usage: "gauge",
  settings: "settings",
  docs: "book-open",
  mail: "mail",
  person: "circle-user-round",
  organization: "building-2",
  leave: "log-out",
} as const;

export type IconName = keyof typeof ICONS;
