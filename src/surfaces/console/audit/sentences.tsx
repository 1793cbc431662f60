/** Says an entry of the audit log as a sentence: who did what to which thing. */
import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { AUDIT_KINDS } from "../../../domain/audit-kinds.ts";
import type { Operation } from "../../../operations/define.ts";
import { registry } from "../../../operations/registry.ts";

export type Entry = z.infer<typeof registry.listAudit.output>[number];
type Kind = (typeof AUDIT_KINDS)[number];

/** Sentences for actions that belong to no operation. `*` stands for the thing. */
const FURTHER: Readonly<Record<string, string>> = {
  "schedules.publish": "published *",
  "schedules.unpublish": "unpublished *",
  "schedules.fail": "could not publish or unpublish * as scheduled",
  "deletions.fail": "did not delete *, because it had changed or the permission was lost",
  "hosts.verify": "verified the custom domain *",
  "hosts.lose": "disabled the custom domain *, because its DNS record is missing",
  "webhooksubscriptions.warn": "warned of failures in a row of the webhook *",
  "webhooksubscriptions.deactivate": "deactivated the webhook * after 20 failures in a row",
  "webhooksubscriptions.end": "ended the webhook *, whose signing secret had been replaced",
  "contacts.subscribe": "subscribed as *",
  "contacts.unsubscribe": "unsubscribed as *",
  "apps.connect": "connected the app *",
  "apps.disconnect": "disconnected the app *",
  "apps.rotate": "gave the app * another secret",
  "invitations.accept": "accepted the invitation for *",
  "organization.create": "created the organization *",
  "organization.restore": "restored the organization *",
  "organization.erase": "deleted the organization * for good",
  "organization.suspend": "suspended the organization *",
  "organization.resume": "resumed the organization *",
  "organization.quotas": "changed the quotas of the organization *",
};

/** Sentences by action. `*` stands for the thing. A sentence without it names none. */
export const SENTENCES: Readonly<Record<string, string>> = {
  ...FURTHER,
  ...Object.assign(
    {},
    ...Object.values(registry).map(({ name, audit = {} }: Operation) =>
      typeof audit === "string" ? { [name]: audit } : audit,
    ),
  ),
};

/** The names of the kinds in the filter, and what a sentence says of a thing that no longer exists. */
export const KINDS: Readonly<Record<Kind, { readonly many: string; readonly gone: string }>> = {
  articles: { many: "Articles", gone: "a deleted article" },
  schedules: { many: "Schedules", gone: "a deleted article" },
  deletions: { many: "Deletions", gone: "a deleted article" },
  approvals: { many: "Requests for approval", gone: "a deleted article" },
  trash: { many: "Trash", gone: "a deleted article" },
  previews: { many: "Preview links", gone: "an article" },
  blogs: { many: "Blogs", gone: "that no longer exists" },
  hosts: { many: "Custom domains", gone: "that no longer exists" },
  redirects: { many: "Redirects", gone: "that no longer exists" },
  imports: { many: "Imports", gone: "that no longer exists" },
  tags: { many: "Tags", gone: "that no longer exists" },
  authors: { many: "Authors", gone: "that no longer exists" },
  media: { many: "Images", gone: "that was deleted or has no name" },
  topics: { many: "Topic ideas", gone: "that no longer exists" },
  contacts: { many: "Contacts", gone: "that no longer exists" },
  webhooksubscriptions: { many: "Webhooks", gone: "that no longer exists" },
  deadletters: { many: "Undelivered events", gone: "" },
  apikeys: { many: "API keys", gone: "that was revoked" },
  accesstokens: { many: "Access tokens", gone: "that was revoked" },
  apps: { many: "Connected apps", gone: "that no longer exists" },
  members: { many: "Members", gone: "a former member" },
  invitations: { many: "Invitations", gone: "somebody" },
  organization: { many: "Organization", gone: "" },
};

/** Returns the page of a thing. Null if it has none, or if this entry deleted it. */
function findPath({ action, resourceId, blogId }: Entry, kind: Kind): string | null {
  if (action.endsWith(".delete") && kind !== "schedules") return null;
  switch (kind) {
    case "articles":
    case "schedules":
    case "deletions":
    case "trash":
    case "approvals":
      return `/console/articles/${resourceId}`;
    case "blogs":
      return `/console/blogs/${resourceId}`;
    case "media":
      return `/console/media/${resourceId}`;
    case "hosts":
      return blogId && `/console/blogs/${blogId}/site`;
    case "redirects":
      return blogId && `/console/blogs/${blogId}/redirects`;
    case "imports":
      return blogId && `/console/imports/${blogId}/${resourceId}`;
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
  const path = findPath(of, kind);
  const name = of.resourceName.trim() || "Untitled";
  return <>“{path === null ? name : <a href={path}>{name}</a>}”</>;
};

/** What an actor is, if not a person, and what it is called once it is gone. */
const ACTORS: Readonly<Record<string, { readonly is?: string; readonly gone: string }>> = {
  user: { gone: "A former member" },
  key: { is: "API key", gone: "A revoked API key" },
  operator: { is: "access token", gone: "A revoked access token" },
  app: { is: "app", gone: "An app" },
  schedule: { is: "schedule", gone: "A schedule" },
  service: { gone: "The service" },
  reader: { gone: "A reader" },
};

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

/** Such as: Ada edited “The first ferry”. Shows the action itself if it has no sentence. */
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
