/** The commands `tags` and `authors`. */
import { InvalidArgumentError, type Command } from "commander";
import { canonicalLocale } from "../../../src/domain/locale.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { Author, Tag } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { addRows, declare, getGroup, row, YES, type Taken } from "./declare.ts";
import { BLOG, counted, given } from "./shared.ts";

type Kind = "tag" | "author";
type Term = Tag | Author;
type Names = Readonly<Record<string, string>>;

type Options = {
  readonly blog?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly in?: Names;
  readonly bio?: string;
  readonly picture?: string;
  readonly yes?: boolean;
};

const OWN: Readonly<Record<Kind, readonly Taken[]>> = {
  tag: [["--in <locale=name>", "its name in another language; de= removes it; may be repeated", nameIn]],
  author: [
    ["--bio <text>", "a few sentences about them"],
    ["--picture <url>", "the URL of their picture"],
  ],
};

const TERM_COLUMNS = [
  { head: "SLUG", cell: ({ slug }: Tag | Author) => slug, shrinks: true },
  { head: "NAME", cell: ({ name }: Tag | Author) => name, shrinks: true },
  { head: "ARTICLES", cell: ({ articles }: Tag | Author) => String(articles) },
  { head: "PUBLISHED", cell: ({ publishedArticles }: Tag | Author) => String(publishedArticles) },
  { head: "ID", cell: ({ _id }: Tag | Author) => _id },
];

export function addTermCommands(program: Command, context: Context): void {
  addRows(program, context, [
    row("GET /api/tags", "tags list", "list the tags of a blog, with how many articles have them", {
      anyBlog: false,
      isDefault: true,
      none: "The blog has no tags.",
      columns: TERM_COLUMNS,
    }),
    row("GET /api/authors", "authors list", "list the authors of a blog, with how many articles have them", {
      anyBlog: false,
      isDefault: true,
      none: "The blog has no authors.",
      columns: TERM_COLUMNS,
    }),
  ]);
  for (const kind of ["tag", "author"] as const) {
    const terms = getGroup(program, `${kind}s`);
    const one = kind === "tag" ? "a tag" : "an author";
    const created: readonly Taken[] = [BLOG, ["--slug <slug>", "its slug (default: from the name)"], ...OWN[kind]];
    declare(terms, "create <name>", `create ${one}`, {
      takes: created,
      run: (name: string, options: Options) => save(context, kind, null, { ...options, name }),
    });
    const changed: readonly Taken[] = [
      BLOG,
      ["--name <text>", "its new name"],
      ["--slug <slug>", "its new slug"],
      ...OWN[kind],
    ];
    const change = [`update <${kind}>`, `change ${one}, by id or slug`] as const;
    declare(terms, ...change, {
      takes: changed,
      run: (named: string, options: Options) => save(context, kind, named, options),
    });
    const asked = { takes: [BLOG, YES] };
    const merging = [`merge <${kind}> <into>`, "replace it with another one in all articles, and delete it"] as const;
    declare(terms, ...merging, {
      ...asked,
      run: (named: string, into: string, options: Options) => merge(context, kind, [named, into], options),
    });
    const removal = [`delete <${kind}>`, "delete it, and remove it from all articles"] as const;
    declare(terms, ...removal, {
      ...asked,
      run: (named: string, options: Options) => remove(context, kind, named, options),
    });
  }
}

function nameIn(text: string, others: Names = {}): Names {
  const [, tag = "", name = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const locale = canonicalLocale(tag);
  if (locale === null) throw new InvalidArgumentError("It must be a language and a name, such as de=Fähren.");
  return { ...others, [locale]: name };
}

/** Authors and tags take the same, so the types of tags do for both. */
const one = (kind: Kind) => `/api/${kind}s/{${kind}Id}` as "/api/tags/{tagId}";
const paramsOf = (kind: Kind, id: string) => ({ [`${kind}Id`]: id }) as { tagId: string };

async function save(context: Context, kind: Kind, named: string | null, options: Options): Promise<void> {
  const { output } = context;
  const { blog, name = "", slug, in: names, bio, picture: pictureUrl } = options;
  const members = given({ name: options.name, slug, names: names && present(names), bio, pictureUrl });
  if (Object.keys(members).length === 0) throw usage("Nothing to change. Pass at least one option.");
  const client = await context.client();
  if (named === null) {
    const body = { ...members, name, blogId: await context.blog(blog) };
    const { value } = await client.request(`POST /api/${kind}s` as "POST /api/tags", { body });
    return output.result(value, () => `Created ${nameOf(value)}.`);
  }
  const params = paramsOf(kind, (await findTerm(context, kind, named, blog))._id);
  // The service replaces all names of a tag at once.
  const before = names && (await client.request(`GET ${one("tag")}`, { params }));
  const body = { ...members, ...(before && { names: present({ ...before.value.names, ...names }) }) };
  const { value } = await client.request(`PUT ${one(kind)}`, { params, body, ifMatch: before?.etag });
  output.result(value, () => `Changed ${nameOf(value)}.`);
}

const present = (names: Names): Names => Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""));

async function merge(
  context: Context,
  kind: Kind,
  [named, into]: readonly [string, string],
  { blog, yes }: Options,
): Promise<void> {
  const [from, to] = [await findTerm(context, kind, named, blog), await findTerm(context, kind, into, blog)];
  await context.confirm(`Merge ${nameOf(from)}, which ${haveIt(from)}, into ${nameOf(to)}?`, yes);
  const input = { params: paramsOf(kind, from._id), body: { into: to._id } };
  const { value } = await (await context.client()).request(`POST ${one(kind)}/merge`, input);
  context.output.result(value, () => `Merged ${nameOf(from)} into ${nameOf(value)}.`);
}

async function remove(context: Context, kind: Kind, named: string, { blog, yes }: Options): Promise<void> {
  const found = await findTerm(context, kind, named, blog);
  await context.confirm(`Delete ${nameOf(found)}, which ${haveIt(found)}?`, yes);
  const client = await context.client();
  const { value } = await client.request(`DELETE ${one(kind)}`, { params: paramsOf(kind, found._id) });
  context.output.result(value, () => `Deleted ${nameOf(found)}.`);
}

async function findTerm(context: Context, kind: Kind, named: string, blog: string | undefined): Promise<Term> {
  const client = await context.client();
  if (isId(named)) return (await client.request(`GET ${one(kind)}`, { params: paramsOf(kind, named) })).value;
  const query = { blogId: await context.blog(blog), slug: named };
  const [found] = await client.list(`GET /api/${kind}s`, { query }).all(1);
  if (found !== undefined) return found;
  throw new CliError("not_found", `The blog has no ${kind} ${printableLine(named)}.`, EXIT.notFound, {
    hint: `To see them: edgepress ${kind}s list`,
  });
}

/** "1 article has", "2 articles have". */
const haveIt = ({ articles }: Term): string => `${counted(articles, "article")} ${articles === 1 ? "has" : "have"}`;

const nameOf = ({ name, slug }: Term): string => printableLine(`“${name}” (${slug})`);
