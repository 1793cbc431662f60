/**
 * Whose account is whose when an organization comes from another installation. Nobody gets somebody else's account: whoever has one
 * here keeps it, with its password and its sessions, and becomes a member by it.
 */
import { existsSync } from "node:fs";
import { getTableFile } from "./backup.ts";
import type { Table } from "../../src/store/export/tables.ts";
import { insertRow } from "./backup-tables.ts";
import { Failure } from "./failure.ts";
import { listOwnedTables } from "../../src/store/export/belongings.ts";
import type { Bindings, Cell, Row, Statement } from "./place-bindings.ts";
import { readRows } from "./restore.ts";

export type People = {
  /** How many have an account here already, and how many come with the organization. */
  readonly known: number;
  readonly added: number;
  /** The ids that they have here. */
  readonly ids: readonly string[];
  /** Returns a row with these ids. */
  readonly rename: (row: Row) => Row;
  /** Yields the statements that insert those who are not here, each with their password. */
  readonly insert: (users: Table) => AsyncGenerator<Statement[]>;
};

/**
 * Finds the people of an archive in the installation. Throws a `Failure` if two accounts have the same email address, and one of them
 * never proved it: they may be of different people. An archive without secrets may be an owner's export, which they can have edited: its
 * new people have no password, and have not proved their address here.
 */
export async function planPeople(target: Bindings, folder: string, hasSecrets: boolean): Promise<People> {
  const archived = await readAll(getTableFile(folder, "users"));
  const ids = new Map<string, string>();
  const [added, unproven]: [Row[], string[]] = [[], []];
  for (const user of archived) {
    const { id, email, email_verified: isProven } = user;
    const found = await target.query(
      "SELECT id, email_verified FROM users WHERE id = ?1 OR email = ?2 ORDER BY id = ?1 DESC LIMIT 1",
      [id ?? null, email ?? null],
    );
    const [known] = found;
    if (known === undefined) added.push(hasSecrets ? user : { ...user, email_verified: 0 });
    else if (known["id"] !== id) ids.set(String(id), String(known["id"]));
    if (known !== undefined && known["id"] !== id && (isProven !== 1 || known["email_verified"] !== 1))
      unproven.push(String(email));
  }
  if (unproven.length > 0)
    throw new Failure(`There are two accounts with the same email address, here and in the archive, and not both have proved it: ${unproven.join(", ")}.
Whoever made one of them may not own the address. Let them prove it, or end the membership before you archive. Nothing was written.`);
  const here = archived.map(({ id }) => ids.get(String(id)) ?? String(id));
  if (new Set(here).size < here.length)
    throw new Failure("Two people of the archive have one account here. Nothing was written.");
  return {
    known: archived.length - added.length,
    added: added.length,
    ids: here,
    rename: (row) => renameIds(row, ids),
    insert: (users) =>
      insertPeople(target, { users, added, accountsFile: hasSecrets ? getTableFile(folder, "accounts") : null }),
  };
}

async function readAll(file: string): Promise<Row[]> {
  const rows: Row[] = [];
  if (existsSync(file)) for await (const row of readRows(file)) rows.push(row);
  return rows;
}

/** Columns of JSON that say who did something. */
const ACTORS: ReadonlySet<string> = new Set(["actor", "creator"]);

function renameIds(row: Row, ids: ReadonlyMap<string, string>): Row {
  if (ids.size === 0) return row;
  const rename = ([column, cell]: [string, Cell]): [string, Cell] => {
    if (typeof cell !== "string") return [column, cell];
    if (!ACTORS.has(column)) return [column, ids.get(cell) ?? cell];
    return [column, [...ids].reduce((text, [from, to]) => text.replaceAll(from, to), cell)];
  };
  return Object.fromEntries(Object.entries(row).map(rename));
}

async function* insertPeople(
  target: Bindings,
  { users, added, accountsFile }: { users: Table; added: readonly Row[]; accountsFile: string | null },
): AsyncGenerator<Statement[]> {
  const accounts = (await listOwnedTables(target)).find(({ table }) => table.name === "accounts");
  const passwords = Map.groupBy(accountsFile === null ? [] : await readAll(accountsFile), ({ user_id }) => user_id);
  for (const user of added) {
    const own = accounts === undefined ? [] : (passwords.get(user["id"] ?? null) ?? []);
    // In one transaction: an account that is here later is not given a password.
    yield [insertRow(users, user), ...own.flatMap((row) => (accounts ? [insertRow(accounts.table, row)] : []))];
  }
}
