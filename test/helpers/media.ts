/** Files of articles, as a generation stores them. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";

/** Stores a file and the row that knows of it; returns its id. `articleId` null: a file that no article has. */
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
