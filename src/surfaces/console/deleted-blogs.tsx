/** The pages that ask before a blog is deleted, and that list, restore and delete for good what was deleted. */
import { Hono } from "hono";
import { LIMITS } from "../../domain/limits.ts";
import { DomainError } from "../../domain/errors.ts";
import { registry } from "../../operations/registry.ts";
import { findBlog } from "./blogs.tsx";
import { ConfirmDelete } from "./confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { Form, newForm, onSubmit, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { can, perform } from "./session.ts";
import { Time } from "./time.tsx";
import { atVersion } from "./version.tsx";

const PATH = "/console/blogs/deleted";

export const deletedBlogs = new Hono<ConsoleEnv>();

deletedBlogs.get("/deleted", (c) => list(c, newForm()));

async function list(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const { value, next } = await perform(c, registry.listDeletedBlogs, { limit: 50, cursor: c.req.query("cursor") });
  return page(
    c,
    "Deleted blogs",
    <>
      {state.problem !== null && (
        <p class="alert bad" role="alert">
          {state.problem.message}
        </p>
      )}
      {value.length === 0 && <p class="empty">No deleted blogs.</p>}
      <ul class="cards">
        {value.map(({ _id, name, vanityId, deletionTime, dueTime }) => (
          <li class="card">
            <strong>{name}</strong>
            <p class="hint">
              {vanityId} · deleted <Time at={deletionTime} /> · gone for good <Time at={dueTime} />
            </p>
            <div class="actions">
              <Form action={`${PATH}/${_id}/restore`} inline>
                <button type="submit" class="quiet small" aria-label={`Restore ${name}`}>
                  Restore
                </button>
              </Form>
              <a href={`${PATH}/${_id}/delete`} aria-label={`Delete for good: ${name}`}>
                Delete for good
              </a>
            </div>
          </li>
        ))}
      </ul>
      <Next path={PATH} cursor={next} label="More" />
    </>,
    status,
  );
}

onSubmit(deletedBlogs, "/deleted/:id/restore", {
  again: list,
  async work(c, form) {
    const blogId = param(c, "id");
    await perform(c, registry.restoreBlog, { blogId }, form);
    return goTo(c, `/console/blogs/${blogId}`, "blog-restored");
  },
});

deletedBlogs.get("/deleted/:id/delete", (c) => askForGood(c, newForm()));

onSubmit(deletedBlogs, "/deleted/:id/delete", {
  again: askForGood,
  async work(c, form) {
    await perform(c, registry.eraseBlog, { blogId: param(c, "id") }, form);
    return goTo(c, PATH, "blog-erased");
  },
});

function askForGood(c: ConsoleContext, state: FormState, status?: Status) {
  return page(
    c,
    "Delete the blog for good?",
    <ConfirmDelete
      action={`${PATH}/${param(c, "id")}/delete`}
      submit="Delete for good"
      keep={{ path: PATH, text: "Cancel" }}
      state={state}
    >
      <p>
        Its articles, images, contacts and everything else in it are deleted within minutes. Nobody can restore them.
      </p>
    </ConfirmDelete>,
    status,
  );
}

deletedBlogs.get("/:id/delete", (c) => ask(c, newForm()));

onSubmit(deletedBlogs, "/:id/delete", {
  again: ask,
  async work(c, form) {
    await perform(c, registry.deleteBlog, { blogId: param(c, "id") }, atVersion(form));
    return goTo(c, PATH, "blog-deleted");
  },
});

async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  if (!can(c, "operator")) throw new DomainError("role_forbidden");
  const { blog, version } = await findBlog(c, param(c, "id"));
  const path = `/console/blogs/${blog._id}`;
  return page(
    c,
    `Delete “${blog.name}”?`,
    <ConfirmDelete action={`${path}/delete`} submit="Delete blog" keep={{ path, text: "Cancel" }} state={state}>
      <input type="hidden" name="version" value={version} />
      <p>
        Nobody will see its articles, its site and its feeds any more. For {LIMITS.trashDays} days, you can restore it
        with everything in it. After that, it is gone for good.
      </p>
    </ConfirmDelete>,
    status,
  );
}
