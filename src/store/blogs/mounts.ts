/** Finds the blog whose site a host name shows: by its vanityId, or by a host name of its own that was verified. */
import { sql } from "drizzle-orm";
import type { Reader } from "../core/sql.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";

export type HostedBlog = {
  readonly _id: string;
  readonly vanityId: string;
  readonly siteUrl: string;
  readonly articlePath: string;
};

const HOSTED = sql`${blogs.id} as "_id", ${blogs.vanityId} as "vanityId", ${blogs.siteUrl} as "siteUrl", ${blogs.articlePath} as "articlePath"`;

/** Returns the blog with this vanityId or this verified host name, or null. */
export async function findHosted(
  read: Reader,
  name: { readonly vanityId: string } | { readonly host: string },
): Promise<HostedBlog | null> {
  const [row] = await read<HostedBlog>(
    "vanityId" in name
      ? sql`select ${HOSTED} from ${blogs} where ${blogs.vanityId} = ${name.vanityId}`
      : sql`select ${HOSTED} from ${siteHosts} join ${blogs} on ${blogs.id} = ${siteHosts.blogId}
          where ${siteHosts.host} = ${name.host} and ${siteHosts.verifiedTime} is not null`,
  );
  return row ?? null;
}
