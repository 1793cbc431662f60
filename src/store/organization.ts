/**
 * An organization's store. It is closed over its organization and, for a pinned credential, over its
 * blog: no method takes either, and nothing outside this folder can reach a table.
 */
import { organizationArticles } from "./articles.ts";
import { organizationAudit } from "./audit.ts";
import { organizationBlogs } from "./blogs.ts";
import type { Writer } from "./commit.ts";
import { organizationContacts } from "./contacts.ts";
import { organizationCredentials } from "./credentials.ts";
import { organizationSubscriptions } from "./subscriptions.ts";

export type OrganizationStore = ReturnType<typeof openOrganizationStore>;

/** Opens the store of the writer's organization. */
export function openOrganizationStore(writer: Writer) {
  return {
    ...organizationArticles(writer),
    ...organizationBlogs(writer),
    ...organizationContacts(writer),
    ...organizationCredentials(writer),
    ...organizationSubscriptions(writer),
    ...organizationAudit(writer),
  };
}
