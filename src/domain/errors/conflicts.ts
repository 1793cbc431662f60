/** Conflicts with stored data (409). The same request may succeed after that data has changed. */
import type { ErrorKind } from "./kind.ts";

export const CONFLICT_ERRORS = {
  slug_taken: {
    status: 409,
    title: "The slug is taken",
    help: "Another article in the blog has this slug in this locale, or 200 articles have it in other locales. Choose another slug, or update the existing article.",
    advice:
      "Choose another `slug` or `locale`, or update the article that has it (find it with list_articles and `slug`).",
    sentence: "Another article in the blog already has this slug in this language.",
    hint: "Choose another one with --slug, or update the article that has it",
  },
  article_changed: {
    status: 409,
    title: "The article has changed in the meantime",
    help: "It was changed after the working copy was started, so publishing the copy could undo that change. Compare the two, then publish with `overwrite`: true, or discard the copy. An `autosave` is refused once the article is published: save its working copy instead.",
    advice:
      "Tell the user that the article was changed after the working copy was started. They can overwrite it in the console. Or, if they agree, call discard_working_copy and make the changes again.",
    hint: "Compare the two, then publish with --overwrite, or discard the working copy",
  },
  article_not_published: {
    status: 409,
    title: "The article is a draft",
    help: "Only published articles have working copies. Change the draft itself: `POST /api/articles` with its `_id`.",
    advice: "Call update_article again: it changes a draft as it is.",
    hint: "Change the draft itself: edgepress articles update",
  },
  sources_unchanged: {
    status: 409,
    passes: true,
    title: "The sources are unchanged",
    help: "An update is proposed only if a source of the article says something else than when it was read, or if the last proposal was discarded. `detail` names those that could not be read.",
  },
  working_copy_exists: {
    status: 409,
    passes: true,
    title: "The article has a working copy",
    help: "A proposed update becomes the working copy of its article. Publish or discard the one that it has first.",
    sentence: "The article already has unpublished changes. Publish or discard them first.",
  },
  vanity_id_taken: {
    status: 409,
    title: "The vanityId is taken",
    help: "A vanityId is unique across the whole service. Choose another one.",
    sentence: "Another blog has this URL name, and it must be unique across the whole service. Choose another one.",
  },
  host_exists: {
    status: 409,
    title: "The blog already has this host",
    help: "The blog already has this host name. See its status, or check its DNS records.",
  },
  host_limit: {
    status: 409,
    title: "Too many hosts",
    help: "A blog can have at most 10 host names of its own. Remove one that you no longer need.",
  },
  redirect_exists: {
    status: 409,
    title: "The path already has a redirect",
    help: "The blog already has a redirect that begins at this path, and leads elsewhere. Remove it first.",
  },
  redirect_loop: {
    status: 409,
    title: "The redirect would lead back to itself",
    help: "It leads to the path at which it begins, directly or by another redirect of the blog.",
  },
  redirect_limit: {
    status: 409,
    title: "Too many redirects",
    help: "An organization can have at most 50,000 redirects. Remove some that you no longer need.",
  },
  contact_exists: {
    status: 409,
    title: "The contact already exists",
    help: "The blog already has a contact with this email address.",
  },
  member_exists: {
    status: 409,
    title: "This person is already a member",
    help: "The person with this email address already belongs to the organization. Change their role instead.",
  },
  invitation_limit: {
    status: 409,
    title: "Too many pending invitations",
    help: "An organization can have at most 100 pending invitations. Cancel one that you no longer need.",
  },
  organization_limit: {
    status: 409,
    title: "Too many organizations",
    help: "A person can own at most 10 organizations. Owners of others can still invite them.",
  },
  last_owner: {
    status: 409,
    title: "This is the last owner",
    help: "An organization needs at least one owner. Make somebody else an owner first.",
  },
  quota_exceeded: {
    status: 409,
    passes: true,
    title: "The organization's storage is full",
    help: "An organization has quotas for articles, contacts, text and images. `detail` says which one is used up, and what to do. Changes that free space are always possible.",
    advice:
      "Do not store anything else. Tell the user which quota is used up (`detail`). Delete or shorten articles only if they ask you to.",
  },
  media_in_use: {
    status: 409,
    title: "The image is in use",
    help: "`detail` names some of the articles that show it; GET /api/media/{mediaId}/usage lists them all. Remove it from them first, or delete it with `force=true`, which leaves nothing in its place.",
    advice: "Tell the user which articles show it (`detail`). Delete it with `force` only if they confirm.",
    hint: "Remove it from these articles first, or delete it with --force",
  },
  media_exists: {
    status: 409,
    title: "The image is already in the library",
    help: "`detail` names the item with this file. Use it, or delete it first.",
  },
  import_limit: {
    status: 409,
    title: "Too many imports",
    help: "An organization can have at most 3 imports that have not ended. Start those that wait, or delete them.",
  },
  import_state: {
    status: 409,
    passes: true,
    title: "Not possible at this moment",
    help: "An import is started once it was checked, and undone once it has ended. It cannot be deleted while it creates or deletes articles. See its `state`.",
  },
  generation_state: {
    status: 409,
    passes: true,
    title: "Not possible at this moment",
    help: "A generation of an article is resumed once it has failed, within 7 days. See its `state`.",
  },
  media_limit: {
    status: 409,
    title: "Too many images",
    help: "The library of an organization can have at most 20,000 images. Delete some that are not used.",
  },
  blog_limit: {
    status: 409,
    title: "Too many blogs",
    help: "An organization can have at most 1,000 blogs.",
  },
  term_limit: {
    status: 409,
    title: "Too many tags or authors",
    help: "A blog can have at most 1,000 tags and 1,000 authors. Delete or merge some, or use existing ones.",
    advice: "Use tags or authors that the blog already has (list_tags).",
  },
  credential_limit: {
    status: 409,
    title: "Too many credentials",
    help: "An organization can have at most 100 API keys and access tokens that have not expired, unless the operator of the service has set another limit. Revoke one that you no longer need.",
  },
  preview_limit: {
    status: 409,
    title: "Too many preview links",
    help: "An article can have at most 20 preview links that have not expired, and an organization 1,000. Revoke one that you no longer need.",
    advice: "Tell the user that there are too many preview links. One has to expire or be revoked first.",
  },
  app_limit: {
    status: 409,
    title: "Too many connected apps",
    help: "A person can have at most 100 connected apps. On your account page, disconnect one that you no longer need.",
  },
  subscription_limit: {
    status: 409,
    title: "Too many webhook subscriptions",
    help: "An organization can have at most 100 webhook subscriptions, unless the operator of the service has set another limit. Delete one that you no longer need.",
  },
  subscription_inactive: {
    status: 409,
    title: "The subscription is inactive",
    help: "An inactive subscription receives nothing. Reactivate it first (`active`: true).",
    hint: "Reactivate it: edgepress webhooks update ID --active yes, or webhooks redeliver ID --activate",
  },
  subscription_being_replaced: {
    status: 409,
    title: "The subscription is being replaced",
    help: "Another subscription already replaces this one, which ends at its `endTime`. End it now (DELETE), or delete the other one to keep this one.",
  },
  delivery_not_settled: {
    status: 409,
    title: "The delivery is not settled",
    help: "The event is still to be sent to this subscription, or it is being sent right now. Wait for its outcome. A dead delivery has its own retry: `POST /api/deadletters/{id}/retry`.",
    passes: true,
  },
  no_topic_sources: {
    status: 409,
    title: "The blog has no topic sources",
    help: "Add feeds or forums first, as `topicSources` of PUT /api/blogs/{blogId}.",
    advice: "Ask the user to add feeds or forums to the blog in the console, or use research_topics.",
    sentence: "Add a feed or a forum first.",
    hint: "Add some: edgepress blogs update BLOG --topic-sources FILE",
  },
  topic_used: {
    status: 409,
    title: "The topic idea is already an article",
    help: "Translate or rewrite that article (`articleId`), or delete it first.",
    advice: "Choose another idea (list_topics with status `new`), or edit the article that this one became.",
  },
  idempotency_in_progress: {
    status: 409,
    title: "The first request is still running",
    help: "A request with this Idempotency-Key has not finished. Retry after the number of seconds in `Retry-After`.",
    advice: "Wait `retryAfter` seconds, then repeat the call unchanged.",
    sentence: "This form was already submitted, and is still being processed. Try again in a moment.",
  },
} as const satisfies Record<string, ErrorKind>;
