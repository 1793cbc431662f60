/** The commands `tags` and `authors`. */
import { InvalidArgumentError, type Command } from "commander";
import { canonicalizeLocale } from "../../../src/domain/locale.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { Author, Tag } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, getGroup, defineRow, YES, type Taken } from "./declare.ts";
import { SLUG_COLUMN } from "./find.ts";
import { BLOG, formatCount, omitUndefined, requireChanges } from "./shared.ts";

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
  tag: [["--in <locale=name>", "its name in another language; de= removes it; may be repeated", parseLocalName]],
  author: [
    ["--bio <text>", "a few sentences about them"],
    ["--picture <url>", "the URL of their picture"],
  ],
};

export function addTermCommands(program: Command, context: Context): void {
  for (const kind of ["tag", "author"] as const) {
    addRows(program, context, [
      defineRow(
        `GET /api/${kind}s` as "GET /api/tags",
        `${kind}s list`,
        `list the ${kind}s of a blog, with how many articles have them`,
        {
          anyBlog: false,
          isDefault: true,
          none: `The blog has no ${kind}s.`,
          columns: [
            SLUG_COLUMN,
            { head: "NAME", cell: ({ name }) => name, shrinks: true },
            { head: "ARTICLES", cell: ({ articles }) => String(articles) },
            { head: "PUBLISHED", cell: ({ publishedArticles }) => String(publishedArticles) },
            { head: "ID", cell: ({ _id }) => _id },
          ],
        },
      ),
    ]);
    const terms = getGroup(program, `${kind}s`);
    const one = kind === "tag" ? "a tag" : "an author";
    declare(terms, "create <name>", `create ${one}`, {
      takes: [BLOG, ["--slug <slug>", "its slug (default: from the name)"], ...OWN[kind]],
      run: (name: string, options: Options) => save(context, kind, null, { ...options, name }),
    });
    declare(terms, `update <${kind}>`, `change ${one}, by id or slug`, {
      takes: [BLOG, ["--name <text>", "its new name"], ["--slug <slug>", "its new slug"], ...OWN[kind]],
      run: (named: string, options: Options) => save(context, kind, named, options),
    });
    declare(terms, `merge <${kind}> <into>`, "replace it with another one in all articles, and delete it", {
      takes: [BLOG, YES],
      run: (named: string, into: string, options: Options) => merge(context, kind, [named, into], options),
    });
    declare(terms, `delete <${kind}>`, "delete it, and remove it from all articles", {
      takes: [BLOG, YES],
      run: (named: string, options: Options) => remove(context, kind, named, options),
    });
  }
}

function parseLocalName(text: string, others: Names = {}): Names {
  const [, tag = "", name = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const locale = canonicalizeLocale(tag);
  if (locale === null) throw new InvalidArgumentError("It must be a language and a name, such as de=Fähren.");
  return { ...others, [locale]: name };
}

/** Authors and tags take the same, so the types of tags do for both. */
const buildPath = (kind: Kind) => `/api/${kind}s/{${kind}Id}` as "/api/tags/{tagId}";
const makeParams = (kind: Kind, id: string) => ({ [`${kind}Id`]: id }) as { tagId: string };

async function save(context: Context, kind: Kind, named: string | null, options: Options): Promise<void> {
  const { output } = context;
  const { blog, name = "", slug, in: names, bio, picture: pictureUrl } = options;
  const members = omitUndefined({ name: options.name, slug, names: names && dropEmpty(names), bio, pictureUrl });
  requireChanges(members);
  const client = await context.client();
  if (named === null) {
    const body = { ...members, name, blogId: await context.blog(blog) };
    const { value } = await client.request(`POST /api/${kind}s` as "POST /api/tags", { body });
    return output.result(value, () => `Created ${formatTerm(value)}.`);
  }
  const params = makeParams(kind, (await findTerm(context, kind, named, blog))._id);
  // The service replaces all names of a tag at once.
  const before = names && (await client.request(`GET ${buildPath("tag")}`, { params }));
  const body = { ...members, ...(before && { names: dropEmpty({ ...before.value.names, ...names }) }) };
  const { value } = await client.request(`PUT ${buildPath(kind)}`, { params, body, ifMatch: before?.etag });
  output.result(value, () => `Changed ${formatTerm(value)}.`);
}

const dropEmpty = (names: Names): Names => Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""));

async function merge(
  context: Context,
  kind: Kind,
  [named, into]: readonly [string, string],
  { blog, yes }: Options,
): Promise<void> {
  const [from, to] = [await findTerm(context, kind, named, blog), await findTerm(context, kind, into, blog)];
  await context.confirm(`Merge ${formatTerm(from)}, which ${formatUse(from)}, into ${formatTerm(to)}?`, yes);
  const input = { params: makeParams(kind, from._id), body: { into: to._id } };
  const { value } = await (await context.client()).request(`POST ${buildPath(kind)}/merge`, input);
  context.output.result(value, () => `Merged ${formatTerm(from)} into ${formatTerm(value)}.`);
}

async function remove(context: Context, kind: Kind, named: string, { blog, yes }: Options): Promise<void> {
  const found = await findTerm(context, kind, named, blog);
  await context.confirm(`Delete ${formatTerm(found)}, which ${formatUse(found)}?`, yes);
  const client = await context.client();
  const { value } = await client.request(`DELETE ${buildPath(kind)}`, { params: makeParams(kind, found._id) });
  context.output.result(value, () => `Deleted ${formatTerm(found)}.`);
}

async function findTerm(context: Context, kind: Kind, named: string, blog: string | undefined): Promise<Term> {
  const client = await context.client();
  if (isId(named)) return (await client.request(`GET ${buildPath(kind)}`, { params: makeParams(kind, named) })).value;
  const query = { blogId: await context.blog(blog), slug: named };
  const [found] = await client.list(`GET /api/${kind}s`, { query }).all(1);
  if (found !== undefined) return found;
  throw new CliError("not_found", `The blog has no ${kind} ${toPrintableLine(named)}.`, EXIT.notFound, {
    hint: `To see them: edgepress ${kind}s list`,
  });
}

/** "1 article has", "2 articles have". */
const formatUse = ({ articles }: Term): string =>
  `${formatCount(articles, "article")} ${articles === 1 ? "has" : "have"}`;

const formatTerm = ({ name, slug }: Term): string => toPrintableLine(`“${name}” (${slug})`);
