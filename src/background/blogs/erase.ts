import { eraseRows, findErasedBlog, listImportsOf, MOST_STATEMENTS } from "../../store/blogs/system-erasing.ts";
import type { Database } from "../../store/core/sql.ts";
import { removeImport } from "../media/import-files.ts";

/** How many blogs a run deletes at most. */
const MOST = 10;

/**
 * Deletes the blogs whose time to be restored is over, as much as a run can. Their images are left to the sweep of files
 * without an owner.
 */
export async function eraseBlogs(db: Database, bucket: R2Bucket, now: Date): Promise<void> {
  const left = { statements: MOST_STATEMENTS };
  for (let count = 0; count < MOST; count++) {
    const blog = await findErasedBlog(db, now);
    if (blog === null) return;
    for (const each of await listImportsOf(db, blog)) await removeImport(bucket, each);
    if (!(await eraseRows(db, blog, left))) return;
  }
}
