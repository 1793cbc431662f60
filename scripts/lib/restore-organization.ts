/**
 * Adds an organization to an installation, as an archive has it (archive.ts). The others' service goes on, so triggers work
 * meanwhile. What readers would see, and what acts by itself, is closed until everything is there.
 */
import path from "node:path";
import { newWebhookSecret } from "../../src/domain/secrets.ts";
import { takeName } from "../../src/store/core/directory.ts";
import { bringPerson } from "../../src/store/people/system-shards.ts";
import { getTableFile, hashFile, listFiles, readFileLines, type Manifest } from "./backup.ts";
import { quote, type Table } from "../../src/store/export/tables.ts";
import { insertRow } from "./backup-tables.ts";
import { Failure } from "./failure.ts";
import { isGoingOn, listFinishing, listBeginning, makeCounterKeeper } from "./organization-note.ts";
import {
  listArchived,
  listOwnedTables,
  listPrefixes,
  selectPart,
  type OwnedTable,
} from "../../src/store/export/belongings.ts";
import { planPeople, type People } from "./people-plan.ts";
import { bindTo, listShards, type Bindings, type Row, type Statement } from "./place-bindings.ts";
import { checkBackup, executeGroups, putFiles, readRows, type Restored } from "./restore.ts";
import { listTaken } from "./taken-names.ts";

type Restoring = {
  readonly target: Bindings;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly organizationId: string;
  readonly people: People;
};

/**
 * Restores an organization. An interrupted restoration goes on with the same archive. Throws a `Failure`, before it writes, if the
 * archive is damaged or of another version, if the organization is there already, if a name that only one can have is taken, or
 * if it would let somebody in who is not surely the same person (people-plan.ts).
 */
export async function restoreOrganization(
  target: Bindings,
  folder: string,
  tell: (line: string) => void,
): Promise<Restored & { readonly people: People }> {
  const manifest = await checkBackup(target, folder);
  if (manifest.organization === undefined) throw new Failure(`${folder} has a backup of everything.`, 2);
  const { id: organizationId, hasSecrets } = manifest.organization;
  const tables = (await listArchived(target, { hasSecrets })).filter(
    ({ table }) => (manifest.tables[table.name]?.rows ?? 0) > 0,
  );
  const note = { organizationId, archive: await hashFile(path.join(folder, "backup.json")) };
  const people = await planPeople(bindTo(target, "DB"), folder, hasSecrets);
  const restoring: Restoring = { target, folder, manifest, organizationId, people };
  if (await isGoingOn(target, note)) tell("Going on with the restoration that was interrupted.");
  else await begin(restoring, tables, note);
  await storeFiles(restoring);
  tell("The files are there. Now the rows.");
  const keeper = makeCounterKeeper(tables, organizationId);
  const insert = async (some: readonly OwnedTable[]) => {
    for (const owned of some)
      if (owned.table.name === "users") await insertPeople(restoring, owned.table);
      else await executeGroups(target, await listInsertions(restoring, owned), keeper);
  };
  const open = (name: string) => executeGroups(target, listOpenings(restoring, tables, name));
  await insert(tables.filter(({ belonging }) => !belonging.isLate));
  await open("articles");
  await insert(tables.filter(({ belonging }) => belonging.isLate));
  await open("events");
  const blogs: Statement[] = [];
  for await (const group of listOpenings(restoring, tables, "blogs")) blogs.push(...group);
  await target.execute([...blogs, ...(await listFinishing(target, organizationId))]);
  return { manifest, people, leftOut: await countLeftOut(restoring, tables) };
}

async function begin(restoring: Restoring, tables: readonly OwnedTable[], note: Parameters<typeof listBeginning>[0]) {
  const { target, folder } = restoring;
  for (const { table, belonging } of tables) {
    if (belonging.stays || table.name === "organizations") continue;
    const taken = await listTaken(target, table, listRows(restoring, table));
    if (taken.length > 0)
      throw new Failure(`The installation has already, in ${table.name}: ${taken.join("; ")}. Nothing was written.`);
  }
  await takeNames(restoring, tables);
  const organization = tables.find(({ table }) => table.name === "organizations");
  const inserting: Statement[] = [];
  if (organization !== undefined)
    for await (const row of readRows(getTableFile(folder, "organizations"))) {
      if (row["id"] !== restoring.organizationId) throw new Failure(`${folder} has more than one organization.`);
      inserting.push(insertRow(organization.table, changeRow(restoring, "organizations", row)));
    }
  await target.execute([...listBeginning(note), ...inserting]);
}

/** Takes the names of a shard's blogs and hosts in the directory. Throws a `Failure`, and takes none, if an organization in another database has one. */
async function takeNames(restoring: Restoring, tables: readonly OwnedTable[]): Promise<void> {
  const { target, organizationId } = restoring;
  const { env } = target;
  if (env === undefined || listShards(target).length === 0) return;
  const main = bindTo(target, "DB");
  const isFree = async (kind: "host" | "vanity", key: string): Promise<boolean> => {
    const names = { organizationId, kind, keys: [key], shard: target.name ?? "DB" };
    if (target.name !== undefined) return (await takeName(env.DB, names)) !== null;
    const taken = "SELECT 1 FROM directory WHERE kind = ?1 AND key = ?2 AND gone = 0 AND organization_id <> ?3";
    return (await main.query(taken, [kind, key, organizationId])).length === 0;
  };
  for (const { table } of tables.filter(({ table }) => table.name === "blogs" || table.name === "site_hosts"))
    for await (const { vanity_id, host, verified_time } of listRows(restoring, table)) {
      const [kind, key] = table.name === "blogs" ? (["vanity", vanity_id] as const) : (["host", host] as const);
      if ((kind === "host" && verified_time === null) || (await isFree(kind, String(key)))) continue;
      await main.execute([{ sql: "DELETE FROM directory WHERE organization_id = ?1", values: [organizationId] }]);
      throw new Failure(`The installation has already, in ${table.name}: ${String(key)}. Nothing was written.`);
    }
}

/** Stores the files, before the rows that name them. */
async function storeFiles({ target, folder, organizationId }: Restoring): Promise<void> {
  const [stored, prefixes] = [new Map<string, string>(), listPrefixes(organizationId)];
  for await (const objects of listFiles(target.bucket, prefixes))
    for (const { key, etag } of objects) stored.set(key, etag);
  const lines = [...(await readFileLines(folder)).values()];
  const missing = lines.filter(
    ({ key, etag }) => stored.get(key) !== etag && prefixes.some((prefix) => key.startsWith(prefix)),
  );
  await putFiles(target, folder, missing);
}

/** What a row is until the organization is whole. */
const CLOSED: Readonly<Record<string, (row: Row) => Row>> = {
  blogs: () => ({ site_enabled: 0, refresh_due_time: null }),
  // A draft has nothing to hide, and is indexed at once.
  articles: ({ published, event_due, version }) =>
    published === 0 && event_due === null ? {} : { published: 0, event_due: null, indexed_version: version ?? null },
  events: ({ fan_out_time, creation_time }) => ({ fan_out_time: fan_out_time ?? creation_time ?? null }),
};

/** What differs from the archive for good: what the installation counts, makes or indexes itself, and what is worthless here. */
function changeRow({ manifest: { began, organization } }: Restoring, name: string, row: Row): Row {
  switch (name) {
    case "organizations":
      // An owner can have edited their export, but only operators give quotas.
      return organization?.hasSecrets === true ? row : { ...row, quotas: null };
    case "articles":
      return { ...row, search_id: null, indexed_version: null };
    case "terms":
      // Triggers count them again.
      return { ...row, articles: 0, published_articles: 0 };
    case "suspensions":
      // Its 30 days may be over: the sweep would erase what has just been restored.
      return row["kind"] === "deleted" ? { ...row, kind: "suspended", reason: "An owner had deleted it." } : row;
    case "connected_apps":
      // Their tokens are for the address of the other installation.
      return { ...row, disconnect_time: row["disconnect_time"] ?? began };
    case "webhook_subscriptions":
      if (row["secret"] !== "") return row;
      return { ...row, secret: newWebhookSecret(), active: 0, deactivation_time: row["deactivation_time"] ?? began };
    default:
      return row;
  }
}

/** Yields the rows of a table as they will be when the organization is whole. */
async function* listRows(restoring: Restoring, { name }: Table): AsyncGenerator<Row> {
  const { folder, people, organizationId } = restoring;
  for await (const row of readRows(getTableFile(folder, name))) {
    if ((row["organization_id"] ?? organizationId) !== organizationId)
      throw new Failure(`${getTableFile(folder, name)} has a row of another organization.`);
    yield changeRow(restoring, name, people.rename(row));
  }
}

/** The tables to which rows of several organizations refer. */
const SHARED: ReadonlySet<string> = new Set(["organizations", "users"]);

/** Returns a table as rows are inserted here: without the numbers that another installation gave, and below no row of others. */
function toTarget({ table, belonging: { numbered, parent } }: OwnedTable): Table {
  const decides = parent === undefined ? [] : [{ to: "id", ...parent }];
  const parents = [...table.parents, ...decides].map((each) =>
    SHARED.has(each.table) ? each : Object.assign({}, each, { isOwned: true as const }),
  );
  const columns = table.columns.filter((column) => column !== numbered?.column);
  return { ...table, columns, key: numbered?.identity ?? table.key, parents };
}

/** Inserts those who have no account here, and brings all to the shard of the organization, if it is in one. */
async function insertPeople({ target, people, organizationId }: Restoring, users: Table): Promise<void> {
  await executeGroups(bindTo(target, "DB"), people.insert(users));
  if (target.env === undefined || target.name === undefined) return;
  for (const id of people.ids) await bringPerson(target.env, organizationId, id);
}

async function listInsertions(restoring: Restoring, owned: OwnedTable): Promise<AsyncIterable<Statement[]>> {
  const { name } = owned.table;
  const table = toTarget(owned);
  if (name === "accounts" || name === "article_renderings") return nothing();
  const subscribe = name === "webhook_subscriptions" ? await renumber(restoring) : (row: Row) => row;
  const renderings = name === "articles" ? await openRenderings(restoring) : null;
  return (async function* () {
    for await (const row of listRows(restoring, table)) {
      const closed = { ...row, ...CLOSED[name]?.(row) };
      yield [...((await renderings?.(row["id"])) ?? []), insertRow(table, subscribe(closed), restoring.organizationId)];
    }
  })();
}

async function* nothing(): AsyncGenerator<Statement[]> {}

/**
 * Returns a function that inserts the rendering of an article, before the article: otherwise a trigger has it made again. Both
 * files are in the order of the articles' ids.
 */
async function openRenderings({ target, folder, manifest }: Restoring) {
  const owned = (await listOwnedTables(target)).find(({ table }) => table.name === "article_renderings");
  const hasAny = (manifest.tables["article_renderings"]?.rows ?? 0) > 0;
  if (owned === undefined || !hasAny) return null;
  const rows = readRows(getTableFile(folder, "article_renderings"));
  const table = { ...owned.table, parents: [] };
  let next = await rows.next();
  return async (id: Row[string] | undefined): Promise<Statement[]> => {
    while (!next.done && String(next.value["article_id"]) < String(id)) next = await rows.next();
    return !next.done && next.value["article_id"] === id ? [insertRow(table, next.value)] : [];
  };
}

/**
 * Returns a function that gives a subscription the number here of the last event that it is not sent (`since_seq`), as events have
 * other numbers here.
 */
async function renumber({ target, folder, manifest }: Restoring): Promise<(row: Row) => Row> {
  const subscriptions: Row[] = [];
  for await (const row of readRows(getTableFile(folder, "webhook_subscriptions"))) subscriptions.push(row);
  const lasts = new Map<number, string>();
  if ((manifest.tables["events"]?.rows ?? 0) > 0) {
    for await (const { seq, id } of readRows(getTableFile(folder, "events"))) {
      for (const { since_seq: since } of subscriptions)
        if (Number(seq) <= Number(since)) lasts.set(Number(since), String(id));
    }
  }
  const here = new Map<number, number>();
  for (const [since, id] of lasts) {
    const [found] = await target.query("SELECT seq FROM events WHERE id = ?1", [id]);
    here.set(since, Number(found?.["seq"] ?? 0));
  }
  return (row) => ({ ...row, since_seq: here.get(Number(row["since_seq"])) ?? 0 });
}

/** How many rows one statement opens: few, because SQLite writes the whole row again. */
const MOST_OPENED = 50;

/** Yields the statements by which rows that were closed become what they are in the archive. */
async function* listOpenings(
  restoring: Restoring,
  tables: readonly OwnedTable[],
  name: string,
): AsyncGenerator<Statement[]> {
  const owned = tables.find(({ table }) => table.name === name);
  if (owned === undefined) return;
  const [key = ""] = owned.belonging.numbered?.identity ?? owned.table.key;
  let [columns, some]: [string[], unknown[][]] = [[], []];
  const open = (): Statement => ({
    sql: `UPDATE ${quote(name)} SET ${columns.map((column, n) => `${quote(column)} = opened.value ->> ${n + 1}`).join(", ")}
      FROM json_each(?1) AS opened WHERE ${quote(name)}.${quote(key)} = opened.value ->> 0 AND organization_id = ?2`,
    values: [JSON.stringify(some), restoring.organizationId],
  });
  for await (const row of listRows(restoring, owned.table)) {
    const closed = CLOSED[name]?.(row) ?? {};
    if (Object.entries(closed).every(([column, cell]) => cell === row[column])) continue;
    columns = Object.keys(closed);
    some.push([row[key], ...columns.map((column) => row[column])]);
    if (some.length < MOST_OPENED) continue;
    yield [open()];
    some = [];
  }
  if (some.length > 0) yield [open()];
}

/** Counts what of the archive is not there: its parent was deleted meanwhile, or it has expired. */
async function countLeftOut({ target, manifest, organizationId }: Restoring, tables: readonly OwnedTable[]) {
  let leftOut = 0;
  for (const { table, belonging } of tables) {
    if (belonging.stays) continue;
    const { where, values } = selectPart(belonging, organizationId);
    const [counted] = await target.query(`SELECT count(*) AS n FROM ${quote(table.name)} WHERE ${where}`, values);
    leftOut += Math.max(0, (manifest.tables[table.name]?.rows ?? 0) - Number(counted?.["n"]));
  }
  return leftOut;
}
