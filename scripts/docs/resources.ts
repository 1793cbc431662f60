/** The pages of the reference and their operations. An operation that no page names gets one by its prefix. */
import type { Api, Operation } from "./document.ts";

export type Resource = {
  /** The last part of its URL, /docs/{id}. */
  readonly id: string;
  readonly title: string;
  /** The heading in the navigation: a tag of the document. */
  readonly group: string;
  readonly lead: string;
  readonly operations: readonly Operation[];
};

type Planned = {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** Ids of operations. One that ends with a dot is a prefix. */
  readonly has: readonly string[];
};

const PLAN: readonly Planned[] = [
  {
    id: "articles",
    title: "Articles",
    has: ["articles."],
    lead: "An article is a text in one language. Translations are articles of the same blog that share a slug.",
  },
  {
    id: "bulk",
    title: "Bulk changes",
    has: ["articles.bulk"],
    lead: "One request changes many articles, each in its own transaction.",
  },
  {
    id: "search",
    title: "Search",
    has: ["articles.search"],
    lead: "Finds articles by the words in their titles, descriptions and contents.",
  },
  {
    id: "sources",
    title: "Sources",
    has: ["sources."],
    lead: "What an article was generated from, and what backs its figures and quotations.",
  },
  {
    id: "edits",
    title: "Edits",
    has: ["articles.edit"],
    lead: "An edit replaces passages of an article's content, without sending all of it.",
  },
  {
    id: "working-copies",
    title: "Working copies",
    has: ["drafts."],
    lead: "A working copy holds changes to an article that readers do not see yet. Publishing it makes them public at once.",
  },
  {
    id: "revisions",
    title: "Revisions",
    has: ["revisions."],
    lead: "The earlier versions of an article: read one, compare two, restore one.",
  },
  {
    id: "previews",
    title: "Previews",
    has: ["previews."],
    lead: "A preview link shows an article to somebody without an account, even while it is a draft.",
  },
  {
    id: "schedules",
    title: "Schedules",
    has: ["schedules."],
    lead: "A schedule publishes an article at one time, unpublishes it at another, or both.",
  },
  {
    id: "deletions",
    title: "Deletions",
    has: ["deletions."],
    lead: "A deletion that can be undone for a short time, as in the console.",
  },
  {
    id: "approvals",
    title: "Approvals",
    has: ["approvals."],
    lead: "Whoever may only write drafts asks for approval; somebody who may publish approves exactly what they saw.",
  },
  {
    id: "trash",
    title: "Trash",
    has: ["trash."],
    lead: "Deleted articles: restore one, or delete it for good.",
  },
  {
    id: "generate",
    title: "Generate an article",
    has: ["articles.generate"],
    lead: "Has a model write, translate or rewrite an article while you wait.",
  },
  {
    id: "outlines",
    title: "Outlines",
    has: ["articles.outline", "generations.estimate"],
    lead: "What an article would say, and what it would cost, before it is written.",
  },
  {
    id: "generations",
    title: "Generation",
    has: ["generations."],
    lead: "Articles that a model writes, translates or rewrites, and what they cost.",
  },
  {
    id: "help-with-a-text",
    title: "Help with a text",
    has: ["articles.assist"],
    lead: "Suggestions of a model for a text that somebody writes. Nothing is stored.",
  },
  { id: "blogs", title: "Blogs", has: ["blogs."], lead: "A blog holds articles, and belongs to an organization." },
  {
    id: "deleted-blogs",
    title: "Deleted blogs",
    has: ["blogs.delete", "blogs.deleted", "blogs.restore", "blogs.erase"],
    lead: "A deleted blog is hidden, and can be restored for 30 days.",
  },
  {
    id: "sites",
    title: "Sites",
    has: ["blogs.site", "blogs.updateSite", "hosts."],
    lead: "How readers find a blog: the URLs of its articles, the content of its feeds, the look of its site, and its host names.",
  },
  {
    id: "redirects",
    title: "Redirects",
    has: ["redirects."],
    lead: "Old paths of a blog's site, and where they lead.",
  },
  {
    id: "imports",
    title: "Imports",
    has: ["imports."],
    lead: "Files of Ghost, WordPress and Markdown: checked first, then imported in the background, and undone if need be.",
  },
  {
    id: "feeds",
    title: "Feeds",
    has: ["feeds."],
    lead: "A blog for programs: feeds, a site map, a list for language models, and articles as Markdown.",
  },
  {
    id: "tags",
    title: "Tags",
    has: ["tags."],
    lead: "What articles are about. The translations of an article share its tags.",
  },
  {
    id: "authors",
    title: "Authors",
    has: ["authors."],
    lead: "Who articles are by. The translations of an article share its authors.",
  },
  {
    id: "media",
    title: "Media",
    has: ["media.", "embeds."],
    lead: "The images of an organization, uploaded or fetched, and the cards of what articles embed.",
  },
  {
    id: "topics",
    title: "Topics",
    has: ["topics."],
    lead: "Ideas for articles, found in the feeds and forums that a blog names as its sources.",
  },
  {
    id: "contacts",
    title: "Contacts",
    has: ["contacts."],
    lead: "The people who wrote to a blog, or signed up there.",
  },
  {
    id: "webhooks",
    title: "Webhook subscriptions",
    has: ["webhooksubscriptions."],
    lead: "A subscription sends events to your URL. What it sends, and how to verify it: [Events](/docs/events).",
  },
  {
    id: "deliveries",
    title: "Deliveries",
    has: [
      "webhooksubscriptions.deliveries",
      "webhooksubscriptions.delivery",
      "webhooksubscriptions.redeliver",
      "webhooksubscriptions.redeliver-missing",
      "deliveries.",
      "deadletters.",
    ],
    lead: "What happened to the events that were sent, and how to have them sent again: the log of a subscription, the last day by hour, and dead letters.",
  },
  {
    id: "event-feed",
    title: "Event feed",
    has: ["events."],
    lead: "Everything that has changed, in order: to catch up after an outage, or to follow without a public address.",
  },
  {
    id: "api-keys",
    title: "API keys",
    has: ["apikeys.", "revocations."],
    lead: "Programs sign in with an API key, which has scopes and can be pinned to one blog.",
  },
  {
    id: "access-tokens",
    title: "Access tokens",
    has: ["accesstokens."],
    lead: "Operators use access tokens. One has every scope of its organization.",
  },
  {
    id: "caller",
    title: "The caller",
    has: ["caller."],
    lead: "Who the credentials of a request belong to, and what they can do.",
  },
  { id: "members", title: "Members", has: ["members."], lead: "The people of an organization, and their roles." },
  {
    id: "invitations",
    title: "Invitations",
    has: ["invitations."],
    lead: "An invitation is a link that makes somebody a member.",
  },
  {
    id: "organization",
    title: "Organization",
    has: ["organization.", "usage."],
    lead: "Its name, and what it uses of its quotas.",
  },
  { id: "audit", title: "Audit log", has: ["audit."], lead: "Who changed what, and when." },
  {
    id: "service",
    title: "The service",
    has: ["service."],
    lead: "Its health, its OpenAPI document, and the files of articles.",
  },
];

/** Returns the pages in the order of the document's tags. */
export function listResources({ document, operations }: Api): Resource[] {
  const pages = new Map<string, Resource & { operations: Operation[] }>();
  for (const operation of operations) {
    const { id, title, lead } = findPlanned(operation.id) ?? makeUnplanned(operation);
    const page = pages.get(id) ?? { id, title, lead, group: operation.tag, operations: [] };
    page.operations.push(operation);
    pages.set(id, page);
  }
  const order = PLAN.map(({ id }) => id);
  const groups = document.tags.map(({ name }) => name);
  const rank = ({ id, group }: Resource) => groups.indexOf(group) * 1000 + (order.indexOf(id) + 1 || 999);
  return [...pages.values()].toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the page that names the operation most exactly. */
function findPlanned(id: string): Planned | undefined {
  const names = ({ has }: Planned) => has.filter((each) => id === each || (each.endsWith(".") && id.startsWith(each)));
  const longest = (page: Planned) => Math.max(0, ...names(page).map(({ length }) => length));
  return PLAN.filter((page) => longest(page) > 0).toSorted((a, b) => longest(b) - longest(a))[0];
}

function makeUnplanned({ id }: Operation): Planned {
  const prefix = id.split(".")[0] ?? id;
  return { id: prefix, title: prefix.charAt(0).toUpperCase() + prefix.slice(1), lead: "", has: [] };
}
