/** Calls the service through the client that Hey API makes, and prints what it answers: see openapi-typescript.ts. */
import { createClient } from "./generated/hey-api/client/index.ts";
import { articlesDelete, articlesList, articlesSave } from "./generated/hey-api/index.ts";
import type { Article, Problem } from "./generated/hey-api/index.ts";

const [baseUrl = "", apiKey = "", blogId = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, auth: ({ scheme }) => (scheme === "basic" ? `${apiKey}:` : undefined) });

const created = await articlesSave({ client, body: { blogId, title: "By Hey API" } });
if (created.data === undefined) throw new Error(created.error.detail);
const article: Article = created.data;

const update = {
  client,
  body: { _id: article._id, published: true },
  headers: { "If-Match": created.response?.headers.get("ETag") ?? "" },
};
const updated = await articlesSave(update);
const again = await articlesSave(update);
const problem: Problem | undefined = again.error;

const query = { blogId, slug: article.slug, fields: ["_id" as const, "published" as const] };
const listed = await articlesList({ client, query });

const removed = await articlesDelete({ client, path: { idOrSlug: article._id } });

console.log(
  JSON.stringify({
    id: article._id,
    published: updated.data?.published,
    refused: problem?.code,
    listed: listed.data,
    removed: removed.data,
  }),
);
