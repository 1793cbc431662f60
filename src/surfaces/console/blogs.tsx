/** The pages that list, create and edit blogs. */
import { COMMON_LOCALES, KnownLocales } from "./locales.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { LIMITS } from "../../domain/limits.ts";
import type { blog } from "../../operations/blogs.ts";
import { DomainError } from "../../domain/errors.ts";
import { registry } from "../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { can, perform } from "./session.ts";
import type { Submission } from "./submission.ts";
import { Time } from "./time.tsx";
import { atVersion, Version, withVersion } from "./version.tsx";

type Blog = z.infer<typeof blog>;

const PAGE = 50;

export const blogs = new Hono<ConsoleEnv>();

blogs.get("/", async (c) => {
  const { value, next } = await perform(c, registry.listBlogs, { limit: PAGE, cursor: c.req.query("cursor") });
  return page(
    c,
    "Blogs",
    <>
      {can(c, "blogs:write") && (
        <p class="actions">
          <a class="button" href="/console/blogs/new">
            New blog
          </a>
        </p>
      )}
      {value.length === 0 && (
        <p class="empty">
          No blogs yet. Articles belong to a blog.{" "}
          {can(c, "blogs:write") ? (
            <a href="/console/blogs/new">Create the first one</a>
          ) : (
            "Ask an owner or an admin to create one"
          )}
          .
        </p>
      )}
      <ul class="cards">
        {value.map((each) => (
          <Card blog={each} />
        ))}
      </ul>
      <Next path="/console/blogs" cursor={next} label="More" />
      {can(c, "operator") && (
        <p>
          <a href="/console/blogs/deleted">Deleted blogs</a>
        </p>
      )}
    </>,
  );
});

blogs.get("/new", (c) => {
  if (!can(c, "blogs:write")) throw new DomainError("role_forbidden");
  return create(c, newForm({ locales: "en" }));
});

onSubmit(blogs, "/new", {
  again: create,
  async work(c, form) {
    const { vanityId, ...members } = toBlogInput(form);
    const input = vanityId === "" ? members : { ...members, vanityId };
    const { value } = await perform(c, registry.createBlog, input, form);
    return goTo(c, `/console/articles?blog=${value._id}`, "blog-created");
  },
});

blogs.get("/:id", async (c) => {
  const { blog, version } = await findBlog(c, c.req.param("id"));
  const { name, vanityId, coverUrl, locales } = blog;
  return edit(c, blog, withVersion(newForm({ name, vanityId, coverUrl, locales: locales.join(", ") }), version));
});

onSubmit(blogs, "/:id", {
  async again(c, state, status) {
    const { blog, version } = await findBlog(c, param(c, "id"));
    return edit(c, blog, withVersion(state, version), status);
  },
  async work(c, form) {
    const blogId = param(c, "id");
    const input = { blogId, ...toBlogInput(form) };
    await perform(c, registry.updateBlog, input, atVersion(form));
    return goTo(c, `/console/blogs/${blogId}`, "saved");
  },
});

/** Returns a blog of the organization with its version. Throws `not_found` if the organization has no such blog. */
export async function findBlog(c: ConsoleContext, id: string): Promise<{ blog: Blog; version: string }> {
  const { value, version = "" } = await perform(c, registry.getBlog, { blogId: id });
  return { blog: value, version };
}

function toBlogInput(form: Submission) {
  return {
    name: form.text("name").trim(),
    vanityId: form.text("vanityId").trim(),
    coverUrl: form.text("coverUrl").trim(),
    locales: form
      .text("locales")
      .split(/[\s,]+/)
      .filter((tag) => tag !== ""),
  };
}

function create(c: ConsoleContext, state: FormState, status?: Status) {
  return page(
    c,
    "New blog",
    <Form action="/console/blogs/new" state={state} submit="Create blog">
      <Fields state={state} vanityHint="Leave blank to derive it from the name." />
    </Form>,
    status,
  );
}

function edit(c: ConsoleContext, blog: Blog, state: FormState, status?: Status) {
  return page(
    c,
    blog.name,
    <>
      <p class="hint">
        ID <code>{blog._id}</code>, created <Time at={blog.creationTime} />, last edited <Time at={blog.lastEditTime} />
      </p>
      <p>
        <a href={`/console/articles?blog=${blog._id}`}>Articles</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/site`}>Site</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/style`}>Style guide</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/tags`}>Tags</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/authors`}>Authors</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/moved`}>Previous slugs</a>
        {" · "}
        <a href={`/console/blogs/${blog._id}/redirects`}>Redirects</a>
        {" · "}
        <a href={`/console/imports?blog=${blog._id}`}>Import</a> ·{" "}
        <a href={`/console/transfer?blog=${blog._id}`}>Export</a>
      </p>
      {can(c, "blogs:write") ? (
        <Form action={`/console/blogs/${blog._id}`} state={state} submit="Save">
          <Version of={state} />
          <Fields state={state} vanityHint="Changing it breaks existing links." />
        </Form>
      ) : (
        <p>
          {blog.vanityId} · {blog.locales.join(", ")}
        </p>
      )}
      {can(c, "operator") && (
        <p>
          <a href={`/console/blogs/${blog._id}/delete`}>Delete blog…</a>
        </p>
      )}
    </>,
    status,
  );
}

const Fields: FC<{ state: FormState; vanityHint: string }> = ({ state, vanityHint }) => (
  <>
    <TextField state={state} name="name" label="Name" required maxlength={LIMITS.name} />
    <TextField
      state={state}
      name="vanityId"
      label="URL name"
      hint={`Identifies the blog in URLs, such as field-notes in /blogs/field-notes. Use lowercase letters, digits and hyphens. The API calls it vanityId. ${vanityHint}`}
    />
    <TextField
      state={state}
      name="locales"
      label="Languages"
      list="common-locales"
      required
      hint="Language tags, such as en or pt-BR, separated by commas. The first one is the default."
    />
    <KnownLocales id="common-locales" locales={COMMON_LOCALES} />
    <TextField state={state} name="coverUrl" label="Cover image URL" type="url" maxlength={LIMITS.url} />
  </>
);

const Card: FC<{ blog: Blog }> = ({ blog }) => (
  <li class="card">
    <a href={`/console/blogs/${blog._id}`}>
      <strong>{blog.name}</strong>
    </a>
    <p class="hint">
      {blog.vanityId} · {blog.locales.join(", ")}
    </p>
    <a href={`/console/articles?blog=${blog._id}`} aria-label={`Articles in ${blog.name}`}>
      Articles
    </a>
  </li>
);
