/** The fields and buttons of the article editor. */
import { KnownLocales } from "../locales.tsx";
import type { FC, PropsWithChildren } from "hono/jsx";
import { ARTICLE_TEXTS, TEXTS, type TextName } from "../../../domain/article-fields.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { SelectField, TextArea, TextField, toChoices, type FormState } from "../forms.tsx";
import { useGrant } from "../visit.ts";
import { TEXT_LABELS } from "./field-labels.ts";
import type { Article, Blog } from "./found.ts";
import { LabelFields, type Known } from "./labels.tsx";

type FieldsProps = PropsWithChildren<{
  readonly state: FormState;
  /** The blogs to choose from. Only for a new article. */
  readonly blogs?: readonly Blog[];
  /** The tags and authors that the browser suggests. */
  readonly known?: Known | undefined;
  /** The suggested locales: the blog's, or those of all blogs. */
  readonly locales: readonly string[];
  /** The locales of the article's translations. */
  readonly translations?: readonly string[];
  /** The blog of an existing article. The editor searches it for articles to link to. */
  readonly blogId?: string;
}>;

/** The children are placed in the column beside the text. */
export const Fields: FC<FieldsProps> = ({ state, blogs, known, locales, translations = [], blogId, children }) => (
  <div class="editor">
    <NoDefault />
    <div class="text">
      <TextArea
        state={state}
        name="title"
        label={TEXT_LABELS.title}
        placeholder={TEXT_LABELS.title}
        maxlength={ARTICLE_TEXTS.title.most}
        rows={1}
        dir="auto"
      />
      <ContentField state={state} blogId={blogId} />
      <link rel="stylesheet" href="/console/editor.css" />
      <script type="module" src="/console/editor.js"></script>
    </div>
    <div class="settings">
      {blogs && <SelectField state={state} name="blogId" label="Blog" choices={toChoices(blogs)} />}
      <SlugField state={state} isNew={blogs !== undefined} translations={translations} />
      <LocaleField state={state} blogs={blogs} locales={locales} />
      {TEXTS.filter((name) => !PLACED.has(name)).map((name) => (
        <PlainField state={state} name={name} />
      ))}
      <LabelFields state={state} known={known} />
      {children}
    </div>
  </div>
);

/** Texts with a field of a special kind. */
const PLACED = new Set<TextName>(["title", "content", "slug", "locale"]);

const PlainField: FC<{ state: FormState; name: TextName }> = ({ state, name }) => {
  const { kind, most, ...text } = ARTICLE_TEXTS[name];
  const hint = "hint" in text ? text.hint : undefined;
  const common = { state, name, label: text.label, hint };
  if (kind === "text") return <TextArea {...common} rows={4} dir="auto" />;
  if (kind === "line") return <TextField {...common} maxlength={most} dir="auto" />;
  return <TextField {...common} maxlength={most} type="url" hint={ofImage} />;
};

const ContentField: FC<{ state: FormState; blogId: string | undefined }> = ({ state, blogId }) => (
  <TextArea
    state={state}
    name="content"
    label={TEXT_LABELS.content}
    hint={
      <>
        Write Markdown. You can copy the Markdown of images from the <Library />.
      </>
    }
    rows={24}
    mono
    dir="auto"
    data-editor
    data-blog={blogId}
  />
);

/** Opens a new tab, so that the form keeps what was entered. */
const Library: FC = () => (
  <a href="/console/media" target="_blank">
    media library
  </a>
);

const ofImage = (
  <>
    The URL of an image, such as one from the <Library />.
  </>
);

/**
 * Makes the Enter key do nothing in the one-line fields of a form, so that it does not change what readers see. It
 * presses the form's first button, and this one is disabled (HTML, 4.10.22.2).
 */
const NoDefault: FC = () => <button type="submit" disabled hidden />;

type LocaleProps = Pick<FieldsProps, "state" | "locales"> & { readonly blogs: readonly Blog[] | undefined };

const LocaleField: FC<LocaleProps> = ({ state, blogs, locales }) => (
  <>
    <TextField
      state={state}
      name="locale"
      label={TEXT_LABELS.locale}
      required={blogs === undefined}
      list="known-locales"
      hint={
        blogs
          ? `Leave blank to use the blog's default. ${inUse(blogs)}`
          : "One of the blog's languages, or another language tag, such as pt-BR."
      }
    />
    <KnownLocales id="known-locales" locales={locales} />
  </>
);

type SlugProps = { readonly state: FormState; readonly isNew: boolean; readonly translations: readonly string[] };

const SlugField: FC<SlugProps> = ({ state, isNew, translations }) => (
  <TextField
    state={state}
    name="slug"
    label={TEXT_LABELS.slug}
    required={!isNew}
    maxlength={LIMITS.slug}
    hint={isNew ? "Leave blank to derive it from the title. Translations share it." : slugHint(translations)}
  />
);

function slugHint(translations: readonly string[]): string {
  const kept = "If you change it, sites can redirect the previous slug.";
  if (translations.length === 0) return kept;
  return `${kept} The translations (${translations.join(", ")}) keep the previous slug, and are then no longer translations of this article.`;
}

const inUse = (blogs: readonly Blog[]): string =>
  `Used in the organization: ${[...new Set(blogs.flatMap((each) => each.locales))].join(", ")}.`;

const PreviewButton: FC = () => (
  <button type="submit" class="quiet" formaction="/console/articles/preview#preview" formnovalidate>
    Preview
  </button>
);

export const NewActions: FC = () => (
  <div class="actions bottom">
    <button type="submit">Save draft</button>
    <Publishing live={false} />
    <PreviewButton />
  </div>
);

type ActionsProps = {
  readonly article: Article;
  /** Null without a conflict. `intent` is what the refused form was meant to do. */
  readonly conflict: { readonly intent: string } | null;
};

export const Actions: FC<ActionsProps> = ({ article, conflict }) => (
  <div class="actions bottom">
    {conflict ? <Overwrite intent={conflict.intent} /> : <Buttons live={article.published} id={article._id} />}
    <PreviewButton />
    {useGrant("articles:write") && (
      <a class="delete" href={`/console/articles/${article._id}/delete`}>
        Delete…
      </a>
    )}
  </div>
);

/** The first button never changes what readers see. */
const Buttons: FC<{ live: boolean; id: string }> = ({ live, id }) => (
  <>
    <button type="submit" aria-describedby={live ? "unseen" : undefined}>
      Save
    </button>
    <Publishing live={live} id={id} />
  </>
);

/** The buttons that change what readers see. Members who may write drafts only learn who presses them. */
const Publishing: FC<{ live: boolean; id?: string }> = ({ live, id }) =>
  useGrant("articles:write") ? (
    <>
      <button type="submit" name="intent" value="publish" class="quiet" data-publish>
        {live ? "Publish changes…" : "Publish…"}
      </button>
      {live && (
        <button type="submit" name="intent" value="unpublish" class="quiet">
          Unpublish
        </button>
      )}
      {live && (
        <span class="hint" id="unseen">
          Readers see saved changes once you publish them.
        </span>
      )}
    </>
  ) : (
    <span class="hint" id="unseen">
      {live ? "Readers see saved changes once a writer publishes them." : "A writer publishes it."}{" "}
      {id && <a href={`/console/articles/${id}/approval`}>Ask a writer</a>}
    </span>
  );

const Overwrite: FC<{ intent: string }> = ({ intent }) => (
  <button type="submit" class="danger" {...(intent !== "" && { name: "intent", value: intent })}>
    {INTENTS[intent] ?? "Overwrite"}
  </button>
);

const INTENTS: Readonly<Record<string, string>> = {
  publish: "Overwrite and publish…",
  unpublish: "Overwrite and unpublish",
};
