/** The report of how articles came about, as a file for spreadsheets. */
import { Hono } from "hono";
import { invalidField } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { toCsv } from "../../../lib/csv.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { wholeArticle } from "../../../operations/article-members.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { can, getPerson, perform } from "../session.ts";
import { findBlogOrAll, listBlogs, type Blog } from "./found.ts";

/** The most pages that a download reads: each is a query. */
const MOST_PAGES = 100;

/** The most articles in one file. */
export const MOST_REPORTED = MOST_PAGES * LIMITS.page;

const reported = wholeArticle.pick({
  _id: true,
  blogId: true,
  slug: true,
  locale: true,
  title: true,
  published: true,
  origin: true,
  lastEditTime: true,
});

type Reported = (typeof reported)["_output"];

/** Returns a person's name, where the viewer may know it, by their id. */
type NameOf = (userId: string) => string;

const COLUMNS: readonly (readonly [head: string, cell: (article: Reported, blog: string, nameOf: NameOf) => string])[] =
  [
    ["_id", ({ _id }) => _id],
    ["blog", (_, blog) => blog],
    ["slug", ({ slug }) => slug],
    ["locale", ({ locale }) => locale],
    ["title", ({ title }) => title],
    ["published", ({ published }) => String(published)],
    ["kind", ({ origin }) => origin.kind],
    ["model", ({ origin }) => origin.model ?? ""],
    ["application", ({ origin }) => origin.application ?? ""],
    ["reviewedBy", ({ origin: { reviewedBy } }, _, nameOf) => (reviewedBy === null ? "" : nameOf(reviewedBy))],
    ["reviewTime", ({ origin }) => origin.reviewTime ?? ""],
    ["lastEditTime", ({ lastEditTime }) => lastEditTime],
  ];

export const origins = new Hono<ConsoleEnv>();

origins.get("/", async (c) => {
  const { kind = "" } = c.req.query();
  const { success } = reported.shape.origin.shape.kind.safeParse(kind);
  if (kind !== "" && !success) throw invalidField("kind", "must be human, generated or edited");
  const blogs = await listBlogs(c);
  const blog = findBlogOrAll(c, blogs);
  const names = new Map(blogs.map(({ _id, name }) => [_id, name]));
  const found = (await readArticles(c, blog)).filter(({ origin }) => kind === "" || origin.kind === kind);
  const nameOf = await loadNames(c, found);
  const rows = found.map((each) =>
    COLUMNS.map(([, cell]) => cell(each, names.get(each.blogId) ?? each.blogId, nameOf)),
  );
  return c.body(toCsv([COLUMNS.map(([head]) => head), ...rows]), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="origins${blog === null ? "" : `-${blog.vanityId}`}.csv"`,
  });
});

async function readArticles(c: ConsoleContext, blog: Blog | null): Promise<Reported[]> {
  const fields = reported.keyof().options;
  let pages = 0;
  const found = await readAllItems(async (cursor) => {
    const query = { fields: [...fields], limit: LIMITS.page, cursor };
    const { value, next } =
      blog === null
        ? await perform(c, registry.listAllArticles, query)
        : await perform(c, registry.listArticles, { ...query, blogId: blog._id });
    return { value, next: ++pages < MOST_PAGES ? next : undefined };
  });
  return reported.array().parse(found);
}

/** Only who may list the members sees their names. */
async function loadNames(c: ConsoleContext, found: readonly Reported[]): Promise<NameOf> {
  const me = getPerson(c);
  const isAsked = can(c, "operator") && found.some(({ origin }) => origin.reviewedBy !== null);
  const people = isAsked ? await readAllItems((cursor) => perform(c, registry.listMembers, { cursor })) : [];
  const names = new Map([[me.id, me.name], ...people.map(({ userId, name }) => [userId, name] as const)]);
  return (userId) => names.get(userId) ?? userId;
}
