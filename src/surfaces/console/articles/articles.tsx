/** The routes of article pages, and small pages such as the form of a new article. */
import { Hono } from "hono";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { autosave } from "./autosave.ts";
import { bulk } from "./bulk.tsx";
import { approval } from "./approval.tsx";
import { deletions } from "./deletions.tsx";
import { draft } from "./draft.tsx";
import { edit } from "./edit.tsx";
import { history } from "./history.tsx";
import { list } from "./list.tsx";
import { missing } from "./missing.tsx";
import { matrix } from "./matrix.tsx";
import { links } from "./links.tsx";
import { origins } from "./origins.ts";
import { sources } from "./sources.tsx";
import { passages } from "./passages.tsx";
import { publish } from "./publish.tsx";
import { related } from "./related.ts";
import { remove } from "./remove.tsx";
import { schedule } from "./schedule.tsx";
import { trash } from "./trash.tsx";
import { registry } from "../../../operations/registry.ts";
import { rewordForPeople, onSubmit, newForm, type FormState } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { toHttpStatus } from "../status.ts";
import type { Submission } from "../submission.ts";
import { perform, getPerson } from "../session.ts";
import { requireContributor, requireWriter, getTitle } from "./found.ts";
import { toNewArticle } from "./edited.ts";
import { toTermValues } from "./labels.tsx";
import { showNew, showAgain, type Shown } from "./show.tsx";
import { EVENTS, streamSteps } from "../../request/events.ts";
import { enforceLimit } from "../../request/limits.ts";
import { toUnexpectedError } from "../../request/unexpected.ts";
import type { z } from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { limitQuery } from "../../../domain/search-query.ts";
import { DomainError, problemBody } from "../../../domain/errors.ts";

const create = new Hono<ConsoleEnv>();

create.get("/", async (c) => {
  requireContributor(c);
  const { blog: blogId, slug, locale } = c.req.query();
  return showNew(c, newForm({ blogId, slug, locale, ...(await readSharedTerms(c, blogId, slug)) }));
});

/** Returns the tags and authors that a new translation shares with the articles of its slug. */
async function readSharedTerms(c: ConsoleContext, blogId = "", slug = "") {
  if (blogId === "" || slug === "") return {};
  const { value } = await perform(c, registry.listArticles, { blogId, slug, fields: ["tags", "authors"], limit: 1 });
  return value[0] && toTermValues({ tags: value[0].tags ?? [], authors: value[0].authors ?? [] });
}

onSubmit(create, "/", {
  again: (c, state, status) => showNew(c, state, { status }),
  async work(c, form) {
    const isPublishing = form.text("intent") === "publish";
    if (isPublishing) requireWriter(c);
    const { value } = await perform(c, registry.saveArticle, toNewArticle(form), form);
    const path = `/console/articles/${value._id}`;
    return isPublishing ? goTo(c, `${path}/publish`) : goTo(c, path, "article-created");
  },
});

const editorPreview = new Hono<ConsoleEnv>();

// A preview is the response to a POST. Opening its URL without the form, for example from the history, leads to the
// list.
editorPreview.get("/", (c) => goTo(c, "/console/articles"));

onSubmit(editorPreview, "/", {
  first: requireContributor,
  again: (c, state, status, form) => showEntered(c, form, state, { status }),
  async work(c, form) {
    await enforceLimit(c.env.arrival, "renderings", getPerson(c).id);
    return showEntered(c, form, newForm(form.values), { preview: true });
  },
});

function showEntered(c: ConsoleContext, form: Submission, state: FormState, more: Shown) {
  const id = form.text("_id");
  return id === "" ? showNew(c, state, more) : showAgain(c, id, state, more);
}

/** Streams a model's help with a text to the editor's script (packages/browser/assist.ts). */
const assist = new Hono<ConsoleEnv>();

assist.post("/", async (c) => {
  const form = await readForm(c);
  const leaving = new AbortController();
  const onLeave = () => leaving.abort();
  c.req.raw.signal.addEventListener("abort", onLeave);
  try {
    const { readable } = await streamSteps({
      work: (tell) => perform(c, registry.assistArticle, toAssistInput(form), { tell, signal: leaving.signal }),
      formatResult: ({ value }) => JSON.stringify(value),
      formatFailure: (error) => JSON.stringify(toProblem(c, error)),
      onLeave,
      onEnd: () => undefined,
      waitUntil: c.env.arrival.waitUntil,
    });
    return new Response(readable, { headers: { "Content-Type": EVENTS } });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return c.json(toProblem(c, error), toHttpStatus(error));
  }
});

const toAssistInput = (form: Submission) => {
  const names = ["blogId", "task", "text", "title", "context", "locale", "targetLocale"];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]).filter(([, value]) => value !== ""));
};

function toProblem(c: ConsoleContext, error: unknown) {
  const { requestId } = c.env.arrival;
  const problem = error instanceof DomainError ? rewordForPeople(error) : toUnexpectedError(requestId, error);
  return problemBody(problem, requestId, "");
}

const MOST = 8;

type FoundArticle = z.infer<typeof registry.searchArticles.output>[number];

const linkSearch = new Hono<ConsoleEnv>();

/** Returns articles to link to, from the blog with the id `blog` or from all blogs. */
linkSearch.get("/", async (c) => {
  requireContributor(c);
  const { blog, q = "" } = c.req.query();
  // A pasted title may have more words than a search.
  const query = limitQuery(q.slice(0, LIMITS.searchQuery).toWellFormed(), LIMITS.searchWords);
  const input = { query, limit: MOST, ...(blog && { blogId: blog }) };
  const { value } = await perform(c, registry.searchArticles, input);
  return c.json(value.map(toSearchResult));
});

/** The path of an article on its site is its slug (docs/editor.md, "Links to your own articles"). */
const toSearchResult = (article: FoundArticle) => ({
  title: getTitle(article),
  address: `/${article.slug}`,
  locale: article.locale,
  published: article.published,
});

const publicPlace = new Hono<ConsoleEnv>();

publicPlace.get("/:id/site", async (c) => {
  const named = { idOrSlug: c.req.param("id"), fields: ["published" as const, "url" as const] };
  const { value } = await perform(c, registry.getArticle, named);
  const { published, url } = value as { published?: boolean; url?: string };
  if (!published || url === undefined) throw new DomainError("not_found", "This article is not published.");
  return c.redirect(url, 302);
});

export const articles = new Hono<ConsoleEnv>();

articles.route("/", list);
articles.route("/matrix/missing", missing);
articles.route("/matrix", matrix);
articles.route("/origins", origins);
articles.route("/new", create);
articles.route("/bulk", bulk);
articles.route("/trash", trash);
articles.route("/preview", editorPreview);
articles.route("/assist", assist);
articles.route("/related", related);
articles.route("/links", linkSearch);
articles.route("/", approval);
articles.route("/", deletions);
articles.route("/", autosave);
articles.route("/", publish);
articles.route("/", remove);
articles.route("/", schedule);
articles.route("/", history);
articles.route("/", passages);
articles.route("/", sources);
articles.route("/", draft);
articles.route("/", links);
articles.route("/", publicPlace);
// Last, because its route /:id matches any name.
articles.route("/", edit);
