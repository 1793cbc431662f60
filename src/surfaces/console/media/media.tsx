/** The library: all pictures, and the upload of new ones. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { toSizedUrl } from "../../../domain/pictures.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, TextField, type FormState } from "../forms.tsx";
import { goTo, renderPageWithScript, type Status } from "../layout.tsx";
import { Next } from "../next.tsx";
import { readForm } from "../read-form.ts";
import { can, perform } from "../session.ts";
import { formatUseCount, getSourcePath, getPictureName, uploaded, type Item } from "./item.ts";
import { FileField, mediaItem } from "./one.tsx";

const PAGE = 48;

export const media = new Hono<ConsoleEnv>();

media.get("/", (c) => showLibrary(c, newForm()));

media.post("/upload", async (c) => {
  const form = await readForm(c);
  // The script of the library and the editor send the same form, and read the answer as JSON.
  if (c.req.header("Accept") === "application/json") return c.json(toPictureJson(await uploaded(c, form)));
  return attempt(
    form,
    (state, status) => showLibrary(c, state, status),
    async () => goTo(c, `/console/media/${(await uploaded(c, form))._id}`, "media-uploaded"),
  );
});

media.post("/embed", async (c) => {
  const form = await readForm(c);
  return c.json((await perform(c, registry.createEmbed, { url: form.text("url") }, form)).value);
});

/** The library as JSON, for the picker of the editor. */
media.get("/items", async (c) => {
  const { value, next } = await perform(c, registry.listMedia, getListQuery(c));
  return c.json({ items: value.map(toPictureJson), next: next ?? null });
});

media.route("/", mediaItem);

/**
 * Returns a picture as JSON for scripts. `url` is for articles, with the size in pixels (contract 19.10). `thumbnail`
 * is a path of the console's own origin.
 */
const toPictureJson = (item: Item) => ({
  id: item._id,
  url: toSizedUrl(item),
  name: item.name,
  alt: item.alt,
  width: item.width,
  height: item.height,
  thumbnail: getSourcePath(item, 320),
});

function getListQuery(c: ConsoleContext) {
  const { query, cursor } = c.req.query();
  return { limit: PAGE, ...(query && { query }), ...(cursor && { cursor }) };
}

async function showLibrary(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const asked = getListQuery(c);
  const { value, next } = await perform(c, registry.listMedia, asked);
  const query = asked.query ?? "";
  return renderPageWithScript(
    c,
    { title: "Media", status, script: "media" },
    <>
      {can(c, "articles:draft") && <Upload state={state} />}
      <form method="get" action="/console/media" class="filters" role="search">
        <div>
          <label for="query">Name or alt text</label>
          <input id="query" name="query" type="search" value={query} maxlength={LIMITS.searchQuery} />
        </div>
        <button type="submit" class="quiet">
          Search
        </button>
        {query !== "" && <a href="/console/media">All images</a>}
      </form>
      {value.length === 0 ? (
        <p class="empty">
          {query !== "" ? (
            <>
              No images match. <a href="/console/media">Show all</a>
            </>
          ) : can(c, "articles:draft") ? (
            <>
              No images yet. <a href="#upload-heading">Upload the first one above</a>, or drop one into an article.
            </>
          ) : (
            "No images yet."
          )}
        </p>
      ) : (
        <ul class="pictures" id="pictures">
          {value.map((item) => (
            <Picture item={item} />
          ))}
        </ul>
      )}
      <Next path="/console/media" cursor={next} query={query === "" ? {} : { query }} />
    </>,
  );
}

const Picture: FC<{ item: Item }> = ({ item }) => (
  <li>
    <a href={`/console/media/${item._id}`}>
      {/* The name beside it says which picture it is. */}
      <img src={getSourcePath(item, 320)} width={item.width} height={item.height} alt="" loading="lazy" />
      <span class="name">{getPictureName(item)}</span>
    </a>
    <span class="hint">
      {item.articles === 0 ? "Not used" : `In ${formatUseCount(item)}`}
      {item.alt === "" && " · no alt text"}
    </span>
  </li>
);

const Upload: FC<{ state: FormState }> = ({ state }) => (
  <section class="upload" aria-labelledby="upload-heading" data-upload>
    <h2 id="upload-heading">Upload images</h2>
    <p class="hint" data-drop-hint hidden>
      Drop images here, paste them, or choose several files.
    </p>
    <Form action="/console/media/upload" state={state} submit="Upload" files>
      <FileField />
      <TextField
        state={state}
        name="alt"
        label="Alt text"
        maxlength={LIMITS.mediaAlt}
        hint="Describes the image for readers who cannot see it. You can add it later."
      />
    </Form>
    <ul class="progress" data-progress aria-live="polite"></ul>
  </section>
);
