/** Says an entry of the audit log as a sentence: who did what to which thing. */
import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { AUDIT_KINDS } from "../../operations/audit.ts";
import type { registry } from "../../operations/registry.ts";

export type Entry = z.infer<typeof registry.listAudit.output>[number];
type Kind = (typeof AUDIT_KINDS)[number];

/** What was done, by action. `*` stands for the thing; without one, there is none to name. */
export const SENTENCES: Readonly<Record<string, string>> = {
  "articles.create": "created *",
  "articles.update": "edited *",
  "articles.generate": "had a model write *",
  "articles.restore": "restored a former state of *",
  "articles.saveDraft": "saved the working copy of *",
  "articles.discardDraft": "discarded the working copy of *",
  "articles.publishDraft": "published the working copy of *",
  "articles.delete": "deleted *",
  "schedules.set": "scheduled *",
  "schedules.delete": "ended the schedule of *",
  "schedules.fail": "could not publish or unpublish * as it was scheduled",
  "deletions.set": "asked for the deletion of *",
  "deletions.cancel": "undid the deletion of *",
  "deletions.fail": "did not delete *, because it was changed or the right to do so was lost",
  "previews.create": "made a preview link to *",
  "previews.revoke": "revoked a preview link",
  "blogs.create": "created the blog *",
  "blogs.update": "changed the blog *",
  "blogs.updateSite": "changed the site of the blog *",
  "hosts.add": "added the host * to a blog",
  "hosts.check": "checked the DNS record of the host *",
  "hosts.remove": "removed the host * from a blog",
  "hosts.verify": "found the DNS record of the host *: it shows the blog",
  "hosts.lose": "found that DNS does not name the blog of the host * any more, and took it from it",
  "tags.create": "created the tag *",
  "tags.update": "changed the tag *",
  "tags.delete": "deleted a tag",
  "tags.merge": "merged a tag into another",
  "authors.create": "created the author *",
  "authors.update": "changed the author *",
  "authors.delete": "deleted an author",
  "authors.merge": "merged an author into another",
  "media.create": "added the picture *",
  "media.update": "changed the name or the alternative text of the picture *",
  "media.replace": "replaced the file of the picture *",
  "media.delete": "deleted a picture",
  "topics.refresh": "looked for new ideas",
  "topics.update": "changed the status of the idea *",
  "contacts.create": "added the contact *",
  "contacts.subscribe": "subscribed as the contact *",
  "contacts.unsubscribe": "unsubscribed: the contact *",
  "contacts.erase": "erased the contact *",
  "webhooksubscriptions.create": "created the webhook *",
  "webhooksubscriptions.update": "changed the webhook *",
  "webhooksubscriptions.delete": "deleted a webhook",
  "webhooksubscriptions.ping": "sent a ping to the webhook *",
  "deadletters.retry": "had something sent again that could not be sent",
  "apikeys.create": "created the API key *",
  "apikeys.revoke": "revoked an API key",
  "accesstokens.create": "created the access token *",
  "accesstokens.revoke": "revoked an access token",
  "apps.connect": "connected the application *",
  "members.update": "changed the role of *",
  "members.remove": "removed a member, or left",
  "invitations.create": "invited *",
  "invitations.cancel": "canceled an invitation",
  "invitations.accept": "accepted the invitation for *",
  "organization.create": "founded the organization *",
  "organization.update": "renamed the organization, now *",
};

/** What kinds of things are called in the filter, and one that is gone in a sentence. */
export const KINDS: Readonly<Record<Kind, { readonly many: string; readonly gone: string }>> = {
  articles: { many: "Articles", gone: "an article that is gone" },
  schedules: { many: "Schedules", gone: "an article that is gone" },
  deletions: { many: "Deletions", gone: "an article that is gone" },
  previews: { many: "Preview links", gone: "an article" },
  blogs: { many: "Blogs", gone: "that is gone" },
  hosts: { many: "Hosts", gone: "that is gone" },
  tags: { many: "Tags", gone: "that is gone" },
  authors: { many: "Authors", gone: "that is gone" },
  media: { many: "Pictures", gone: "that is gone, or has no name" },
  topics: { many: "Ideas", gone: "that is gone" },
  contacts: { many: "Contacts", gone: "that is gone" },
  webhooksubscriptions: { many: "Webhooks", gone: "that is gone" },
  deadletters: { many: "What could not be sent", gone: "" },
  apikeys: { many: "API keys", gone: "that is revoked by now" },
  accesstokens: { many: "Access tokens", gone: "that is revoked by now" },
  apps: { many: "Applications", gone: "that is gone" },
  members: { many: "Members", gone: "somebody who has left" },
  invitations: { many: "Invitations", gone: "somebody" },
  organization: { many: "Organization", gone: "" },
};

/** Returns where a thing is shown; null if nowhere, or if it was deleted by this entry. */
function pathOf({ action, resourceId, blogId }: Entry, kind: Kind): string | null {
  if (action.endsWith(".delete") && kind !== "schedules") return null;
  switch (kind) {
    case "articles":
    case "schedules":
    case "deletions":
      return `/console/articles/${resourceId}`;
    case "blogs":
      return `/console/blogs/${resourceId}`;
    case "media":
      return `/console/media/${resourceId}`;
    case "hosts":
      return blogId && `/console/blogs/${blogId}/site`;
    case "tags":
    case "authors":
      return blogId && `/console/blogs/${blogId}/${kind}`;
    case "topics":
      return blogId && `/console/topics?blog=${blogId}&status=`;
    case "contacts":
      return blogId && `/console/contacts?blog=${blogId}`;
    case "webhooksubscriptions":
      return `/console/webhooks/${resourceId}`;
    case "apikeys":
    case "accesstokens":
      return "/console/keys";
    case "members":
    case "invitations":
      return "/console/members";
    case "organization":
      return "/console/settings";
    case "previews":
    case "deadletters":
    case "apps":
      return null;
  }
}

const Thing: FC<{ of: Entry }> = ({ of }) => {
  const kind = of.action.split(".")[0] as Kind;
  if (of.resourceName === null) return <>{KINDS[kind]?.gone}</>;
  const path = pathOf(of, kind);
  const name = of.resourceName.trim() || "Untitled";
  return <>“{path === null ? name : <a href={path}>{name}</a>}”</>;
};

/** What whoever wrote is, if it is no person; and what they are called once they are gone. */
const ACTORS: Readonly<Record<string, { readonly is?: string; readonly gone: string }>> = {
  user: { gone: "Somebody who has left" },
  key: { is: "API key", gone: "An API key that is revoked by now" },
  operator: { is: "access token", gone: "An access token that is revoked by now" },
  app: { is: "application", gone: "An application" },
  schedule: { is: "schedule", gone: "A schedule" },
  service: { gone: "The service" },
  reader: { gone: "A reader" },
};

/** Who did it, with a link to everything else that they did. */
const Who: FC<{ of: Entry["actor"] }> = ({ of: { kind, id, name } }) => {
  const { is, gone = kind } = ACTORS[kind] ?? {};
  return (
    <>
      <a class="who" href={`/console/audit?${new URLSearchParams({ actor: id }).toString()}`}>
        {name ?? gone}
      </a>
      {name !== null && is !== undefined && (
        <>
          {" "}
          <span class="badge">{is}</span>
        </>
      )}
    </>
  );
};

/** The sentence: “Ada edited “The first ferry””. An action that has none is named as it is. */
export const Sentence: FC<{ of: Entry }> = ({ of }) => {
  const said = SENTENCES[of.action];
  const [before, after] = (said ?? `${of.action} *`).split("*");
  return (
    <>
      <Who of={of.actor} /> {before}
      {after !== undefined && <Thing of={of} />}
      {after}
    </>
  );
};
