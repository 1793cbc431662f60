/** The loader for static sites, which reads only what has changed since the last build. */
import { toEntryId, FIELDS, splitArticle, type CommonOptions, type Loaded } from "./entries.ts";

export type { Entry } from "./entries.ts";

export type LoaderOptions = CommonOptions & {
  /** Only articles with this tag, by its slug. */
  readonly tag?: string | undefined;
};

/** The used part of Astro's `LoaderContext`, so that this package can be built and tested without Astro. */
type Context = {
  readonly store: {
    get(id: string): { readonly digest?: number | string } | undefined;
    keys(): string[];
    set(entry: StoredEntry): boolean;
    delete(id: string): void;
  };
  readonly meta: { get(name: string): string | undefined; set(name: string, value: string): void };
  readonly logger: { info(text: string): void };
  parseData<T extends Record<string, unknown>>(given: { id: string; data: T }): Promise<T>;
  generateDigest(data: Record<string, unknown>): string;
};

type StoredEntry = {
  readonly id: string;
  readonly data: Record<string, unknown>;
  readonly digest: string;
  readonly rendered?: { readonly html: string; readonly metadata: { readonly headings: Heading[] } };
};

type Heading = { depth: number; slug: string; text: string };

/** What a build remembers of a page of the list. */
type KnownPage = { readonly etag: string; readonly next: string | null; readonly ids: readonly string[] };

/**
 * Loads the articles of a blog: `defineCollection({ loader: edgepressLoader({ client, blogId }) })`. An entry's id is
 * `{locale}/{slug}`, and `render(entry)` shows the sanitized HTML of the service.
 *
 * A page of the list that has not changed is not sent again: its ETag is in Astro's cache. An article that has not
 * changed keeps its entry, so that Astro does not render its page again.
 */
export function edgepressLoader({ client, blogId, locale, published, tag }: LoaderOptions) {
  return {
    name: "@edgepress/astro",
    async load(context: Context): Promise<void> {
      const { store, meta, logger } = context;
      const { _id } = await client.blogs.get(blogId);
      const query = { blogId: _id, locale, published, tag, fields: FIELDS };
      const name = `edgepress-pages ${JSON.stringify(query)}`;
      const known = JSON.parse(meta.get(name) ?? "{}") as Record<string, KnownPage>;
      const pages: Record<string, KnownPage> = {};
      let changed = 0;
      for (let cursor: string | null = ""; cursor !== null;) {
        const before: KnownPage | undefined = known[cursor];
        // If a part of Astro's cache is gone, the page is read as if it were new.
        const isWhole = before?.ids.every((id) => store.get(id) !== undefined) === true;
        const answer = await client.request<Loaded[] | undefined>({
          path: "/api/articles",
          query: { ...query, cursor: cursor === "" ? undefined : cursor },
          // An ETag that matches nothing asks for the whole page, past the client's cache.
          ifNoneMatch: isWhole ? before.etag : '"none"',
        });
        if (answer.value === undefined && before === undefined) throw new Error("The service sent no articles.");
        const page: KnownPage =
          answer.value === undefined && before !== undefined
            ? before
            : { etag: answer.etag ?? "", next: answer.next, ids: (answer.value ?? []).map(toEntryId) };
        for (const article of answer.value ?? []) if (await storeArticle(context, article)) changed += 1;
        pages[cursor] = page;
        cursor = page.next;
      }
      const ids = new Set(Object.values(pages).flatMap((page) => page.ids));
      const gone = store.keys().filter((id) => !ids.has(id));
      for (const id of gone) store.delete(id);
      meta.set(name, JSON.stringify(pages));
      logger.info(`${ids.size} articles, ${changed} of them new or changed, ${gone.length} gone`);
    },
  };
}

/** Stores an article if it has changed, and returns whether it has. */
async function storeArticle(context: Context, article: Loaded): Promise<boolean> {
  const { store } = context;
  const id = toEntryId(article);
  const digest = context.generateDigest(article);
  if (store.get(id)?.digest === digest) return false;
  const { data, html } = splitArticle(article);
  const headings = (data.headings ?? []).map(({ level, id: slug, text }) => ({ depth: level, slug, text }));
  const parsed = await context.parseData({ id, data });
  return store.set({ id, data: parsed, digest, ...(html !== null && { rendered: { html, metadata: { headings } } }) });
}
