/** Calls the service through openapi-typescript's types, and prints what it answers: URL, API key and blog are given. */
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/openapi-typescript.ts";

const [baseUrl = "", apiKey = "", blogId = ""] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}` },
  // It knows no styles of single parameters: all lists of this service are separated by commas.
  querySerializer: { array: { style: "form", explode: false } },
});

const created = await client.POST("/api/articles", { body: { blogId, title: "By openapi-typescript" } });
if (created.error) throw new Error(created.error.detail);
const article: components["schemas"]["Article"] = created.data;

const update = { body: { _id: article._id, published: true }, params: { header: { "If-Match": etagOf(created) } } };
const updated = await client.POST("/api/articles", update);
const again = await client.POST("/api/articles", update);
const problem: components["schemas"]["Problem"] | undefined = again.error;

const query = { blogId, slug: article.slug, fields: ["_id" as const, "published" as const] };
const listed = await client.GET("/api/articles", { params: { query } });

const removed = await client.DELETE("/api/articles/{idOrSlug}", { params: { path: { idOrSlug: article._id } } });

console.log(
  JSON.stringify({
    id: article._id,
    published: updated.data?.published,
    refused: problem?.code,
    listed: listed.data,
    removed: removed.data,
  }),
);

function etagOf({ response }: { response: Response }): string {
  return response.headers.get("ETag") ?? "";
}
