/** Renders the pages that contain the editor. */
import { useContext, type FC } from "hono/jsx";
import { DomainError } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { Form, valueOf, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { Conflict } from "./conflict.tsx";
import { Actions, Fields, NewActions } from "./editor.tsx";
import { findArticle, listBlogs, titleOf, type Article, type Found } from "./found.ts";
import { knownTerms } from "./labels.tsx";
import { Begun, NoBlog } from "./shared.tsx";
import { About, Reading } from "./reading.tsx";
import { VisitContext } from "../visit.ts";
import { Planned } from "./schedule.tsx";
import { generationPath, hasText, Translations, type SlugLocales } from "./translations.tsx";

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
  const blog = blogs.find(({ _id }) => _id === valueOf(state, "blogId")) ?? first;
  const guard = preview || state.problem ? "changed" : "unchanged";
  return page(
    c,
    "New article",
    <>
      <Form action="/console/articles/new" state={explained(state)} wide guard={guard}>
        <Fields state={explained(state)} blogs={blogs} />
        <NewActions />
      </Form>
      {preview && <Preview state={state} locale={valueOf(state, "locale") || blog.locales[0] || ""} />}
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
  found: Found,
  state: FormState,
  { status, preview }: Shown = {},
): Promise<Response> {
  const { article, blog, version } = found;
  const isConflict = valueOf(state, "version") !== version || valueOf(state, "overwrite") !== "";
  const shown = explained(state.problem?.code === "precondition_failed" ? { ...state, problem: null } : state);
  const query = { blogId: blog._id, slug: article.slug, limit: 1 };
  const [{ value: slugs }, known] = await Promise.all([
    perform(c, registry.compareLocales, query),
    knownTerms(c, blog._id),
  ]);
  const guard = preview || state.problem ? "changed" : "unchanged";
  return page(
    c,
    titleOf(article),
    <>
      <About found={found} />
      <Planned of={article} />
      <Begun of={article} />
      <p class="actions">
        <a href={`/console/articles/${article._id}/schedule`}>Schedule</a>
        <a href={`/console/articles/${article._id}/history`}>History</a>
        <a href={`/console/articles/${article._id}/draft`}>Working copy</a>
        <a href={`/console/articles/${article._id}/previews`}>Preview links</a>
        {hasText(article) && (
          <>
            <a href={`/console/articles/generate?article=${article._id}`}>Translate</a>
            <a href={generationPath(article._id, article.locale)}>Rewrite</a>
          </>
        )}
      </p>
      <Form action={`/console/articles/${article._id}`} state={shown} wide guard={guard}>
        <input type="hidden" name="_id" value={article._id} />
        <input type="hidden" name="version" value={version} />
        {isConflict && <Conflict article={article} state={state} />}
        <Fields state={shown} known={known} translations={localesOf(slugs[0], article)}>
          {slugs[0] && <Translations of={article} slug={slugs[0]} />}
        </Fields>
        <Actions article={article} conflict={isConflict ? { intent: valueOf(state, "published") } : null} />
      </Form>
      {preview && <Preview state={state} locale={valueOf(state, "locale")} />}
    </>,
    status,
  );
}

/** Returns the locales of an article's translations. */
const localesOf = (slug: SlugLocales | undefined, { _id }: Article): string[] =>
  (slug?.articles ?? []).filter((each) => each._id !== _id).map(({ locale }) => locale);

/**
 * Returns the editor again with the entered values. If the article has been deleted, it returns the editor for a new
 * article with status 404, so that the entered text is not lost.
 */
export async function showAgain(c: ConsoleContext, id: string, state: FormState, shown: Shown): Promise<Response> {
  try {
    return await showEdit(c, await findArticle(c, id), state, shown);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    const problem = new DomainError("not_found", GONE);
    return showNew(c, { ...state, problem }, { ...shown, status: 404 });
  }
}

const GONE = "This article does not exist any more. What you entered is below: you can save it as a new one.";

/** Returns the state with the problem `slug_taken` as an error of the field `slug`. */
function explained(state: FormState): FormState {
  if (state.problem?.code !== "slug_taken") return state;
  return { ...state, errors: [{ path: "slug", message: "Another article of the blog has this slug in this locale." }] };
}

const Preview: FC<{ state: FormState; locale: string }> = ({ state, locale }) => {
  const [description, content] = [valueOf(state, "description"), valueOf(state, "content")];
  const coverUrl = valueOf(state, "coverUrl").trim();
  const { baseUrl } = useContext(VisitContext);
  return (
    <Reading article={{ description, content, coverUrl, locale }} origin={baseUrl} title="Preview">
      <p class="hint">
        Nothing was saved. <a href="#content">Back to the text</a>
      </p>
    </Reading>
  );
};
