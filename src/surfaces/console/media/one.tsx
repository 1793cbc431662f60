/** The pages of one picture: what is known of it, where it is used, its replacement and its deletion. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { DomainError } from "../../../domain/errors.ts";
import { MEDIA_TYPES, toSizedUrl } from "../../../domain/pictures.ts";
import { registry } from "../../../operations/registry.ts";
import { getTitle } from "../articles/found.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextArea, TextField, type FormState } from "../forms.tsx";
import { goTo, page, renderPageWithScript, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { Time } from "../time.tsx";
import { atVersion, Version, withVersion } from "../version.tsx";
import { findItem, formatSize, getSourcePath, getPictureName, formatUseCount, type Item } from "./item.ts";

type Use = z.infer<typeof registry.listMediaUses.output>[number];

export const mediaItem = new Hono<ConsoleEnv>();

mediaItem.get("/:id", (c) => showItem(c));

onSubmit(mediaItem, "/:id", {
  again: showItem,
  async work(c, form) {
    const mediaId = param(c, "id");
    const input = { mediaId, name: form.text("name"), alt: form.text("alt") };
    await perform(c, registry.updateMedia, input, atVersion(form));
    return goTo(c, `/console/media/${mediaId}`, "saved");
  },
});

onSubmit(mediaItem, "/:id/file", {
  again: showItem,
  async work(c, form) {
    const mediaId = param(c, "id");
    await perform(c, registry.replaceMedia, { mediaId, file: form.picture?.file }, atVersion(form));
    return goTo(c, `/console/media/${mediaId}`, "media-replaced");
  },
});

/** Returns the articles that show a picture: the newest hundred. */
const listUses = async (c: ConsoleContext, mediaId: string): Promise<Use[]> =>
  (await perform(c, registry.listMediaUses, { mediaId })).value;

const Uses: FC<{ uses: readonly Use[] }> = ({ uses }) => (
  <ul>
    {uses.map(({ articleId, title, locale, published, places }) => (
      <li>
        <a href={`/console/articles/${articleId}`} dir="auto">
          {getTitle({ title })}
        </a>{" "}
        <span class="hint">
          {locale} · {published ? "published" : "draft"}
          {places.includes("draft") &&
            (places.length === 1 ? " · in unpublished changes" : " · also in unpublished changes")}
        </span>
      </li>
    ))}
  </ul>
);

async function showItem(c: ConsoleContext, state?: FormState, status?: Status): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const [{ item, version }, uses] = await Promise.all([findItem(c, id), listUses(c, id)]);
  const stored = { name: item.name, alt: item.alt };
  // A refused replacement has no fields of the other form.
  const isReplacement = state !== undefined && !("alt" in state.values);
  const shown = withVersion(state === undefined || isReplacement ? newForm(stored) : state, version);
  const asked = isReplacement ? state : newForm();
  // The message of `withVersion` says that what was entered is still here, but a file has to be chosen again.
  const replacement = { ...withVersion(asked, version), problem: asked.problem };
  return renderPageWithScript(
    c,
    { title: getPictureName(item), status, script: "media" },
    <>
      <p>
        <a href="/console/media">Media</a> · {item.mediaType.replace("image/", "").toUpperCase()}, {item.width} ×{" "}
        {item.height}, {formatSize(item.bytes)}, <Time at={item.creationTime} />
      </p>
      <div class="columns">
        <div>
          <p class="picture">
            <img src={getSourcePath(item, 960)} width={item.width} height={item.height} alt={item.alt} />
          </p>
          <Unsized item={item} makesAny={(c.env.arrival.env as { IMAGES?: unknown }).IMAGES !== undefined} />
          <Copied id="url" label="URL" value={item.url} />
          <Copied id="markdown" label="Markdown" value={toMarkdown(item)} />
        </div>
        <div>
          {can(c, "articles:write") ? (
            <Form action={`/console/media/${id}`} state={shown} submit="Save">
              <Version of={shown} />
              <TextArea
                state={shown}
                name="alt"
                label="Alt text"
                hint="Describes the image for readers who cannot see it. Articles that already use the image keep their alt text."
              />
              <TextField state={shown} name="name" label="Name" maxlength={LIMITS.mediaName} />
            </Form>
          ) : (
            <p>{item.alt || "No alt text."}</p>
          )}
          <h2>Used in</h2>
          {uses.length === 0 ? <p class="hint">No articles use this image.</p> : <Uses uses={uses} />}
          {can(c, "articles:write") && <Replacement id={id} state={replacement} />}
        </div>
      </div>
    </>,
  );
}

/** What a writer can do about a picture without smaller sizes, by the reason (contract 19.9). */
const UNSIZED: Partial<Readonly<Record<string, string>>> = {
  cost: "The image takes too long to resize. Replace it with a smaller one, or with a JPEG that is not progressive.",
  undecodable: "The image cannot be resized. If it looks wrong, replace it.",
};

const Unsized: FC<{ item: Item; makesAny: boolean }> = ({ item, makesAny }) => {
  const why = UNSIZED[item.sizesReason ?? ""];
  if (makesAny || why === undefined) return null;
  return (
    <p class="alert warn">
      Readers on small screens also get this file of {formatSize(item.bytes)}. {why}
    </p>
  );
};

const Copied: FC<{ id: string; label: string; value: string }> = ({ id, label, value }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="row">
      <input id={id} readonly value={value} />
      <button type="button" class="quiet" data-copy={id} aria-label={`Copy ${label}`} hidden>
        Copy
      </button>
      <span role="status" data-copied={id}></span>
    </div>
  </div>
);

/** Returns the Markdown of a picture, with its size (contract 19.10). */
const toMarkdown = ({ alt, url, width, height }: Item): string =>
  `![${alt.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<&!]/g, String.raw`\$&`)}](${toSizedUrl({ url, width, height })})`;

const Replacement: FC<{ id: string; state: FormState }> = ({ id, state }) => (
  <div data-replacement>
    <h2>Replace image</h2>
    <p class="hint">All articles show the new file. The URL stays the same.</p>
    <Form action={`/console/media/${id}/file`} state={state} submit="Replace file" files>
      <Version of={state} />
      <FileField />
    </Form>
    <p>
      <a class="delete" href={`/console/media/${id}/delete`}>
        Delete…
      </a>
    </p>
  </div>
);

export const FileField: FC = () => (
  <div class="field">
    <label for="file">Image</label>
    <p class="hint" id="file-hint">
      PNG, JPEG, GIF, WebP or AVIF, up to {LIMITS.mediaBytes / 1024 / 1024} MiB. Location data is removed.
    </p>
    <input id="file" name="file" type="file" accept={MEDIA_TYPES.join(",")} required aria-describedby="file-hint" />
  </div>
);

mediaItem.get("/:id/delete", (c) => showRemoval(c, newForm()));

onSubmit(mediaItem, "/:id/delete", {
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
  const [{ item, version }, uses] = await Promise.all([findItem(c, id), listUses(c, id)]);
  const path = `/console/media/${id}`;
  return page(
    c,
    `Delete “${getPictureName(item)}”?`,
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
          <p>It is used in {formatUseCount(item)}, which would show nothing in its place:</p>
          <Uses uses={uses} />
        </>
      )}
    </ConfirmDelete>,
    status,
  );
}
