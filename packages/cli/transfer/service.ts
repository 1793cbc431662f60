/** The requests of imports and exports for one blog. */
import { LISTED_TEXTS, NAMED_TEXTS } from "../../../src/domain/article-fields.ts";
import { pick } from "../../../src/lib/pick.ts";
import type { Picked } from "../../client/src/client.ts";
import type { ApiAnswer, Article as Answer, Client } from "../client.ts";
import { ignoreNotFound } from "../failure.ts";
import { FIELDS, type Article } from "../../import/article.ts";
import { fromStoredExtras, type Extras, type StoredExtras } from "../../import/extras.ts";
import type { Pace } from "./pace.ts";

/** What an import compares and an export writes. */
const OWN = ["_id", ...LISTED_TEXTS, "published", "creationTime", "lastEditTime"] as const;
const EXTRAS = [...NAMED_TEXTS, "publishTime", "tags", "authors", "seo"] as const;
export const ALL_FIELDS = [...OWN, ...EXTRAS];

export type StoredArticle = Pick<Answer, (typeof FIELDS)[number] | "_id" | "creationTime" | "lastEditTime"> & {
  readonly extras?: Extras | undefined;
};

/** `replayed`: the service has repeated a stored response. */
export type Version = { readonly article: StoredArticle; readonly etag: string; readonly replayed: boolean };

/** `key` is the Idempotency-Key, random by default; `id` the article to update; `etag` the version to overwrite. */
export type Manner = { readonly key?: string; readonly id?: string; readonly etag?: string };

export type Service = {
  save(article: Article, manner: Manner): Promise<Version>;
  /** Schedules an article for a time (ISO 8601), or ends its schedule for null. */
  schedule(id: string, time: string | null): Promise<void>;
  find(idOrSlug: string, locale?: string): Promise<Version | null>;
  listNames(): AsyncGenerator<Picked<"_id" | "slug" | "locale">, void>;
  isEmpty(): Promise<boolean>;
};

export function openService(client: Client, blogId: string, pace: Pace): Service {
  return {
    async save(article, { key: idempotencyKey, id, etag }) {
      await pace.waitForTurn();
      const members = { ...pick(article, FIELDS), ...article.extras };
      const body = (id === undefined ? { blogId, ...members } : { _id: id, ...members }) as object;
      return toVersion(await client.request("POST /api/articles", { body, ifMatch: etag, idempotencyKey }));
    },
    async schedule(articleId, publishTime) {
      await pace.waitForTurn();
      const params = { articleId };
      if (publishTime !== null) {
        return void (await client.request("PUT /api/articles/{articleId}/schedule", { params, body: { publishTime } }));
      }
      // A schedule that is gone was carried out, or ended by somebody.
      await client.request("DELETE /api/articles/{articleId}/schedule", { params }).catch(ignoreNotFound);
    },
    async find(idOrSlug, locale) {
      await pace.waitForTurn();
      const input = { params: { idOrSlug }, query: { blogId, locale, fields: ALL_FIELDS } };
      const answer = await client.request("GET /api/articles/{idOrSlug}", input).catch(ignoreNotFound);
      return answer && toVersion(answer as ApiAnswer<Answer>);
    },
    async *listNames() {
      await pace.waitForTurn();
      for await (const { items } of client.articles.list({ blogId, fields: ["_id", "slug", "locale"] }).pages()) {
        yield* items;
        await pace.waitForTurn();
      }
    },
    async isEmpty() {
      await pace.waitForTurn();
      return (await client.articles.list({ blogId, fields: ["_id"], limit: 1 }).all(1)).length === 0;
    },
  };
}

const toVersion = ({ value, etag, response }: ApiAnswer<Answer>): Version => ({
  article: toArticle(value),
  etag: etag ?? "",
  replayed: response?.headers.get("Idempotent-Replayed") === "true",
});

export function toArticle(value: Omit<StoredArticle, "extras"> & StoredExtras): StoredArticle {
  return { ...pick(value, OWN), extras: fromStoredExtras(pick(value, EXTRAS)) };
}
