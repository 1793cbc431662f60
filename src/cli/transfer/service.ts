/** What an import and an export ask of the service, for one blog. */
import * as z from "zod";
import { path, type Answer, type Client } from "../client.ts";
import { CliError, EXIT } from "../failure.ts";
import { FIELDS, type Article } from "./article.ts";
import type { Pace } from "./pace.ts";

const storedArticle = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  content: z.string(),
  slug: z.string(),
  locale: z.string(),
  coverUrl: z.string(),
  published: z.boolean(),
  creationTime: z.string(),
  lastEditTime: z.string(),
});
export type StoredArticle = z.infer<typeof storedArticle>;

const name = z.object({ _id: z.string(), slug: z.string(), locale: z.string() });

/** An article of the service, and the version in which it was seen. */
export type Found = { readonly article: StoredArticle; readonly etag: string; readonly replayed: boolean };

/** How a write is to happen: at most once for a key (a new one without it), and over no other version than this one. */
export type Manner = { readonly key?: string; readonly id?: string; readonly etag?: string };

export type Service = {
  /** Creates, or updates where there is an id; a Ctrl-C does not break it off. Throws `CliError`. */
  save(article: Article, manner: Manner): Promise<Found>;
  /** The article of an id, or of a slug in a locale; null where there is none. */
  find(idOrSlug: string, locale?: string): Promise<Found | null>;
  /** The id, slug and locale of every article. */
  names(): AsyncGenerator<z.infer<typeof name>, void>;
  isEmpty(): Promise<boolean>;
};

/** The service for one blog; `pace` is waited for before each request, and is told of the pauses between tries. */
export function openService(client: Client, blogId: string, pace: Pace): Service {
  const onWait = (seconds: number) => pace.paused(seconds);
  return {
    async save(article, { key, id, etag }) {
      await pace.turn();
      const members = Object.fromEntries(FIELDS.map((field) => [field, article[field]]));
      const body = id === undefined ? { blogId, ...members } : { _id: id, ...members };
      const ifMatch = etag === "" ? undefined : etag;
      const request = { method: "POST", path: "/api/articles", body, ifMatch, idempotencyKey: key } as const;
      return found(await client.request({ ...request, finishes: true, onWait }));
    },
    async find(idOrSlug, locale) {
      await pace.turn();
      try {
        const request = { path: path`/api/articles/${idOrSlug}`, query: { blogId, locale } };
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

const found = ({ value, etag = "", replayed }: Answer<unknown>): Found => ({
  article: articleOf(value),
  etag,
  replayed,
});

/** An article as the service shows it; what else it shows is stepped over. */
export const articleOf = (value: unknown): StoredArticle => readAs(storedArticle, value);

/** Reads an answer; throws `CliError` where it has another form. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CliError("invalid_answer", "The server does not answer as an Edgepress server does.", EXIT.failed, {
    cause: parsed.error,
  });
}
