/** The delivery of an import that is only tried: it asks the service, and changes nothing there. */
import { fingerprint, isSame, Unusable, type Article } from "./article.ts";
import type { Outcome } from "./deliver.ts";
import type { Deliver } from "./import.ts";
import type { Done, Journal } from "./journal.ts";
import type { Found, Service } from "./service.ts";

type Trying = {
  readonly service: Service;
  readonly overwrite: boolean;
  /** The slug and locale of every article of the blog, so that new ones need no request each. */
  readonly there: ReadonlySet<string>;
};

/** Reports what would become of each article. Different ones count as updates if they would be overwritten. */
export async function dryDelivery(
  service: Service,
  journal: Pick<Journal, "get">,
  overwrite: boolean,
): Promise<Deliver> {
  const there = new Set<string>();
  for await (const { slug, locale } of service.names()) there.add(`${slug} ${locale}`);
  const trying = { service, overwrite, there };
  return async (key, article) => {
    const known = journal.get(key);
    if (known === undefined) return created(trying, article);
    return known.print === fingerprint(article) ? "unchanged" : updated(trying, known, article);
  };
}

async function created({ service, overwrite, there }: Trying, article: Article): Promise<Outcome> {
  if (!there.has(`${article.slug} ${article.locale}`)) return "created";
  const existing = await service.find(article.slug, article.locale);
  if (existing === null) return "created";
  return settled(existing, article, overwrite, "another article has its slug and locale");
}

async function updated(trying: Trying, { id, etag }: Done, article: Article): Promise<Outcome> {
  const existing = await trying.service.find(id);
  if (existing === null) return created(trying, article);
  if (existing.etag === etag) return "updated";
  return settled(existing, article, trying.overwrite, "it has been changed on the service since it was imported");
}

function settled(existing: Found, article: Article, overwrite: boolean, why: string): Outcome {
  if (isSame(existing.article, article)) return "present";
  if (overwrite) return "updated";
  throw new Unusable(`${why} (--update-existing overwrites it)`);
}
