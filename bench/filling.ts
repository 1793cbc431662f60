/**
 * Fills the databases of a state folder with organizations and their articles, without the service: each article has what a
 * write through the service leaves of it for readers, its rendering and search index included, and the directory has its entries.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { listLocalDatabases, openDatabase } from "../scripts/lib/local-database.ts";
import { tellDirectory } from "../scripts/lib/homes.ts";
import { prepareDatabase } from "../scripts/lib/organization.ts";
import { bindTo, openBindings } from "../scripts/lib/place-bindings.ts";
import { RENDERER } from "../src/domain/rendering.ts";
import { newId } from "../src/lib/ids.ts";
import { makeRendering } from "../src/store/articles/renderings.ts";
import { computeMark, makePlaceWords, prepareText } from "../src/store/articles/search-index.ts";
import type { D1, Fixture } from "./fixture.ts";
import { newOrganization, wordsLikeProse } from "./seed.ts";

/** An organization, with the binding of its database. */
export type Tenant = Omit<Fixture, "slugs"> & { readonly database: string };

export type Size = { readonly shards: number; readonly organizations: number; readonly articles: number };

export type Store = Size & { readonly folder: string; readonly tenants: readonly Tenant[] };

/** How many articles each organization has. */
export const countEach = ({ articles, organizations }: Size): number => Math.ceil(articles / organizations);

/** Returns the slug of an organization's nth article. No other one has it. */
export const slugOf = ({ blogId }: Pick<Tenant, "blogId">, n: number): string =>
  `an-article-about-subject-number-${n}-${blogId.slice(-12)}`;

/** Fills a folder, or returns what an earlier call has filled it with, migrated. Throws if that was of another size. */
export async function fill(folder: string, size: Size): Promise<Store> {
  const file = join(folder, "store.json");
  if (existsSync(file)) {
    const store = JSON.parse(readFileSync(file, "utf8")) as Store;
    for (const [name, wanted] of Object.entries(size))
      if (store[name as keyof Size] !== wanted) throw new Error(`${folder} has other ${name} than ${wanted}.`);
    await prepareDatabase({ folder });
    await listAll(folder);
    return { ...store, folder };
  }
  const began = performance.now();
  process.env["EDGEPRESS_SHARDS"] = String(size.shards);
  await prepareDatabase({ folder });
  delete process.env["EDGEPRESS_SHARDS"];
  const databases = size.shards === 0 ? ["DB"] : listLocalDatabases(folder).slice(1);
  const tenants = await newTenants(folder, databases, size.organizations);
  const texts = await Promise.all(Array.from({ length: TEXTS }, (_, n) => newText(n)));
  for (const database of databases) {
    const some = tenants.filter((tenant) => tenant.database === database);
    writeArticles(openDatabase(folder, false, database), some, countEach(size), texts);
  }
  await listAll(folder);
  writeFileSync(file, JSON.stringify({ ...size, tenants }));
  console.log(`${size.articles} articles in ${((performance.now() - began) / 1000).toFixed(0)} s.`);
  return { ...size, folder, tenants };
}

/** Creates organizations, as many in each database. */
async function newTenants(folder: string, databases: readonly string[], count: number): Promise<Tenant[]> {
  await listAll(folder);
  const bindings = await openBindings({ folder }, "write");
  const tenants: Tenant[] = [];
  for (let n = 0; n < count; n++) {
    const database = databases[n % databases.length] ?? "DB";
    const db = (bindings.env as unknown as Readonly<Record<string, D1>>)[database] as D1;
    tenants.push({ database, ...(await newOrganization(db)) });
  }
  const homes = JSON.stringify(tenants.map(({ organizationId, database }) => [organizationId, database]));
  const place = "INSERT INTO homes SELECT value ->> 0, value ->> 1 FROM json_each(?1) WHERE value ->> 1 <> 'DB'";
  await bindings.execute([{ sql: place, values: [homes] }]);
  await bindings.close();
  return tenants;
}

/** Makes the triggers of the shards, and stores in the directory what they have noted. */
async function listAll(folder: string): Promise<void> {
  const bindings = await openBindings({ folder }, "write");
  for (const name of listLocalDatabases(folder).slice(1)) await tellDirectory(bindTo(bindings, name));
  await bindings.close();
}

/** How many different texts the articles have. */
const TEXTS = 500;

/** Writes articles, one of each organization after the other, as if all wrote at the same time. Closes the database. */
function writeArticles(db: DatabaseSync, tenants: readonly Tenant[], each: number, texts: readonly Text[]): void {
  // So that each page is written once.
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; BEGIN");
  const rendering = db.prepare(
    `INSERT INTO article_renderings (article_id, organization_id, renderer, version, state, reading_minutes, excerpt, html_bytes)
     VALUES (?, ?, ${RENDERER}, ?, 'done', ?, ?, ?)`,
  );
  const article = db.prepare(
    `INSERT INTO articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, public_time,
       publish_time, version, creation_time, last_edit_time, content, search_id, indexed_version, creator, packed)
     VALUES (:id, :organizationId, :blogId, :title, :description, :slug, 'en', '', 1, :time,
       :time, :version, :time, :time, :content, :searchId, :version, :creator, :packed)`,
  );
  const index = db.prepare(
    "INSERT INTO article_text (rowid, content, title, description, place, source) VALUES (?, ?, ?, ?, ?, '')",
  );
  let searchId = 0;
  for (let n = 0; n < each; n++) {
    const time = new Date(Date.parse("2024-01-01T00:00:00Z") + n * 3_600_000).toISOString();
    for (const tenant of tenants) {
      const { organizationId, blogId, keyId } = tenant;
      const { made, terms, ...text } = texts[(searchId * 7) % TEXTS] as Text;
      const [id, version] = [newId(), newId()];
      searchId += 1;
      rendering.run(id, organizationId, version, made.readingMinutes, made.excerpt, made.html.length);
      const creator = JSON.stringify({ kind: "key", id: keyId });
      const kept = { ...text, slug: slugOf(tenant, n), packed: made.packed, creator };
      article.run({ id, organizationId, blogId, version, time, searchId, ...kept });
      const mark = computeMark(organizationId);
      const words = makePlaceWords(mark);
      const place = [words.organization(organizationId), words.blog(blogId), words.locale("en"), words.published(true)];
      index.run(searchId, ...terms.map((some) => mark + some.join(` ${mark}`)), place.join(" "));
    }
  }
  db.exec("COMMIT; PRAGMA journal_mode = WAL");
  db.close();
}

type Text = Awaited<ReturnType<typeof newText>>;

/** Returns the texts of an article, of 300 to 600 characters, with their rendering and terms. */
async function newText(n: number) {
  const [title, description] = [wordsLikeProse(n + 10_000, 40).trim(), wordsLikeProse(n + 20_000, 120).trim()];
  const content = `## ${title}\n\n${wordsLikeProse(n, 250 + (n % 300)).trim()}`;
  const made = await makeRendering(content);
  const terms = [made.text, title, description].map((text) => prepareText(text, "").split(" "));
  return { title, description, content, made, terms };
}
