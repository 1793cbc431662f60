import { Hono } from "hono";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import { findItem, pictureName, shownBy } from "./item.ts";
import { Uses, usesOf } from "./one.tsx";

export const removal = new Hono<ConsoleEnv>();

removal.get("/:id/delete", (c) => showRemoval(c, newForm()));

onSubmit(removal, "/:id/delete", {
  again: showRemoval,
  async work(c, form) {
    // Only if the page has listed articles. A first use since then has to be confirmed, too.
    const input = { mediaId: param(c, "id"), force: form.text("force") === "true" };
    await perform(c, registry.deleteMedia, input, atVersion(form));
    return goTo(c, "/console/media", "media-deleted");
  },
});

async function showRemoval(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  if (!can(c, "articles:write")) throw new DomainError("role_forbidden");
  const id = c.req.param("id") ?? "";
  const [{ item, version }, uses] = await Promise.all([findItem(c, id), usesOf(c, id)]);
  const path = `/console/media/${id}`;
  return page(
    c,
    `Delete “${pictureName(item)}”?`,
    <ConfirmDelete
      action={`${path}/delete`}
      submit={uses.length === 0 ? "Delete image" : "Delete anyway"}
      keep={{ path, text: "Cancel" }}
      state={state}
    >
      <input type="hidden" name="version" value={version} />
      {uses.length === 0 ? (
        <p>No articles use this image.</p>
      ) : (
        <>
          <input type="hidden" name="force" value="true" />
          <p>It is used in {shownBy(item)}, which would show nothing in its place:</p>
          <Uses uses={uses} />
        </>
      )}
    </ConfirmDelete>,
    status,
  );
}
