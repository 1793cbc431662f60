/** The commands `tags` and `authors`: `list`, `create`, `update`, `merge` and `delete`. */
import { InvalidArgumentError, type Command } from "commander";
import { canonicalLocale } from "../../../src/domain/locale.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { Author, Tag } from "../api.ts";
import { path, type Client } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
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

export function addTermCommands(program: Command, context: Context): void {
  for (const kind of ["tag", "author"] as const) {
    const group = program.command(`${kind}s`).description(`the ${kind}s of a blog`);
    group
      .command("list", { isDefault: true })
      .description(`list the ${kind}s of a blog, with how many articles have them`)
      .option(...BLOG)
      .action((options: Options) => list(context, kind, options));
    const create = group
      .command("create <name>")
      .description(kind === "tag" ? "create a tag" : "create an author")
      .option(...BLOG)
      .option("--slug <slug>", "its slug (default: from the name)");
    ownOptions(create, kind).action((name: string, options: Options) =>
      save(context, kind, null, { ...options, name }),
    );
    const update = group
      .command(`update <${kind}>`)
      .description(`change ${kind === "tag" ? "a tag" : "an author"}, by id or slug`)
      .option(...BLOG)
      .option("--name <text>", "its new name")
      .option("--slug <slug>", "its new slug");
    ownOptions(update, kind).action((named: string, options: Options) => save(context, kind, named, options));
    group
      .command(`merge <${kind}> <into>`)
      .description("replace it with another one in all articles, and delete it")
      .option(...BLOG)
      .option("-y, --yes", "do not ask for confirmation")
      .action((named: string, into: string, options: Options) => merge(context, kind, [named, into], options));
    group
      .command(`delete <${kind}>`)
      .description("delete it, and remove it from all articles")
      .option(...BLOG)
      .option("-y, --yes", "do not ask for confirmation")
      .action((named: string, options: Options) => remove(context, kind, named, options));
  }
}

const ownOptions = (command: Command, kind: Kind): Command =>
  kind === "tag"
    ? command.option("--in <locale=name>", "its name in another language; de= removes it; may be repeated", nameIn)
    : command
        .option("--bio <text>", "a few sentences about them")
        .option("--picture <url>", "the URL of their picture");

function nameIn(text: string, others: Names = {}): Names {
  const [, tag = "", name = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const locale = canonicalLocale(tag);
  if (locale === null) throw new InvalidArgumentError("It must be a language and a name, such as de=Fähren.");
  return { ...others, [locale]: name };
}

async function list(context: Context, kind: Kind, { blog }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const service = await context.client();
  const found: Term[] = [];
  for await (const term of service.items<Term>(`/api/${kind}s`, { blogId })) found.push(term);
  output.result(found, () =>
    found.length === 0
      ? `The blog has no ${kind}s.`
      : output.table(
          [
            { head: "SLUG", cell: ({ slug }) => slug, shrinks: true },
            { head: "NAME", cell: ({ name }) => name, shrinks: true },
            { head: "ARTICLES", cell: ({ articles }) => String(articles) },
            { head: "PUBLISHED", cell: ({ publishedArticles }) => String(publishedArticles) },
            { head: "ID", cell: ({ _id }) => _id },
          ],
          found,
        ),
  );
}

async function save(context: Context, kind: Kind, named: string | null, options: Options): Promise<void> {
  const { output } = context;
  const { blog, name, slug, in: names, bio, picture: pictureUrl } = options;
  const members = given({ name, slug, names: names && present(names), bio, pictureUrl });
  if (Object.keys(members).length === 0) throw usage("Nothing to change. Pass at least one option.");
  const service = await context.client();
  if (named === null) {
    const body = { ...members, blogId: await context.blog(blog) };
    const { value } = await service.request<Term>({ method: "POST", path: `/api/${kind}s`, body });
    return output.result(value, () => `Created ${nameOf(value)}.`);
  }
  const { _id } = await findTerm(context, kind, named, blog);
  const place = path`/api/${kind}s/${_id}`;
  const changes = names === undefined ? { body: members } : await withNames(service, place, { members, names });
  const { value } = await service.request<Term>({ method: "PUT", path: place, ...changes });
  output.result(value, () => `Changed ${nameOf(value)}.`);
}

/** Returns a change of some names of a tag, whose others stay: the service replaces them all. */
async function withNames(
  service: Client,
  place: string,
  { members, names }: { readonly members: object; readonly names: Names },
) {
  const { value, etag } = await service.get<Tag>(place);
  return { body: { ...members, names: present({ ...value.names, ...names }) }, ifMatch: etag };
}

/** Returns names without the empty ones, which stand for names to be removed. */
const present = (names: Names): Names => Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""));

async function merge(
  context: Context,
  kind: Kind,
  [named, into]: readonly [string, string],
  { blog, yes }: Options,
): Promise<void> {
  const { output } = context;
  const [from, to] = [await findTerm(context, kind, named, blog), await findTerm(context, kind, into, blog)];
  await context.confirm(`Merge ${nameOf(from)}, which ${haveIt(from)}, into ${nameOf(to)}?`, yes);
  const service = await context.client();
  const request = { method: "POST", path: path`/api/${kind}s/${from._id}/merge`, body: { into: to._id } } as const;
  const { value } = await service.request<Term>(request);
  output.result(value, () => `Merged ${nameOf(from)} into ${nameOf(value)}.`);
}

async function remove(context: Context, kind: Kind, named: string, { blog, yes }: Options): Promise<void> {
  const { output } = context;
  const found = await findTerm(context, kind, named, blog);
  await context.confirm(`Delete ${nameOf(found)}, which ${haveIt(found)}?`, yes);
  const service = await context.client();
  const { value } = await service.request<{ _id: string }>({
    method: "DELETE",
    path: path`/api/${kind}s/${found._id}`,
  });
  output.result(value, () => `Deleted ${nameOf(found)}.`);
}

/** Returns a term by its id or its slug. Throws if there is none. */
async function findTerm(context: Context, kind: Kind, named: string, blog: string | undefined): Promise<Term> {
  const service = await context.client();
  if (isId(named)) return (await service.request<Term>({ method: "GET", path: path`/api/${kind}s/${named}` })).value;
  const query = { blogId: await context.blog(blog), slug: named };
  for await (const term of service.items<Term>(`/api/${kind}s`, query)) return term;
  throw new CliError("not_found", `The blog has no ${kind} ${printableLine(named)}.`, EXIT.notFound, {
    hint: `To see them: edgepress ${kind}s list`,
  });
}

/** Returns how many articles have a term: "1 article has", "2 articles have". */
const haveIt = ({ articles }: Term): string => `${counted(articles, "article")} ${articles === 1 ? "has" : "have"}`;

const nameOf = ({ name, slug }: Term): string => printableLine(`“${name}” (${slug})`);
