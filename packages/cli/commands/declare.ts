/** Declares commands. A command that sends one operation what it was given, and shows the answer, is a row. */
import { Argument, Option, type Command } from "commander";
import type { AnswerOf, Route } from "../../client/src/transport.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { makeOperatorAuthorizer } from "../sign-in/authorizer.ts";
import type { Client, Operations } from "../client.ts";
import type { Context } from "../context.ts";
import { unauthorizedError } from "../failure.ts";
import type { Output } from "../output.ts";
import type { Column } from "../table.ts";
import { findOneArticle, LOCALE, NAMED, type Target } from "./find.ts";
import { BLOG, listFirst, formatMoreThan } from "./shared.ts";

/** An option, or an argument if its flags are `<name>` or `[name]`. */
export type Taken =
  | Option
  | Argument
  | readonly [
      flags: string,
      about: string,
      parse?: ((text: string, before: never) => unknown) | undefined,
      otherwise?: unknown,
    ];

type Declared = {
  readonly takes?: readonly Taken[];
  readonly alias?: string;
  /** Whether it runs if its group is named alone. */
  readonly isDefault?: boolean;
  readonly help?: string;
  readonly example?: string;
};

/** `run` gets the arguments of the command and then its options. */
export function declare(
  group: Command,
  name: string,
  about: string,
  of: Declared & { readonly run: (...given: never[]) => unknown },
): void {
  const {
    takes = [],
    alias,
    isDefault = false,
    example,
    help = example && `\nExample:\n  $ edgepress ${example}`,
    run,
  } = of;
  const command = group.command(name, { isDefault }).description(about);
  if (alias !== undefined) command.alias(alias);
  for (const each of takes) addParameter(command, each);
  if (help !== undefined) command.addHelpText("after", help);
  command.action(run as (...given: unknown[]) => Promise<void>);
}

function addParameter(command: Command, taken: Taken): void {
  const made = makeParameter(taken);
  if (made instanceof Option) command.addOption(made);
  else command.addArgument(made);
}

function makeParameter(taken: Taken): Option | Argument {
  if (taken instanceof Option || taken instanceof Argument) return taken;
  const [flags, about, parse, otherwise] = taken;
  const made = flags.startsWith("-") ? new Option(flags, about) : new Argument(flags, about);
  if (parse !== undefined) made.argParser(parse as (text: string, before: unknown) => unknown);
  return otherwise === undefined ? made : made.default(otherwise);
}

export const makeChoice = (flags: string, about: string, values: readonly string[]): Option =>
  new Option(flags, about).choices(values);

export const YES = ["-y, --yes", "do not ask for confirmation"] as const;

type Keys<T> = T extends unknown ? keyof T : never;
/** The members of an operation's path, query and body. */
type MemberOf<R extends Route> = Keys<
  NonNullable<Operations[R][Extract<keyof Operations[R], "params" | "query" | "body">]>
> &
  string;

/** What a command was given, by the members of the operation; and the article that it names. */
export type Given = Readonly<Record<string, unknown>> & { readonly article?: Target | undefined };

type Row<R extends Route> = Declared & {
  /** The options and arguments, by member. The blog and the article of the path and `--yes` are added. */
  readonly members?: { readonly [M in MemberOf<R>]?: Taken };
  /** For a blog that is not in the path: whether it may be left out if there are several. */
  readonly anyBlog?: boolean;
  readonly operator?: true;
  /** Whose ETag a write sends as If-Match: that of the article, its working copy, or the request for its approval. */
  readonly version?: "article" | "draft" | "approval";
  /** The question to confirm before it is sent. */
  readonly asks?: (given: Given) => string;
  /** The text of the answer. Lists have `columns`, `none` for an empty list, and `one` as the name of an item. */
  readonly says?: (value: AnswerOf<R>, given: Given, output: Output) => string;
  readonly columns?: readonly Column<AnswerOf<R> extends readonly (infer Item)[] ? Item : never>[];
  readonly none?: string;
  readonly one?: string;
  /** Adds notes behind the answer. */
  readonly after?: (value: AnswerOf<R>, output: Output) => void;
};

type AnyRow = Row<never> & { readonly route: string; readonly name: string; readonly about: string };

/** Returns a row, typed by its route. The words of `name` before the last one are its group. */
export const defineRow = <R extends Route>(route: R, name: string, about: string, of: Row<R>): AnyRow =>
  ({ ...of, route, name, about }) as unknown as AnyRow;

const GROUPS: Readonly<Record<string, string>> = {
  blogs: "the blogs of your organization",
  "blogs hosts": "custom domains of a blog's site",
  articles: "the articles of a blog",
  "articles draft": "the working copy of a published article, which readers do not see",
  "articles preview": "links that show an article to people without an account",
  "articles trash": "deleted articles, which can be restored for 30 days",
  "articles approval": "requests to publish, unpublish or delete an article",
  "articles bulk": "change many articles at once",
  generations: "what models have written, and what it cost",
  tags: "the tags of a blog",
  authors: "the authors of a blog",
  redirects: "redirects of a blog's site: old paths, and where they lead",
  contacts: "contacts of a blog: who gets its emails",
  media: "the images in the organization's library",
  topics: "ideas for articles, from a blog's sources",
  webhooks: "signed events of your organization",
  keys: "the API keys of your organization",
  members: "the people of your organization",
  organization: "everything of your organization",
};

/** Returns a group of commands by its words, and makes it if there is none. */
export const getGroup = (program: Command, ...words: readonly string[]): Command =>
  words.reduce((group, word, at) => {
    const found = group.commands.find((each) => each.name() === word);
    return found ?? group.command(word).description(GROUPS[words.slice(0, at + 1).join(" ")] ?? "");
  }, program);

export function addRows(program: Command, context: Context, rows: readonly AnyRow[]): void {
  for (const each of rows) addRow(program, each, context);
}

function addRow(program: Command, of: AnyRow, context: Context): void {
  const { members = {}, route, anyBlog, asks } = of;
  // A row that takes the id itself, such as of a deleted article, looks for none.
  const names = !("articleId" in members) && /\{(?:articleId|idOrSlug)\}/.test(route);
  const inBlog = names || anyBlog !== undefined || /\{blogId\}/.test(route);
  const own = Object.entries<Taken>(members).map(([member, taken]) => [member, makeParameter(taken)] as const);
  const places = own.flatMap(([member, made]) => (made instanceof Argument ? [member] : []));
  const takes = [
    ...(names ? [NAMED] : []),
    ...own.flatMap(([, made]) => (made instanceof Argument ? [made] : [])),
    ...(inBlog ? [BLOG] : []),
    ...(names ? [LOCALE] : []),
    ...own.flatMap(([, made]) => (made instanceof Option ? [made] : [])),
    ...(asks === undefined ? [] : [YES]),
  ];
  const run = async (...all: unknown[]) => {
    const [named, ...more] = names ? all : [undefined, ...all];
    const options = more[places.length] as Options & Record<string, unknown>;
    const values = own.map(([member, made]) => [
      member,
      made instanceof Option ? options[made.attributeName()] : more[places.indexOf(member)],
    ]);
    await send(context, of, { named: named as string | undefined, options, members: Object.fromEntries(values) });
  };
  const words = of.name.split(" ");
  declare(getGroup(program, ...words.slice(0, -1)), words.at(-1) ?? "", of.about, { ...of, takes, run });
}

type Options = { readonly blog?: string; readonly locale?: string; readonly yes?: boolean };
type Members = Readonly<Record<string, unknown>> & { readonly limit?: number };
type Called = { readonly named: string | undefined; readonly options: Options; readonly members: Members };

async function send(context: Context, of: AnyRow, { named, options, members }: Called): Promise<void> {
  const { output } = context;
  const { route } = of;
  const client = of.operator === true ? await openOperatorClient(context) : await context.client();
  const target = named === undefined ? undefined : await findOneArticle(context, named, options);
  const { blog } = options;
  const isOfBlog = named === undefined && (route.includes("{blogId}") || of.anyBlog === false || blog !== undefined);
  const given: Given = { ...members, article: target?.value };
  const { articleId = target?.value._id, blogId = isOfBlog ? await context.blog(blog) : undefined } = members;
  const all: Record<string, unknown> = { ...members, blogId, articleId, idOrSlug: articleId };
  const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(inPath.map((name) => [name, String(all[name])]));
  const rest = { ...members, ...(isOfBlog && !inPath.includes("blogId") && { blogId }) };
  const sent = Object.fromEntries(Object.entries(rest).filter(([name]) => !inPath.includes(name)));
  const ifMatch = of.version === "article" ? target?.etag : of.version && (await readEtag(client, of.version, params));
  if (of.asks !== undefined) await context.confirm(of.asks(given), options.yes);
  // The names were checked where the row was written. Here, any route will do.
  const place = route as "GET /api/blogs";
  if (of.columns === undefined) {
    const input = route.startsWith("GET ") ? { query: sent } : Object.keys(sent).length > 0 && { body: sent };
    const value = (await client.request(place, { params, ifMatch, ...input } as never)).value as never;
    output.result(value, () => of.says?.(value, given, output) ?? "");
    return of.after?.(value, output);
  }
  const { limit } = members;
  const query = { ...sent, limit: limit && Math.min(limit, LIMITS.page) };
  const { found, more } = await listFirst(client.list(place, { params, query } as never), limit ?? Infinity);
  output.list(found, of.columns, of.none ?? "");
  if (more) output.note(`${formatMoreThan(limit ?? 0, of.one ?? "")}: see --limit.`);
}

/** Returns a client with the operator token. Throws `not_signed_in` if there is none. */
export async function openOperatorClient(context: Context): Promise<Client> {
  const token = context.env["EDGEPRESS_OPERATOR_TOKEN"];
  if (!token) throw unauthorizedError("This needs an operator token.", "Set EDGEPRESS_OPERATOR_TOKEN.");
  return context.client({ authorizer: makeOperatorAuthorizer(token) });
}

const readEtag = async (
  client: Client,
  part: "draft" | "approval",
  { articleId = "" }: { readonly articleId?: string },
) => (await client.request(`GET /api/articles/{articleId}/${part}`, { params: { articleId } })).etag;
