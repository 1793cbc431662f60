/**
 * Errors of requests that conflict with stored data (409). The same request may succeed after that data has changed.
 */
import type { ErrorKind } from "./kind.ts";

export const CONFLICT_ERRORS = {
  slug_taken: {
    status: 409,
    title: "The slug is taken",
    help: "Another article of the blog has this slug in this locale, or 200 have it in others. Choose another, or update that article.",
    advice:
      "Choose another `slug` or `locale`, or change the article that has it (list_articles with `slug` finds it).",
    exit: "conflict",
  },
  article_changed: {
    status: 409,
    title: "The article has changed since its working copy was begun",
    help: "Publishing the working copy could undo that change. Compare both, then publish it with `overwrite`: true, or discard it.",
    advice:
      "Tell the user that the published article was changed meanwhile, and ask whether the working copy may overwrite it.",
    hint: "Compare both; then publish it with --overwrite, or discard it",
    exit: "conflict",
  },
  vanity_id_taken: {
    status: 409,
    title: "The vanityId is taken",
    help: "vanityIds are unique across the whole service. Choose another.",
    sentence: "Another blog has this address name. They are unique across the whole service: choose another.",
    exit: "conflict",
  },
  host_exists: {
    status: 409,
    title: "The blog has this host",
    help: "The blog already has this host name. Look at its state, or check its DNS records.",
    exit: "conflict",
  },
  host_limit: {
    status: 409,
    title: "Too many hosts",
    help: "A blog has at most 10 host names of its own. Remove one that is no longer needed first.",
    exit: "conflict",
  },
  contact_exists: {
    status: 409,
    title: "The contact exists",
    help: "The blog already has a contact with this e-mail address.",
    exit: "conflict",
  },
  member_exists: {
    status: 409,
    title: "This person is already a member",
    help: "The person with this e-mail address already belongs to the organization. Change their role instead.",
    exit: "conflict",
  },
  invitation_limit: {
    status: 409,
    title: "Too many open invitations",
    help: "An organization has at most 100 invitations that wait for an answer. Cancel one that is no longer needed first.",
    exit: "conflict",
  },
  organization_limit: {
    status: 409,
    title: "Too many organizations",
    help: "A person who owns 10 organizations cannot create another one. An owner can still invite them to theirs.",
    exit: "conflict",
  },
  last_owner: {
    status: 409,
    title: "This is the last owner",
    help: "An organization has at least one owner. Make somebody else an owner first.",
    exit: "conflict",
  },
  quota_exceeded: {
    status: 409,
    title: "The organization's storage is full",
    help: "An organization may store so many articles, contacts, and MiB of text and of images. `detail` says which of them is full and what can be done; what frees space is always possible.",
    advice:
      "Store nothing else. Tell the user what is full (`detail`); delete or shorten articles only if they ask for it.",
    exit: "conflict",
  },
  media_in_use: {
    status: 409,
    title: "Articles show this picture",
    help: "`detail` names some of them; GET /api/media/{mediaId}/usage lists all. Take it from them first, or delete it with `force=true`: they then show nothing in its place.",
    advice: "Tell the user which articles show it (`detail`). Delete it with `force` only if they confirm it.",
    hint: "Take it from these articles first, or delete it with --force",
    exit: "conflict",
  },
  media_exists: {
    status: 409,
    title: "The library has this picture already",
    help: "`detail` names the item that has the same file. Use that one, or delete it first.",
    exit: "conflict",
  },
  media_limit: {
    status: 409,
    title: "Too many pictures",
    help: "The library of an organization has at most 20,000 pictures. Delete some that are not used first.",
    exit: "conflict",
  },
  blog_limit: {
    status: 409,
    title: "Too many blogs",
    help: "An organization has at most 1,000 blogs.",
    exit: "conflict",
  },
  term_limit: {
    status: 409,
    title: "Too many tags or authors",
    help: "A blog has at most 1,000 tags and 1,000 authors. Delete or merge some, or use those that there are.",
    advice: "Use tags or authors that the blog has already (list_tags).",
    exit: "conflict",
  },
  credential_limit: {
    status: 409,
    title: "Too many credentials",
    help: "An organization has at most 100 API keys and access tokens that have not expired, or as many as the operator of the service has set. Revoke one that is no longer needed first.",
    exit: "conflict",
  },
  preview_limit: {
    status: 409,
    title: "Too many links to previews",
    help: "An article has at most 20 links that have not ended, and an organization 1000. Revoke one that is no longer needed first.",
    advice: "Tell the user that there are too many preview links. One has to end, or to be revoked, first.",
    exit: "conflict",
  },
  app_limit: {
    status: 409,
    title: "Too many connected applications",
    help: "A person has at most 100 connected applications. Disconnect one that is no longer needed first, on your account's page.",
    exit: "conflict",
  },
  subscription_limit: {
    status: 409,
    title: "Too many webhook subscriptions",
    help: "An organization has at most 100 webhook subscriptions, or as many as the operator of the service has set. Delete one that is no longer needed first.",
    exit: "conflict",
  },
  subscription_inactive: {
    status: 409,
    title: "The subscription is inactive",
    help: "An inactive subscription receives nothing. Reactivate it first (`active`: true).",
    exit: "conflict",
  },
  no_topic_sources: {
    status: 409,
    title: "The blog has no topic sources",
    help: "Add feeds or forums first: `topicSources` of PUT /api/blogs/{blogId}.",
    advice: "Ask the user to name feeds or forums on the blog's page in the console, or use research_topics.",
    hint: "Name them: edgepress blogs update BLOG --topic-sources FILE",
    exit: "conflict",
  },
  topic_used: {
    status: 409,
    title: "The topic idea has become an article",
    help: "Translate or rewrite that article (`articleId`), or delete it first.",
    advice: "Choose another idea (list_topics with status `new`), or work on the article that this one has become.",
    exit: "conflict",
  },
  idempotency_in_progress: {
    status: 409,
    title: "The first call is still running",
    help: "A call with this Idempotency-Key has not finished. Repeat it after the seconds in `Retry-After`.",
    advice: "Wait the seconds in `retryAfter`, then repeat the call unchanged.",
    exit: "conflict",
  },
} as const satisfies Record<string, ErrorKind>;
