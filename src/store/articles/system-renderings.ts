/** Renders the waiting articles: those that were written without a rendering, and all of them for a new renderer. */
import { and, eq, sql } from "drizzle-orm";
import { RENDERER } from "../../domain/rendering.ts";
import { builder, queryFirstRow, isAmong, orm, runTransaction, type Database, type Statement } from "../core/sql.ts";
import { makeRendering, putRendering } from "./renderings.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";
import { findNextDue, type Due } from "./system-waiting.ts";

/** The most bytes of content in one transaction. A single article may have more. */
const MOST_BYTES = 512 * 1024;
/** The most transactions of one run, each of up to 2 * `AT_ONCE` + 5 queries. The next run continues. */
const ROUNDS = 20;
/** A run ends after so many characters, which take some seconds of CPU time. */
const RUN_CHARACTERS = 2_000_000;

/** Renders waiting articles and returns how many. Organizations take turns, so that nobody waits for another. */
export async function renderDueArticles(db: Database): Promise<number> {
  let [done, characters, after] = [0, 0, ""];
  for (let round = 0; round < ROUNDS && characters < RUN_CHARACTERS; round++) {
    const renderer = await oldestRenderer(db);
    if (renderer === null) break;
    const due = await findNextDue(db, makeWaiting(renderer), after, MOST_BYTES);
    if (due.length === 0) break;
    const rendered = await renderArticles(db, due);
    done += rendered.length;
    characters += rendered.reduce((sum, each) => sum + each.characters, 0);
    after = due.at(-1)?.organizationId ?? "";
  }
  return done;
}

/** Returns the number of the oldest renderer that has renderings, or null if that is the current one. */
async function oldestRenderer(db: Database): Promise<number | null> {
  const found = await queryFirstRow<{ renderer: number | null }>(
    db,
    sql`select min(${renderings.renderer}) as "renderer" from ${renderings} where ${WAITS}`,
  );
  return found?.renderer ?? null;
}

/** The condition of the index, exactly as the schema writes it: SQLite does not use the index for another one. */
const WAITS = sql.raw(`renderer <> ${RENDERER}`);

const makeWaiting = (renderer: number) => ({
  organizationId: renderings.organizationId,
  articleId: renderings.articleId,
  where: sql`${renderings.renderer} = ${renderer} and ${WAITS}`,
});

/**
 * Renders articles, and stores the renderings in one transaction. An article whose version has changed is left out and
 * keeps waiting: its content may have changed, and then a write has rendered it.
 */
async function renderArticles(db: Database, due: readonly Due[]): Promise<readonly Outcome[]> {
  const { id, organizationId, version, content } = articles;
  const found = await orm(db)
    .select({ articleId: id, organizationId, version, content })
    .from(articles)
    .where(
      isAmong(
        id,
        due.map((article) => article.id),
      ),
    );
  const outcomes: Outcome[] = [];
  for (const { content: text, ...of } of found) {
    const rendering = await makeRendering(text);
    const isIt = sql`exists (select 1 from ${articles} where ${id} = ${of.articleId} and ${version} = ${of.version})`;
    const packed = builder
      .update(articles)
      // The search finds what readers see, so they must be indexed again.
      .set({ packed: rendering.packed, indexedVersion: null })
      .where(and(eq(id, of.articleId), eq(version, of.version)));
    outcomes.push({ stored: [putRendering({ ...of, rendering }, isIt), packed], characters: text.length });
  }
  if (outcomes.length > 0) await runTransaction(db, { stored: outcomes.flatMap(({ stored }) => stored) });
  return outcomes;
}

type Outcome = { readonly stored: readonly Statement[]; readonly characters: number };
