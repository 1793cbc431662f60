/** Renders what waits: articles that were not written by a commit of this version, and all of them for a new renderer. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { RENDERER, type ArticleRendering } from "../../domain/rendering.ts";
import { log } from "../../lib/log.ts";
import { firstRow, isOneOf, orm, transaction, type Database } from "../core/sql.ts";
import { putRendering } from "./renderings.ts";
import { articleRenderings as renderings, articles } from "./schema.ts";
import { nextDue, type Due } from "./system-waiting.ts";

/** The most bytes of content in one transaction. A single article may have more. */
const MOST_BYTES = 512 * 1024;
/** How many transactions one run makes at most, of up to `AT_ONCE` + 5 queries each. The next run continues. */
const ROUNDS = 25;
/** A run ends after so many steps of the parser, and what they lead to: some seconds of CPU time. */
const RUN_STEPS = 200_000_000;

/**
 * Renders articles whose rendering another renderer has made, or nobody, and returns how many. Organizations take turns, so
 * that nobody waits until another organization's thousands of articles are rendered.
 */
export async function renderDueArticles(db: Database): Promise<number> {
  let [done, steps, after] = [0, 0, ""];
  for (let round = 0; round < ROUNDS && steps < RUN_STEPS; round++) {
    const renderer = await oldestRenderer(db);
    if (renderer === null) break;
    const due = await nextDue(db, waitingOf(renderer), after, MOST_BYTES);
    if (due.length === 0) break;
    const rendered = await render(db, due, RUN_STEPS - steps);
    done += rendered.length;
    steps += rendered.reduce((sum, each) => sum + each.steps, 0);
    after = due.at(-1)?.organizationId ?? "";
  }
  return done;
}

/** Returns the number of the oldest renderer of which there is something, if that is not the present one. */
async function oldestRenderer(db: Database): Promise<number | null> {
  const found = await firstRow<{ renderer: number | null }>(
    db,
    sql`select min(${renderings.renderer}) as "renderer" from ${renderings} where ${WAITS}`,
  );
  return found?.renderer ?? null;
}

/** The condition of the index, as the schema writes it: with another one, SQLite does not use the index. */
const WAITS = sql.raw(`renderer <> ${RENDERER}`);

const waitingOf = (renderer: number) => ({
  organizationId: renderings.organizationId,
  articleId: renderings.articleId,
  where: sql`${renderings.renderer} = ${renderer} and ${WAITS}`,
});

/**
 * Renders the articles until `most` steps are used up, and stores what becomes of them in one transaction. An article that
 * has another version by then is left out and keeps waiting: its content may have changed, and a write has rendered it then.
 */
async function render(db: Database, due: readonly Due[], most: number): Promise<readonly Outcome[]> {
  const { id, organizationId, version, content } = articles;
  const found = await orm(db)
    .select({ articleId: id, organizationId, version, content })
    .from(articles)
    .where(
      isOneOf(
        id,
        due.map((article) => article.id),
      ),
    );
  const byId = new Map(found.map((article) => [article.articleId, article]));
  const outcomes: Outcome[] = [];
  let left = most;
  for (const each of due) {
    if (left <= 0) break;
    const article = byId.get(each.id);
    if (article === undefined) continue;
    const { content: text, ...of } = article;
    const { rendering, steps } = await rendered(each.id, text);
    const isIt = sql`exists (select 1 from ${articles} where ${id} = ${each.id} and ${version} = ${of.version})`;
    outcomes.push({ id: each.id, stored: putRendering({ ...of, rendering }, isIt), steps });
    left -= steps;
  }
  if (outcomes.length === 0) return [];
  const done = outcomes.map((outcome) => outcome.id);
  await transaction(db, {
    stored: outcomes.map(({ stored }) => stored),
    // The search finds what is read, so they wait to be indexed again.
    unindexed: orm(db).update(articles).set({ indexedVersion: null }).where(isOneOf(id, done)),
  });
  return outcomes;
}

type Outcome = { readonly id: string; readonly stored: SQL; readonly steps: number };

/** What a text takes beside the parser's steps: reading it, and writing what came of it. */
const STEPS_OF_ARTICLE = 100_000;

/** Renders a content. One that the renderer fails on must not stop the others: it counts as too complex. */
async function rendered(articleId: string, content: string): Promise<{ rendering: ArticleRendering; steps: number }> {
  const { renderArticle } = await import("../../domain/markdown/article.ts");
  try {
    const { rendering, steps } = renderArticle(content, LIMITS.markdownSteps);
    return { rendering, steps: steps + STEPS_OF_ARTICLE };
  } catch (error) {
    log({ level: "error", message: "rendering failed", articleId, error });
    const failed = { readingMinutes: null, excerpt: null, headings: null, text: null, html: null };
    return { rendering: { ...failed, state: "too_complex" }, steps: LIMITS.markdownSteps };
  }
}
