/** The page that makes drafts for the missing translations of one article, all at once. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError, ERRORS } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { hasDeploymentModel } from "../../request/models.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, CheckField, Form, newForm, SelectField, type FormState } from "../forms.tsx";
import { getLocaleName } from "../locales.tsx";
import { page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import type { Submission } from "../submission.ts";
import { Table } from "../table.tsx";
import { formatCount } from "../words.ts";
import { findArticle, getTitle, requireContributor, type Article } from "./found.ts";

const PATH = "/console/articles/matrix/missing";

/** The most translations in one submission. A model takes up to minutes for each. */
const MOST = { copy: 25, empty: 25, translate: 5 } as const;

type Way = keyof typeof MOST;

const WAYS: Readonly<Record<Way, string>> = {
  copy: "The text of the article",
  empty: "Only the title",
  translate: "An AI translation",
};

export const toMissingTranslationsPath = (articleId: string): string =>
  `${PATH}?${new URLSearchParams({ article: articleId }).toString()}`;

export const missing = new Hono<ConsoleEnv>();

missing.get("/", (c) => {
  requireContributor(c);
  return ask(c, c.req.query("article") ?? "");
});

onSubmit(missing, "/", {
  first: requireContributor,
  again: (c, state, status, form) => ask(c, form.text("articleId"), state, status),
  async work(c, form) {
    const { article } = await findArticle(c, form.text("articleId"));
    return made(c, article, await createDrafts(c, article, form));
  },
});

/** The result for a locale: the id of its article, or why there is none. */
type Made = { readonly locale: string; readonly id: string | null; readonly reason: string | null };

/** Each draft is a transaction of its own. Throws `invalid_request` if no locale or too many are chosen. */
async function createDrafts(c: ConsoleContext, article: Article, form: Submission): Promise<Made[]> {
  const locales = form.all("locales");
  const way = Object.keys(WAYS).find((each): each is Way => each === form.text("way")) ?? "copy";
  if (locales.length === 0) throw new DomainError("invalid_request", "Choose at least one language.");
  if (locales.length > MOST[way]) {
    throw new DomainError("invalid_request", `Choose at most ${formatCount(MOST[way], "language")} at once.`);
  }
  const found: Made[] = [];
  for (const locale of locales) {
    // Each draft has a key of its own, so that a form that is sent again creates none twice.
    const idempotencyKey = form.idempotencyKey && `${form.idempotencyKey}-${locale}`;
    try {
      found.push({ locale, id: await make(c, article, { way, locale, idempotencyKey }), reason: null });
    } catch (error) {
      if (!(error instanceof DomainError) || ERRORS[error.code].status === 500) throw error;
      const isTaken = error.code === "slug_taken" && !error.details.worded;
      found.push({ locale, id: null, reason: isTaken ? "It already exists." : error.message });
    }
  }
  return found;
}

type Asked = { readonly way: Way; readonly locale: string; readonly idempotencyKey: string | undefined };

async function make(c: ConsoleContext, article: Article, { way, locale, idempotencyKey }: Asked): Promise<string> {
  const { _id, blogId, title, description, content, slug, coverUrl } = article;
  if (way === "translate") {
    const asked = { articleId: _id, locale, published: false };
    const { value } = await perform(c, registry.generateArticle, asked, { idempotencyKey });
    return value.article._id;
  }
  const texts = way === "copy" ? { description, content, coverUrl } : {};
  const input = { blogId, title, slug, locale, published: false, ...texts };
  return (await perform(c, registry.saveArticle, input, { idempotencyKey })).value._id;
}

async function ask(c: ConsoleContext, articleId: string, state?: FormState, status?: Status): Promise<Response> {
  const { article, blog } = await findArticle(c, articleId);
  const { value } = await perform(c, registry.compareLocales, { blogId: blog._id, slug: article.slug, limit: 1 });
  const locales = value[0]?.missing ?? [];
  const { env, settings } = c.env.arrival;
  const mayTranslate = hasDeploymentModel(env, settings) && article.content.trim() !== "";
  return page(
    c,
    `Missing translations of “${getTitle(article)}”`,
    locales.length === 0 ? (
      <p class="empty">The article has translations in all languages of {blog.name}.</p>
    ) : (
      <Choice
        article={article}
        locales={locales}
        mayTranslate={mayTranslate}
        state={state ?? newForm({ locales: locales.slice(0, MOST.copy), way: "copy" })}
      />
    ),
    status,
  );
}

type ChoiceProps = {
  readonly article: Article;
  readonly locales: readonly string[];
  readonly mayTranslate: boolean;
  readonly state: FormState;
};

const Choice: FC<ChoiceProps> = ({ article, locales, mayTranslate, state }) => {
  const ways = (Object.keys(WAYS) as Way[]).filter((way) => way !== "translate" || mayTranslate);
  return (
    <Form action={PATH} state={state} labels={{ locales: "Languages", way: "Text" }}>
      <p>
        Creates a draft in each language, with the slug of{" "}
        <a href={`/console/articles/${article._id}`}>{getTitle(article)}</a>. Readers see a draft once it is published.
      </p>
      <input type="hidden" name="articleId" value={article._id} />
      <CheckField
        state={state}
        name="locales"
        label="Languages"
        choices={locales.map((locale) => ({ value: locale, label: `${getLocaleName(locale)} (${locale})` }))}
      />
      <SelectField
        state={state}
        name="way"
        label="Text"
        {...(mayTranslate && {
          hint: `AI takes up to a few minutes per language, and can translate into ${formatCount(MOST.translate, "language")} at once.`,
        })}
        choices={ways.map((way) => ({ value: way, label: WAYS[way] }))}
      />
      <div class="row">
        <button type="submit" data-busy="Creating the drafts…">
          Create drafts
        </button>
        <a href={`/console/articles/matrix?blog=${article.blogId}`}>Back to translations</a>
      </div>
    </Form>
  );
};

const made = (c: ConsoleContext, article: Article, found: readonly Made[]) =>
  page(
    c,
    found.some(({ id }) => id !== null) ? "Drafts created" : "No drafts created",
    <>
      <p role="status">
        {formatCount(found.filter(({ id }) => id !== null).length, "draft")} of{" "}
        <a href={`/console/articles/${article._id}`}>{getTitle(article)}</a>, by language.
      </p>
      <Table
        label="Drafts"
        rows={found}
        columns={[
          {
            head: "Language",
            names: true,
            cell: ({ locale, id }) => {
              const name = `${getLocaleName(locale)} (${locale})`;
              return id === null ? name : <a href={`/console/articles/${id}`}>{name}</a>;
            },
          },
          {
            head: "Result",
            cell: ({ id, reason }) => (id === null ? reason : <span class="badge good">Draft</span>),
          },
        ]}
      />
      <p>
        <a href={`/console/articles/matrix?blog=${article.blogId}`}>Back to translations</a>
      </p>
    </>,
  );
