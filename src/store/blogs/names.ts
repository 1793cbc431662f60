/** How a path or a query names a blog: by its id or its vanityId. */
import { sql, type SQL } from "drizzle-orm";
import { isUuid } from "../../lib/ids.ts";
import type { Value } from "../core/sql.ts";
import { blogs } from "../../schema/blogs.ts";

/** Returns the name of a blog as the values of a query: one that has the form of a UUID is an id. */
export const namesOf = (blog: string): { id?: string; vanityId?: string } =>
  isUuid(blog) ? { id: blog.toLowerCase() } : { vanityId: blog };

/** Returns the condition that a row of `blogs` has this name. */
export const isNamed = ({ id, vanityId }: { id?: Value | undefined; vanityId?: Value | undefined }): SQL =>
  id === undefined ? sql`${blogs.vanityId} = ${vanityId}` : sql`${blogs.id} = ${id}`;
