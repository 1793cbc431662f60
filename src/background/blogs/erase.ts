/** Deletes for good what can no longer be restored: blogs and organizations, as much as a run can. */
import { eraseRows, findErasedBlog, listImportsOf } from "../../store/blogs/system-erasing.ts";
import { log } from "../../lib/log.ts";
import type { Database } from "../../store/core/sql.ts";
import { listPrefixes } from "../../store/export/belongings.ts";
import { bindD1 } from "../../store/export/database.ts";
import { removeOrganizationRow, removeRows, type Left } from "../../store/export/removing.ts";
import { listErasedOrganizations } from "../../store/people/system-erased-organizations.ts";
import { removeImport } from "../media/import-files.ts";
import { removeFiles } from "../media/files.ts";

/** How many blogs a run deletes at most. */
const MOST_BLOGS = 10;
/** How many portions: an invocation may make 1,000 queries, and one takes two at most. */
const MOST_PORTIONS = 400;

export async function eraseDeleted(db: Database, bucket: R2Bucket, now: Date): Promise<void> {
  const left = { portions: MOST_PORTIONS };
  await eraseBlogs(db, bucket, now, left);
  await eraseOrganizations(db, bucket, now, left);
}

/** Images of a blog are left to the sweep of files without an owner. */
async function eraseBlogs(db: Database, bucket: R2Bucket, now: Date, left: Left): Promise<void> {
  for (let count = 0; count < MOST_BLOGS; count++) {
    const blog = await findErasedBlog(db, now);
    if (blog === null) return;
    for (const each of await listImportsOf(db, blog)) await removeImport(bucket, each);
    if (!(await eraseRows(db, blog, left))) return;
  }
}

async function eraseOrganizations(db: Database, bucket: R2Bucket, now: Date, left: Left): Promise<void> {
  const target = bindD1(db);
  for (const id of await listErasedOrganizations(db, now)) {
    if (left.portions <= 0) return;
    try {
      if ((await removeRows(target, id, left)) === null) return;
      for (const prefix of listPrefixes(id)) await removeFiles(bucket, prefix);
      await removeOrganizationRow(target, id);
    } catch (error) {
      log({ level: "error", message: "organization not erased", organization: id, error });
    }
  }
}
