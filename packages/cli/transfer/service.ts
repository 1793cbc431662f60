/** The requests of imports and exports for one blog. */
import * as z from "zod";
import { path, type Answer, type Client } from "../client.ts";
import { LISTED_TEXTS, NAMED_TEXTS, type ListedText, type NamedText } from "../../../src/domain/article-fields.ts";
import { pick } from "../../../src/lib/pick.ts";
import { CliError, EXIT } from "../failure.ts";
import { FIELDS, type Article } from "../../import/article.ts";
import { fromStored, type Extras } from "../../import/extras.ts";
import type { Pace } from "./pace.ts";

const storedArticle = z.object({
  _id: z.string(),
  ...(Object.fromEntries(LISTED_TEXTS.map((text) => [text, z.string()])) as Record<ListedText, z.ZodString>),
  published: z.boolean(),
  creationTime: z.string(),
  lastEditTime: z.string(),
});
const term = z.object({ slug: z.string(), name: z.string() });
const storedExtras = z.object({
  ...(Object.fromEntries(NAMED_TEXTS.map((text) => [text, z.string().optional()])) as {
    [Name in NamedText]: z.ZodOptional<z.ZodString>;
  }),
  publishTime: z.string().nullish(),
  tags: z.array(term).optional(),
  authors: z.array(term).optional(),
  seo: z
    .object({
      title: z.string(),
      description: z.string(),
      canonicalUrl: z.string(),
      noindex: z.boolean(),
      image: z.string(),
    })
    .optional(),
});
export type StoredArticle = z.infer<typeof storedArticle> & { readonly extras?: Extras | undefined };

/** The names of all that an import compares and an export writes. */
export const ALL_FIELDS = [...Object.keys(storedArticle.shape), ...Object.keys(storedExtras.shape)].join();

const name = z.object({ _id: z.string(), slug: z.string(), locale: z.string() });

/** An article of the service, its ETag, and whether the service has replayed a stored response. */
export type Version = { readonly article: StoredArticle; readonly etag: string; readonly replayed: boolean };

/**
 * How to write an article. `key` is the Idempotency-Key; the client generates one by default. `id` is the article to
 * update. `etag` is the only version that may be overwritten.
 */
export type Manner = { readonly key?: string; readonly id?: string; readonly etag?: string };

export type Service = {
  /**
   * Creates an article, or updates the one with `manner.id`. Ctrl-C does not abort a sent request. Throws `CliError`.
   */
  save(article: Article, manner: Manner): Promise<Version>;
  /** Schedules an article for a time (ISO 8601), in place of the schedule that it has; ends that one for null. */
  schedule(id: string, time: string | null): Promise<void>;
  /** Returns the article with an id, or with a slug in a locale; null if there is none. */
  find(idOrSlug: string, locale?: string): Promise<Version | null>;
  /** Yields the id, slug and locale of every article. */
  names(): AsyncGenerator<z.infer<typeof name>, void>;
  /** Returns whether the blog has no articles. */
  isEmpty(): Promise<boolean>;
};

/**
 * Returns the service for one blog. It waits for `pace` before each request and reports the pauses of retries to it.
 */
export function openService(client: Client, blogId: string, pace: Pace): Service {
  const onWait = (seconds: number) => pace.paused(seconds);
  return {
    async save(article, { key, id, etag }) {
      await pace.turn();
      const members = { ...pick(article, FIELDS), ...article.extras };
      const body = id === undefined ? { blogId, ...members } : { _id: id, ...members };
      const ifMatch = etag === "" ? undefined : etag;
      const request = { method: "POST", path: "/api/articles", body, ifMatch, idempotencyKey: key } as const;
      return found(await client.request({ ...request, finishes: true, onWait }));
    },
    async schedule(id, publishTime) {
      await pace.turn();
      const place = { path: path`/api/articles/${id}/schedule`, finishes: true, onWait } as const;
      if (publishTime !== null) return void (await client.request({ method: "PUT", ...place, body: { publishTime } }));
      await client.request({ method: "DELETE", ...place }).catch((error: unknown) => {
        // It has been carried out, or ended by somebody.
        if (!(error instanceof CliError) || error.code !== "not_found") throw error;
      });
    },
    async find(idOrSlug, locale) {
      await pace.turn();
      try {
        const request = { path: path`/api/articles/${idOrSlug}`, query: { blogId, locale, fields: ALL_FIELDS } };
        return found(await client.request({ method: "GET", ...request, onWait }));
      } catch (error) {
        if (error instanceof CliError && error.code === "not_found") return null;
        throw error;
      }
    },
    async *names() {
      await pace.turn();
      for await (const page of client.pages("/api/articles", { blogId, fields: "_id,slug,locale" })) {
        yield* page.map((each) => readAs(name, each));
        await pace.turn();
      }
    },
    async isEmpty() {
      await pace.turn();
      const { value } = await client.get("/api/articles", { blogId, fields: "_id", limit: 1 });
      return Array.isArray(value) && value.length === 0;
    },
  };
}

const found = ({ value, etag = "", replayed }: Answer<unknown>): Version => ({
  article: articleOf(value),
  etag,
  replayed,
});

/** Returns the article in a response and ignores other fields. Throws `CliError` `invalid_answer`. */
export const articleOf = (value: unknown): StoredArticle => ({
  ...readAs(storedArticle, value),
  extras: fromStored(readAs(storedExtras, value)),
});

/** Returns a response parsed by a schema. Throws `CliError` `invalid_answer` if it does not match. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CliError("invalid_answer", "The server does not answer as an Edgepress server does.", EXIT.failed, {
    cause: parsed.error,
  });
}
