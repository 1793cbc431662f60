/** The tags and authors in `blog.yaml`, with what articles do not say: names in other languages, bios, pictures. */
import * as z from "zod";
import type { Author, Client, Tag } from "../client.ts";
import { hasCode } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import type { Pace } from "./pace.ts";

const term = z.object({
  slug: z.string(),
  name: z.string(),
  names: z.record(z.string(), z.string()).optional(),
  bio: z.string().optional(),
  pictureUrl: z.string().optional(),
});
type Term = z.infer<typeof term>;
type StoredTerm = Pick<Tag & Author, "_id" | "slug" | "name"> & Partial<Tag & Author>;

/** A member that is left out of blog.yaml is neither compared nor sent. */
export const termLists = { tags: z.array(term).optional(), authors: z.array(term).optional() };

const KINDS = ["tags", "authors"] as const;
type Kind = (typeof KINDS)[number];
export type Terms = { readonly [K in Kind]?: readonly Term[] | undefined };

const listStoredTerms = (client: Client, blogId: string, kind: Kind): Promise<StoredTerm[]> =>
  client.list(`GET /api/${kind}`, { query: { blogId } }).all();

export async function loadTerms(client: Client, blogId: string): Promise<Terms> {
  const lists: { [K in Kind]?: Term[] } = {};
  for (const kind of KINDS) {
    const found = (await listStoredTerms(client, blogId, kind)).map(toTerm);
    if (found.length > 0) lists[kind] = found.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  }
  return lists;
}

function toTerm({ slug, name, names = {}, bio = "", pictureUrl = "" }: StoredTerm): Term {
  return {
    slug,
    name,
    ...(Object.keys(names).length > 0 && { names: sortMembers(names) }),
    ...(bio !== "" && { bio }),
    ...(pictureUrl !== "" && { pictureUrl }),
  };
}

export const sortMembers = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** `different` are those that differ on the service, and were kept. */
export type TermsOutcome = {
  created: number;
  updated: number;
  unchanged: number;
  readonly different: string[];
  readonly failed: { readonly name: string; readonly reason: string }[];
};

export type Target = {
  readonly client: Client;
  readonly blogId: string;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  /** Whether to update those that differ. Missing ones are always created. */
  readonly overwrite: boolean;
  readonly isDry: boolean;
};

/** Gives a blog the tags and authors of blog.yaml, except those that the service refuses. */
export async function applyTerms(to: Target, wanted: Terms): Promise<TermsOutcome> {
  const outcome: TermsOutcome = { created: 0, updated: 0, unchanged: 0, different: [], failed: [] };
  for (const kind of KINDS) {
    const asked = wanted[kind] ?? [];
    const stored = asked.length === 0 ? [] : await listStoredTerms(to.client, to.blogId, kind);
    const there = new Map(stored.map((each) => [each.slug, each]));
    for (const each of asked) {
      if (to.signal.aborted) return outcome;
      await applyTerm(to, kind, { wanted: each, stored: there.get(each.slug) }, outcome);
    }
  }
  return outcome;
}

async function applyTerm(
  to: Target,
  kind: Kind,
  { wanted, stored }: { readonly wanted: Term; readonly stored: StoredTerm | undefined },
  outcome: TermsOutcome,
): Promise<void> {
  const name = `${kind === "tags" ? "tag" : "author"} ${wanted.slug}`;
  if (stored !== undefined && isSame(wanted, stored)) return void outcome.unchanged++;
  if (stored !== undefined && !to.overwrite) return void outcome.different.push(name);
  try {
    if (!to.isDry) await send(to, kind, wanted, stored?._id);
    outcome[stored === undefined ? "created" : "updated"]++;
  } catch (error) {
    if (!hasCode(error, ...TERM_ERRORS)) throw error;
    outcome.failed.push({ name: toPrintableLine(name), reason: error.message });
  }
}

/** Codes that concern one tag or author. */
const TERM_ERRORS = ["invalid_request", "slug_taken", "term_limit", "not_found"];

async function send({ client, blogId, pace }: Target, kind: Kind, wanted: Term, id: string | undefined): Promise<void> {
  await pace.waitForTurn();
  // Tags and authors take the same.
  if (id === undefined) await client.request(`POST /api/${kind}` as "POST /api/tags", { body: { blogId, ...wanted } });
  else if (kind === "tags") await client.request("PUT /api/tags/{tagId}", { params: { tagId: id }, body: wanted });
  else await client.request("PUT /api/authors/{authorId}", { params: { authorId: id }, body: wanted });
}

const isSame = (wanted: Term, stored: StoredTerm): boolean =>
  (["name", "bio", "pictureUrl"] as const).every(
    (member) => wanted[member] === undefined || wanted[member] === stored[member],
  ) &&
  (wanted.names === undefined ||
    JSON.stringify(sortMembers(wanted.names)) === JSON.stringify(sortMembers(stored.names ?? {})));
