/** Reads the file of an import and stores its articles, with what they lose. Creates no articles. */
import { requireSendable, Unusable, type Article } from "../../../packages/import/article.ts";
import { UNCHOSEN } from "../../../packages/import/choices.ts";
import { Remarks } from "../../../packages/import/remarks.ts";
import type { Entry } from "../../../packages/import/source.ts";
import { IMPORT_LIMITS, type ImportRemark } from "../../domain/imports.ts";
import { toPlaceKey } from "../../domain/slug.ts";
import { limitConcurrency } from "../../lib/concurrency.ts";
import { putArticle } from "../media/import-files.ts";
import {
  addImported,
  keepImport,
  listPlaces,
  findTakenPlaces,
  type Checked,
  type NewImported,
} from "../../store/imports/system-imports.ts";
import { openSource, toStoredArticle } from "./files.ts";
import { Lost, Stopped, TAKEN, type Ended, type Work } from "./work.ts";

/** How many articles are stored at once, and how many files are written to R2 at once. */
const AT_ONCE = 20;
const PUTS = 5;

type Read = { readonly row: NewImported; readonly article: Article | null };

/** Reads a portion of the file. Throws {@link Stopped} if nothing in it can be used. */
export async function checkFile(work: Work): Promise<Ended> {
  const { of, db, now } = work;
  const remarks = new Remarks();
  const source = await openSource(work, remarks).catch(throwStopped);
  const { size } = source.keys;
  if (size === 0) throw new Stopped("The file contains nothing to import.");
  if (size > IMPORT_LIMITS.articles) {
    throw new Stopped(`The file has ${size} articles: an import takes ${IMPORT_LIMITS.articles}.`);
  }
  if (!(await keepImport(db, of, { format: source.format, total: size, tries: of.tries }, now()))) throw new Lost();
  // The first portion has noted the remarks about the file as a whole.
  const before = new Map(of.position === 0 ? [] : remarks.list().map(({ what, times }) => [what, times]));
  const places = await listPlaces(db, of);
  const read: Read[] = [];
  let number = 0;
  const store = async () => {
    await storeRead(work, read, { position: number, remarks: mergeRemarks(of.remarks, remarks, before) });
    read.length = 0;
  };
  for await (const entry of source.entries()) {
    if (number++ < of.position) continue;
    read.push(await readOne(entry, number - 1, places, remarks));
    if (read.length < AT_ONCE && !work.budget.isSpent) continue;
    await store();
    if (work.budget.isSpent) return { kind: "more" };
  }
  await store();
  return { kind: "over" };
}

function throwStopped(error: unknown): never {
  if (error instanceof Unusable) throw new Stopped(`The file ${error.message}.`, { cause: error });
  throw error;
}

async function readOne(entry: Entry, number: number, places: Map<string, string>, remarks: Remarks): Promise<Read> {
  const row = { number, name: entry.name.slice(0, 200).toWellFormed() };
  try {
    const article = await entry.load();
    requireSendable(article);
    const { title, slug, locale, published } = article;
    const place = toPlaceKey(article);
    const other = places.get(place);
    if (other !== undefined) throw new Unusable(`${UNCHOSEN.renameDuplicates} (${place}) as ${other}`);
    places.set(place, row.name);
    const losses = remarks.listReasons(entry.name);
    const told = { title, slug, locale, published: published ? 1 : 0, state: "ready" as const, losses, problem: "" };
    return { article, row: { ...row, ...told } };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const unknown = { title: "", slug: "", locale: "", published: 0, state: "refused" as const, losses: [] };
    return { article: null, row: { ...row, ...unknown, problem: error.message.slice(0, 500).toWellFormed() } };
  }
}

/** Stores articles that were read. Those whose slug and locale are taken become refused. */
async function storeRead(
  { bucket, db, of, now, budget }: Work,
  read: readonly Read[],
  progress: Pick<Checked, "position" | "remarks">,
): Promise<void> {
  const taken = await findTakenPlaces(
    db,
    of,
    read.filter(({ article }) => article !== null).map(({ row }) => toPlaceKey(row)),
  );
  const refused = { state: "refused" as const, problem: TAKEN };
  const rows = read.map(({ row }) => (taken.has(toPlaceKey(row)) ? { ...row, ...refused } : row));
  const ready = read.filter((_, nth) => rows[nth]?.state === "ready");
  const limited = limitConcurrency(PUTS);
  await Promise.all(
    ready.map(({ article, row }) =>
      limited(async () => article && putArticle(bucket, of, row.number, toStoredArticle(article))),
    ),
  );
  budget.spend(5);
  if (!(await addImported(db, of, { articles: rows, ...progress }, now()))) throw new Lost();
}

/** Adds the remarks of this portion to the stored ones. `before` holds the counts from before it read an article. */
function mergeRemarks(
  stored: readonly ImportRemark[],
  remarks: Remarks,
  before: ReadonlyMap<string, number>,
): ImportRemark[] {
  const all = new Map(stored.map((each) => [each.what, each]));
  for (const { what, times } of remarks.list()) {
    const { times: earlier, names = [] } = all.get(what) ?? { times: 0 };
    const more = times - (before.get(what) ?? 0);
    const named = [...new Set([...names, ...(more > 0 ? remarks.listExamples(what) : [])])].slice(0, MOST_NAMES);
    if (earlier + more > 0) all.set(what, { what, times: earlier + more, names: named });
  }
  return [...all.values()].sort((a, b) => b.times - a.times);
}

const MOST_NAMES = 5;
