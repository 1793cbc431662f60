/** The pages of a blog's tags, and of its authors. Both work alike. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../domain/limits.ts";
import type { TermKind } from "../../domain/terms.ts";
import { DomainError } from "../../errors.ts";
import { findBlog } from "../blogs.tsx";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, SelectField, TextArea, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { can } from "../session.ts";
import { Table } from "../table.tsx";
import { ACTIONS, keyOf, valuesOf, versionOf, type Term } from "./actions.ts";

/** Returns the pages of one kind, below the path of a blog. */
export function termPages(kind: TermKind) {
  const pages = new Hono<ConsoleEnv>();
  const actions = ACTIONS[kind];

  pages.get(`/:blogId/${kind}s`, (c) => showList(c, kind, newForm()));

  pages.post(`/:blogId/${kind}s`, async (c) => {
    const form = await readForm(c);
    return attempt(
      form,
      (state, status) => showList(c, kind, state, status),
      async () => {
        await actions.create(c, c.req.param("blogId"), form);
        return goTo(c, placeOf(c, kind), "term-created");
      },
    );
  });

  pages.get(`/:blogId/${kind}s/:id`, async (c) => {
    const { term, version } = await actions.find(c, c.req.param("id"));
    return showOne(c, kind, newForm({ ...valuesOf(term), version }));
  });

  pages.post(`/:blogId/${kind}s/:id`, async (c) => {
    const form = await readForm(c);
    const id = c.req.param("id");
    return attempt(
      form,
      (state, status) => showOne(c, kind, state, status),
      async () => {
        await actions.update(c, id, form);
        return goTo(c, `${placeOf(c, kind)}/${id}`, "saved");
      },
    );
  });

  return pages.route("/", endings(kind));
}

/** Returns the pages after which a tag or author is gone. */
function endings(kind: TermKind) {
  const pages = new Hono<ConsoleEnv>();
  const actions = ACTIONS[kind];

  pages.post(`/:blogId/${kind}s/:id/merge`, async (c) => {
    const form = await readForm(c);
    const into = form.text("into");
    return attempt(
      form,
      (state, status) => showOne(c, kind, state, status),
      async () => {
        await actions.merge(c, c.req.param("id"), into, keyOf(form));
        return goTo(c, `${placeOf(c, kind)}/${into}`, "term-merged");
      },
    );
  });

  pages.get(`/:blogId/${kind}s/:id/delete`, (c) => showRemoval(c, kind, newForm()));

  pages.post(`/:blogId/${kind}s/:id/delete`, async (c) => {
    const form = await readForm(c);
    return attempt(
      form,
      (state, status) => showRemoval(c, kind, state, status),
      async () => {
        await actions.remove(c, c.req.param("id"), versionOf(form));
        return goTo(c, placeOf(c, kind), "term-deleted");
      },
    );
  });
  return pages;
}

const placeOf = (c: ConsoleContext, kind: TermKind): string => `/console/blogs/${c.req.param("blogId")}/${kind}s`;

async function showList(c: ConsoleContext, kind: TermKind, state: FormState, status?: Status): Promise<Response> {
  const { blog } = await findBlog(c, c.req.param("blogId") ?? "");
  const { title, list } = ACTIONS[kind];
  const terms = await list(c, blog._id);
  const place = placeOf(c, kind);
  return page(
    c,
    `${title} of ${blog.name}`,
    <>
      <p class="hint">All translations of an article share them. Writing an article with a new one makes it, too.</p>
      {terms.length === 0 ? (
        <p>There are none yet.</p>
      ) : (
        <Table
          label={title}
          rows={terms}
          columns={[
            { head: "Name", names: true, cell: ({ _id, name }) => <a href={`${place}/${_id}`}>{name}</a> },
            { head: "Slug", cell: ({ slug }) => slug },
            { head: "Articles", class: "number", cell: ({ articles }) => articles },
            { head: "Published", class: "number", cell: ({ publishedArticles }) => publishedArticles },
          ]}
        />
      )}
      {can(c, "articles:write") && (
        <>
          <h2>{kind === "tag" ? "New tag" : "New author"}</h2>
          <Form action={place} state={state} submit={kind === "tag" ? "Create the tag" : "Create the author"}>
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
  const place = placeOf(c, kind);
  const path = `${place}/${term._id}`;
  // A refused merge has no fields of the other form.
  const shown = "name" in state.values ? state : { ...state, values: { ...valuesOf(term), version } };
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
            {term.articles} articles
          </a>
        ) : (
          `${term.articles} articles`
        )}
        , {term.publishedArticles} of them published
      </p>
      {can(c, "articles:write") && (
        <>
          <Form action={path} state={shown} submit="Save">
            <input type="hidden" name="version" value={version} />
            <Fields kind={kind} state={shown} />
          </Form>
          <Merge path={path} others={others} />
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

const Merge: FC<{ path: string; others: readonly Term[] }> = ({ path, others }) =>
  others.length === 0 ? null : (
    <>
      <h2>Merge</h2>
      <Form action={`${path}/merge`} submit="Merge them" tone="quiet">
        <SelectField
          state={newForm()}
          name="into"
          label="Into"
          hint="Its articles get this one instead, and it is deleted."
          choices={others.map(({ _id, name }) => ({ value: _id, label: name }))}
        />
      </Form>
    </>
  );

async function showRemoval(c: ConsoleContext, kind: TermKind, state: FormState, status?: Status): Promise<Response> {
  if (!can(c, "articles:write")) throw new DomainError("role_forbidden");
  const { term, version } = await ACTIONS[kind].find(c, c.req.param("id") ?? "");
  const path = `${placeOf(c, kind)}/${term._id}`;
  return page(
    c,
    `Delete “${term.name}”?`,
    <ConfirmDelete
      action={`${path}/delete`}
      submit={kind === "tag" ? "Delete the tag" : "Delete the author"}
      keep={{ path, text: "Keep it" }}
      state={state}
    >
      <input type="hidden" name="version" value={version} />
      <p>It is taken from its {term.articles} articles, which stay as they are otherwise.</p>
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
      hint={isNew ? "Empty: from the name." : "Sites may have it in addresses."}
    />
    {kind === "tag" ? (
      <TextArea
        state={state}
        name="names"
        label="Names in other languages"
        hint="A line for each, such as: de = Langsam reisen"
        rows={3}
      />
    ) : (
      <>
        <TextArea state={state} name="bio" label="About them" rows={3} />
        <TextField state={state} name="pictureUrl" label="Picture" type="url" maxlength={LIMITS.url} />
      </>
    )}
  </>
);
