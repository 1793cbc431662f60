import { useContext, type FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { Form, getValue, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { Conflict } from "./conflict.tsx";
import { Asked } from "./approval.tsx";
import { Deletions, readDeletions } from "./deletions.tsx";
import { toFormErrors } from "./field-errors.ts";
import { LABELS } from "./field-labels.ts";
import { getEditedValues, findEdited, type Edited } from "./edited.ts";
import { Actions, Fields, NewActions } from "./editor.tsx";
import { Elsewhere } from "./elsewhere.tsx";
import { listBlogs, getTitle, type Article, type Blog } from "./found.ts";
import { listKnownTerms } from "./labels.tsx";
import { Autosave, Turned, Unpublished } from "./saving.tsx";
import { NoBlog } from "./shared.tsx";
import { About, Reading } from "./reading.tsx";
import { useGrant, VisitContext } from "../visit.ts";
import { Planned } from "./schedule.tsx";
import { GenerationLinks, Translations, type SlugLocales } from "./translations.tsx";

export type Shown = {
  readonly status?: Status;
  /** Adds a preview of the entered text below the editor. */
  readonly preview?: true;
};

/** Returns the page with the editor for a new article. */
export async function showNew(c: ConsoleContext, state: FormState, { status, preview }: Shown = {}): Promise<Response> {
  const blogs = await listBlogs(c);
  const [first] = blogs;
  if (first === undefined) return page(c, "New article", <NoBlog mayCreate={can(c, "blogs:write")} />, status);
  const blog = blogs.find(({ _id }) => _id === getValue(state, "blogId")) ?? first;
  const locales = [...new Set(blogs.flatMap((each) => each.locales))];
  const guard = preview || state.problem ? "changed" : "unchanged";
  return page(
    c,
    "New article",
    <>
      <Turned published={false} />
      <Form action="/console/articles/new" state={explainErrors(state)} wide guard={guard} labels={NAMED} novalidate>
        <Autosave c={c} id="" guard={guard} />
        <Fields state={explainErrors(state)} blogs={blogs} locales={locales}>
          <Aids blog={null} blogs={blogs} locales={locales} articleId="" />
        </Fields>
        <NewActions />
      </Form>
      {preview && <Preview state={state} locale={getValue(state, "locale") || blog.locales[0] || ""} blog={blog} />}
    </>,
    status,
  );
}

/**
 * Returns the page with the editor for an existing article. The form always carries the currently stored version. If
 * the submitted form was opened with another version, the page warns, shows the differences, and offers to overwrite.
 */
export async function showEdit(
  c: ConsoleContext,
  edited: Edited,
  state: FormState,
  { status, preview }: Shown = {},
): Promise<Response> {
  const { article, blog, version, current } = edited;
  const isConflict = getValue(state, "version") !== current || getValue(state, "overwrite") !== "";
  const isExplained = isConflict && state.problem?.code === "precondition_failed";
  const shown = explainErrors(isExplained ? { ...state, problem: null } : state);
  const [{ value: slugs }, known, unpublished, deletions, asked] = await readBeside(c, edited);
  const guard = preview || state.problem ? "changed" : "unchanged";
  return page(
    c,
    getTitle({ title: getValue(shown, "title") || article.title }),
    <>
      <Deletions of={deletions} back="article" />
      <About found={edited} editing />
      <Planned of={article} />
      {asked}
      {!isConflict && unpublished}
      {!isConflict && <Turned published={article.published} />}
      <Links to={article} />
      <Form action={`/console/articles/${article._id}`} state={shown} wide guard={guard} labels={NAMED} novalidate>
        <input type="hidden" name="_id" value={article._id} />
        <input type="hidden" name="version" value={current} />
        <input type="hidden" name="live" value={version} />
        {isConflict ? (
          <Conflict edited={edited} stored={await getEditedValues(edited)} state={state} />
        ) : (
          <Autosave c={c} id={article._id} guard={guard} live={article.published} />
        )}
        <Fields
          state={shown}
          known={known}
          blogId={blog._id}
          locales={blog.locales}
          translations={listTranslationLocales(slugs[0], article)}
        >
          {slugs[0] && <Translations of={article} slug={slugs[0]} />}
          <Aids blog={blog} blogs={[blog]} locales={blog.locales} articleId={article._id} />
        </Fields>
        <Actions article={article} conflict={isConflict ? { intent: getValue(state, "intent") } : null} />
      </Form>
      {preview && <Preview state={state} locale={getValue(state, "locale")} blog={blog} />}
    </>,
    status,
  );
}

const readBeside = (c: ConsoleContext, edited: Edited) =>
  Promise.all([
    perform(c, registry.compareLocales, { blogId: edited.blog._id, slug: edited.article.slug, limit: 1 }),
    listKnownTerms(c, edited.blog._id),
    Unpublished({ c, edited }),
    readDeletions(c, edited.article._id),
    Asked({ c, id: edited.article._id }),
  ]);

const Links: FC<{ to: Article }> = ({ to: article }) => {
  const mayWrite = useGrant("articles:write");
  const path = `/console/articles/${article._id}`;
  return (
    <p class="tabs">
      {article.published && <a href={`${path}/site`}>View on site</a>}
      {article.published && <a href={`/blogs/${article.blogId}/articles/${article._id}.md`}>Markdown</a>}
      {mayWrite && <a href={`${path}/schedule`}>Schedule</a>}
      <a href={`${path}/history`}>History</a>
      {article.origin.generationId !== null && <a href={`${path}/sources`}>Sources</a>}
      {mayWrite && <a href={`${path}/previews`}>Preview links</a>}
      <GenerationLinks of={article} />
    </p>
  );
};

const listTranslationLocales = (slug: SlugLocales | undefined, { _id }: Article): string[] =>
  (slug?.articles ?? []).filter((each) => each._id !== _id).map(({ locale }) => locale);

/**
 * Returns the editor again with the entered values. If the article has been deleted, it returns the editor for a new
 * article with status 404, so that the entered text is not lost.
 */
export async function showAgain(c: ConsoleContext, id: string, state: FormState, shown: Shown): Promise<Response> {
  try {
    return await showEdit(c, await findEdited(c, id), state, shown);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    const problem = new DomainError("not_found", GONE);
    return showNew(c, { ...state, problem }, { ...shown, status: 404 });
  }
}

const GONE = "This article no longer exists. What you entered is below. You can save it as a new article.";

/** Returns the state with the errors at the fields of the form. `slug_taken` becomes an error of `slug`. */
function explainErrors(state: FormState): FormState {
  const { problem } = state;
  if (problem === null) return state;
  if (problem.code === "slug_taken") return { ...state, errors: [{ path: "slug", message: problem.message }] };
  const errors = toFormErrors(state.errors, (name) => getValue(state, name));
  const details = { ...problem.details, ...(problem.details.errors && { errors }) };
  return { ...state, errors, problem: new DomainError(problem.code, problem.message, details) };
}

const NAMED = { ...LABELS, blogId: "Blog" };

const Preview: FC<{ state: FormState; locale: string; blog: Blog }> = ({ state, locale, blog }) => {
  const [description, content] = [getValue(state, "description"), getValue(state, "content")];
  const coverUrl = getValue(state, "coverUrl").trim();
  const { baseUrl } = useContext(VisitContext);
  return (
    <>
      <Reading article={{ description, content, coverUrl, locale }} origin={baseUrl} title="Preview">
        <p class="hint">
          Nothing was saved. <a href="#content">Back to the text</a>
        </p>
      </Reading>
      <Elsewhere state={state} locale={locale} blog={blog} />
    </>
  );
};

type AidsProps = {
  /** The blog of an existing article. Null for a new one: its form has the blog. */
  readonly blog: Blog | null;
  /** Those that the article may be in. */
  readonly blogs: readonly Blog[];
  readonly locales: readonly string[];
  readonly articleId: string;
};

/** Empty without scripts: the page of the preview shows the same. */
const Aids: FC<AidsProps> = ({ blog, blogs, locales, articleId }) => {
  const { hasModel } = useContext(VisitContext);
  return (
    <>
      <div
        class="aids"
        data-aids
        data-article={articleId}
        data-blog={blog?._id ?? ""}
        data-site={blog?.name ?? ""}
        data-locales={locales.join(" ")}
        data-avoid={toAvoided(blogs)}
      ></div>
      <link rel="stylesheet" href="/console/aids.css" />
      <script type="module" src="/console/aids.js"></script>
      {hasModel && <script type="module" src="/console/assist.js"></script>}
    </>
  );
};

/** Bounds the page of a new article: an organization can have a thousand blogs. */
const MOST_BLOGS = 20;

/** What the blogs' style guides avoid, by the blog, as JSON; undefined for nothing. */
function toAvoided(blogs: readonly Blog[]): string | undefined {
  const terms = blogs
    .map(({ _id, styleGuide }) => [_id, styleGuide.avoid] as const)
    .filter(([, all]) => all.length > 0);
  const shown = terms.slice(0, MOST_BLOGS);
  return shown.length === 0 ? undefined : JSON.stringify(Object.fromEntries(shown));
}
