/** The pages of a blog's tags, and of its authors. Both work alike. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import type { TermKind } from "../../../domain/terms.ts";
import { DomainError } from "../../../domain/errors.ts";
import { findBlog } from "../blogs.tsx";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextArea, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can } from "../session.ts";
import { Table } from "../table.tsx";
import { Version, withVersion } from "../version.tsx";
import { formatCount, formatNumber } from "../words.ts";
import { ACTIONS, toListPath, toFormValues } from "./actions.ts";
import { Merge, makeMergePages } from "./merge.tsx";

/** Returns the pages of one kind, below the path of a blog. */
export function makeTermPages(kind: TermKind) {
  const pages = new Hono<ConsoleEnv>();
  const actions = ACTIONS[kind];

  pages.get(`/:blogId/${kind}s`, (c) => showList(c, kind, newForm()));

  onSubmit(pages, `/:blogId/${kind}s`, {
    again: (c, state, status) => showList(c, kind, state, status),
    async work(c, form) {
      await actions.create(c, param(c, "blogId"), form);
      return goTo(c, toListPath(c, kind), "term-created");
    },
  });

  pages.get(`/:blogId/${kind}s/:id`, (c) => showOne(c, kind, newForm()));

  onSubmit(pages, `/:blogId/${kind}s/:id`, {
    again: (c, state, status) => showOne(c, kind, state, status),
    async work(c, form) {
      const id = param(c, "id");
      await actions.update(c, id, form);
      return goTo(c, `${toListPath(c, kind)}/${id}`, "saved");
    },
  });

  return pages.route("/", makeMergePages(kind, showOne)).route("/", makeRemovalPages(kind));
}

function makeRemovalPages(kind: TermKind) {
  const pages = new Hono<ConsoleEnv>();
  const actions = ACTIONS[kind];

  pages.get(`/:blogId/${kind}s/:id/delete`, (c) => showRemoval(c, kind, newForm()));

  onSubmit(pages, `/:blogId/${kind}s/:id/delete`, {
    again: (c, state, status) => showRemoval(c, kind, state, status),
    async work(c, form) {
      await actions.remove(c, param(c, "id"), form);
      return goTo(c, toListPath(c, kind), "term-deleted");
    },
  });
  return pages;
}

async function showList(c: ConsoleContext, kind: TermKind, state: FormState, status?: Status): Promise<Response> {
  const { blog } = await findBlog(c, c.req.param("blogId") ?? "");
  const { title, list } = ACTIONS[kind];
  const terms = await list(c, blog._id);
  const place = toListPath(c, kind);
  return page(
    c,
    `${title} of ${blog.name}`,
    <>
      <p class="hint">
        Translations of an article share its {kind}s. New ones that you add to an article appear here, too.
      </p>
      {terms.length === 0 ? (
        <p class="empty">
          No {kind}s yet. Add one below, or to an article.{" "}
          <a href={`/console/articles?blog=${blog._id}`}>Articles in {blog.name}</a>
        </p>
      ) : (
        <Table
          label={title}
          rows={terms}
          columns={[
            { head: "Name", names: true, cell: ({ _id, name }) => <a href={`${place}/${_id}`}>{name}</a> },
            { head: "Slug", cell: ({ slug }) => slug },
            { head: "Articles", class: "number", cell: ({ articles }) => formatNumber(articles) },
            { head: "Published", class: "number", cell: ({ publishedArticles }) => formatNumber(publishedArticles) },
          ]}
        />
      )}
      {can(c, "articles:write") && (
        <>
          <h2>{kind === "tag" ? "New tag" : "New author"}</h2>
          <Form action={place} state={state} submit={kind === "tag" ? "Create tag" : "Create author"}>
            <Fields kind={kind} state={state} isNew />
          </Form>
        </>
      )}
    </>,
    status,
  );
}

async function showOne(c: ConsoleContext, kind: TermKind, state: FormState, status?: Status): Promise<Response> {
  const { term, version } = await ACTIONS[kind].find(c, c.req.param("id") ?? "");
  const others = (await ACTIONS[kind].list(c, c.req.param("blogId") ?? "")).filter(({ _id }) => _id !== term._id);
  const place = toListPath(c, kind);
  const path = `${place}/${term._id}`;
  // Neither a new form nor a refused merge has the fields of this one.
  const entered = "name" in state.values ? state : { ...state, values: toFormValues(term) };
  const shown = withVersion(entered, version);
  return page(
    c,
    term.name,
    <>
      <p>
        <a href={place}>{ACTIONS[kind].title}</a> ·{" "}
        {kind === "tag" ? (
          <a
            href={`/console/articles?${new URLSearchParams({ blog: c.req.param("blogId") ?? "", tag: term.slug }).toString()}`}
          >
            {formatCount(term.articles, "article")}
          </a>
        ) : (
          formatCount(term.articles, "article")
        )}
        {term.articles > 0 && `, ${formatNumber(term.publishedArticles)} published`}
      </p>
      {can(c, "articles:write") && (
        <>
          <Form action={path} state={shown} submit="Save">
            <Version of={shown} />
            <Fields kind={kind} state={shown} />
          </Form>
          <Merge kind={kind} path={path} others={others} />
          <p>
            <a class="delete" href={`${path}/delete`}>
              Delete…
            </a>
          </p>
        </>
      )}
    </>,
    status,
  );
}

async function showRemoval(c: ConsoleContext, kind: TermKind, state: FormState, status?: Status): Promise<Response> {
  if (!can(c, "articles:write")) throw new DomainError("role_forbidden");
  const { term, version } = await ACTIONS[kind].find(c, c.req.param("id") ?? "");
  const path = `${toListPath(c, kind)}/${term._id}`;
  return page(
    c,
    `Delete “${term.name}”?`,
    <ConfirmDelete
      action={`${path}/delete`}
      submit={kind === "tag" ? "Delete tag" : "Delete author"}
      keep={{ path, text: "Cancel" }}
      state={state}
    >
      <input type="hidden" name="version" value={version} />
      <p>
        {term.articles === 0
          ? `No articles have this ${kind}.`
          : `It is removed from ${formatCount(term.articles, "article")}, which otherwise do not change.`}
      </p>
    </ConfirmDelete>,
    status,
  );
}

const Fields: FC<{ kind: TermKind; state: FormState; isNew?: boolean }> = ({ kind, state, isNew = false }) => (
  <>
    <TextField state={state} name="name" label="Name" required maxlength={LIMITS.termName} />
    <TextField
      state={state}
      name="slug"
      label="Slug"
      required={!isNew}
      maxlength={LIMITS.termSlug}
      hint={isNew ? "Leave blank to derive it from the name." : "Sites can use it in URLs."}
    />
    {kind === "tag" ? (
      <TextArea
        state={state}
        name="names"
        label="Names in other languages"
        hint="One per line, such as “de = Langsam reisen”."
        rows={3}
      />
    ) : (
      <>
        <TextArea state={state} name="bio" label="Bio" rows={3} />
        <TextField state={state} name="pictureUrl" label="Profile picture URL" type="url" maxlength={LIMITS.url} />
      </>
    )}
  </>
);
