/** Files of articles, stored as a generation stores them. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";

/** Stores a file and its row, and returns its id. With `articleId` null, the file belongs to no article. */
export async function newFile(organizationId: string, articleId: string | null, created = new Date()): Promise<string> {
  const id = newId();
  await env.MEDIA.put(`${organizationId}/${id}`, "the bytes of an image");
  await env.DB.prepare(
    "insert into media (id, organization_id, article_id, media_type, creation_time) values (?, ?, ?, ?, ?)",
  )
    .bind(id, organizationId, articleId, "image/png", created.toISOString())
    .run();
  return id;
}
