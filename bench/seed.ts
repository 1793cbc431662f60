/** The content for the measurements: one blog with many articles, and others, with texts of realistic size. */
import { newId } from "../src/lib/ids.ts";
import { SCOPES } from "../src/domain/principal.ts";
import { newSecret } from "../src/domain/secrets.ts";
import type { D1, Fixture, MeasuredArticle } from "./fixture.ts";

/** Rows for each insert statement. Their JSON stays well below D1's limit of 2 MB for a parameter. */
const ROWS = 250;

/** Returns the article that the load writes. */
export const measuredArticle = (): MeasuredArticle => ({ title: "Measured", content: prose(7, 360), published: true });

/** Creates an organization with a blog of `articles` articles, and ten organizations with blogs of 300 articles. */
export async function seed(db: D1, articles: number): Promise<Fixture> {
  const { organizationId, blogId, keyId, apiKey } = await newOrganization(db);
  const slugs = await seedArticles(db, organizationId, blogId, articles);
  for (let other = 0; other < 10; other++) {
    const neighbour = await newOrganization(db);
    await seedArticles(db, neighbour.organizationId, neighbour.blogId, 300);
  }
  // Every 20th article, so that they come from the whole blog.
  return { organizationId, blogId, keyId, apiKey, slugs: slugs.filter((_, index) => index % 20 === 0) };
}

/** Creates an organization with a blog and an API key with every scope. */
export async function newOrganization(db: D1): Promise<Omit<Fixture, "slugs">> {
  const [organizationId, blogId, keyId] = [newId(), newId(), newId()];
  const { secret, hash, hint } = await newSecret("key");
  const time = new Date().toISOString();
  await db.batch([
    db.prepare("insert into organizations (id, name, creation_time) values (?, 'Bench', ?)").bind(organizationId, time),
    db
      .prepare(
        `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
         values (?1, ?2, 'Bench', ?1, '', '["en","de"]', ?1, ?3, ?3)`,
      )
      .bind(blogId, organizationId, time),
    db
      .prepare(
        `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, last_used_time, creation_time)
         values (?1, ?2, 'key', 'bench', ?3, ?4, ?5, ?6, ?6)`,
      )
      .bind(keyId, organizationId, hash, hint, JSON.stringify(SCOPES), time),
  ]);
  return { organizationId, blogId, keyId, apiKey: secret };
}

/** Creates articles: every fifth is a draft, every fourth is German. Returns the slugs of the published ones. */
async function seedArticles(db: D1, organizationId: string, blogId: string, count: number): Promise<string[]> {
  const begin = Date.parse("2024-01-01T00:00:00Z");
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    title: `An article about subject number ${n}`,
    description: prose(n, 24),
    slug: `an-article-about-subject-number-${n}-${blogId.slice(-6)}`,
    locale: n % 4 === 3 ? "de" : "en",
    published: n % 5 === 4 ? 0 : 1,
    time: new Date(begin + n * 3_600_000).toISOString(),
    content: prose(n + 1, 360),
  }));
  for (let start = 0; start < count; start += ROWS) {
    await db
      .prepare(
        `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
           public_time, publish_time, version, creation_time, last_edit_time, content)
         select value ->> 'id', ?1, ?2, value ->> 'title', value ->> 'description', value ->> 'slug',
           value ->> 'locale', 'https://images.example.com/cover.jpg', value ->> 'published',
           iif(value ->> 'published', value ->> 'time', null), iif(value ->> 'published', value ->> 'time', null),
           value ->> 'id', value ->> 'time', value ->> 'time',
           value ->> 'content'
         from json_each(?3)`,
      )
      .bind(organizationId, blogId, JSON.stringify(rows.slice(start, start + ROWS)))
      .run();
  }
  return rows.filter((row) => row.published === 1).map((row) => row.slug);
}

/** Returns random words, always the same ones for the same number. 360 words are about 2.4 KB. */
export function prose(seedNumber: number, words: number): string {
  let state = seedNumber + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length: words }, () => WORDS[next() % WORDS.length]).join(" ");
}

const WORDS =
  "river morning coffee window letter harbour garden slow street market light paper winter bread corner story mountain train evening quiet notebook bridge table orange island weather lantern music summer kitchen".split(
    " ",
  );

/** About as many different words as an author uses. */
const VOCABULARY = 20_000;

/**
 * Returns a text of about `characters` made-up words, always the same one for the same number. By Zipf's law, the nth
 * most frequent word is n times as rare as the most frequent one.
 */
export function wordsLikeProse(seedNumber: number, characters: number): string {
  let state = seedNumber + 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  let text = "";
  while (text.length < characters) {
    const rank = Math.floor(VOCABULARY ** random());
    // Rarer words are longer: 2 letters to 9.
    const length = 2 + Math.floor(Math.log2(rank) / 2);
    text += `${(rank * 7_919 + 26 ** 4).toString(36).repeat(2).slice(0, length)} `;
  }
  return text.slice(0, characters);
}
