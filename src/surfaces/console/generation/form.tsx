/** The form that requests the generation of an article. */
import { COMMON_LOCALES, KnownLocales } from "../locales.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { ERRORS } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { hasStyleGuide } from "../../../domain/style-guide.ts";
import type { registry } from "../../../operations/registry.ts";
import { getTitle } from "../articles/found.ts";
import { CheckField, Form, SelectField, TextArea, TextField, type Choice, type FormState } from "../forms.tsx";
import { About, Gist, Outside } from "../topics/idea.tsx";
import { useGrant } from "../visit.ts";
import { formatNumber } from "../words.ts";
import { IMAGES } from "./input.ts";
import type { Subject } from "./subject.ts";

export type Estimate = z.infer<typeof registry.estimateGeneration.output>;

type FormProps = { readonly subject: Subject; readonly state: FormState };

type Words = {
  readonly title: string;
  readonly model: string;
  readonly button: string;
};

const GENERATE: Words = {
  title: "Generate an article",
  model: "AI writes the article",
  button: "Generate article",
};

export const WORDS: Readonly<Record<Subject["kind"], Words>> = {
  topic: GENERATE,
  idea: GENERATE,
  translation: {
    title: "Translate an article",
    model: "AI translates the article",
    button: "Translate",
  },
  rewrite: {
    title: "Rewrite an article",
    model: "AI writes a new article from this one, which stays unchanged",
    button: "Rewrite",
  },
};

/** Labels by the names in the operation's errors. */
const LABELS = {
  topic: "Topic",
  instructions: "Instructions",
  keywords: "Keywords",
  sources: "Sources",
  tone: "Tone",
  published: "When finished",
  words: "Length",
  outline: "Outline",
  locale: "Language",
};

/** Without a model, the form is shown only after a refusal, to keep what was entered. */
export const GenerationForm: FC<FormProps & { readonly hasModel: boolean; readonly estimate: Estimate | null }> = ({
  subject,
  state,
  hasModel,
  estimate,
}) => {
  const { model, button } = WORDS[subject.kind];
  if (!hasModel && state.problem === null) return <NoModel />;
  // NoModel above the form already says that no model is configured.
  const shown = !hasModel && state.problem?.code === "ai_not_configured" ? { ...state, problem: null } : state;
  return (
    <>
      {!hasModel && <NoModel />}
      <Form
        action="/console/articles/generate"
        state={shown}
        guard={state.problem === null && !state.values["outline"] ? "unchanged" : "changed"}
        labels={LABELS}
      >
        <p>
          For the blog <a href={`/console/articles?blog=${subject.blog._id}`}>{subject.blog.name}</a>. {model}. Review
          it before others read it. <Style of={subject.blog} />
        </p>
        <SubjectField subject={subject} state={state} />
        <Wishes subject={subject} state={state} />
        {state.problem === null && (
          <p class="alert">
            This takes a minute or two. You need not wait for it.{estimate !== null && <Cost {...estimate} />}
          </p>
        )}
        <p class="actions">
          {/* browser/console.ts enables a button with data-busy. So a button that must stay disabled has no such attribute. */}
          <button type="submit" disabled={!hasModel} data-busy={hasModel ? "Starting…" : undefined}>
            {button}
          </button>
          {subject.kind !== "translation" && hasModel && (
            // Not by its value: a button that is busy is disabled, and not sent.
            <button type="submit" formaction={OUTLINING} class="quiet" data-busy="Planning…">
              Suggest an outline first
            </button>
          )}
        </p>
      </Form>
    </>
  );
};

/** Where the form is sent to have its outline suggested. */
const OUTLINING = "/console/articles/generate?wants=outline";

const Cost: FC<Estimate> = ({ inputTokens, outputTokens, cost, tokensToday }) => (
  <>
    {" "}
    An article of this kind needs about {formatNumber(Math.round((inputTokens + outputTokens) / 100) * 100)} tokens
    {cost !== null && `, about US$ ${cost.toFixed(cost < 0.01 ? 4 : 2)}`}
    {tokensToday?.limit != null &&
      `. Of the ${formatNumber(tokensToday.limit)} that the organization allows today, ${formatNumber(tokensToday.used)} are used`}
    .
  </>
);

const Style: FC<{ of: Subject["blog"] }> = ({ of: { _id, name, styleGuide } }) => {
  const mayWrite = useGrant("blogs:write");
  const path = `/console/blogs/${_id}/style`;
  if (hasStyleGuide(styleGuide)) {
    return (
      <>
        It follows the <a href={path}>style guide of {name}</a>.
      </>
    );
  }
  return mayWrite ? <a href={path}>Write a style guide</a> : <></>;
};

const NoModel: FC = () => (
  <p class="alert warn">
    <strong>{ERRORS.ai_not_configured.title}.</strong> Without it, you cannot generate, translate or rewrite articles
    with AI. Everything else works. The operator of the service has to set <code>AI_BASE_URL</code> and{" "}
    <code>AI_MODEL</code> to the endpoint of a provider, such as Ollama, or bind Workers AI.
  </p>
);

const Wishes: FC<FormProps> = ({ subject, state }) => (
  <>
    <TextArea
      state={state}
      name="instructions"
      label="Instructions"
      hint="Anything else that the AI should know. Links that you give here may appear in the article."
      rows={4}
    />
    <TextField
      state={state}
      name="keywords"
      label="Keywords"
      hint={`Up to ${LIMITS.keywords} search terms, separated by commas. The first one is the primary keyword.`}
    />
    {subject.kind !== "translation" && (
      <TextArea
        state={state}
        name="sources"
        label="Sources, one address per line"
        hint="Pages, feeds or texts that the AI writes from. Figures and quotations that none of them has are marked."
        rows={3}
      />
    )}
    <Language subject={subject} state={state} />
    <TextField state={state} name="tone" label="Tone" hint="Such as calm, practical" maxlength={LIMITS.tone} />
    {subject.kind !== "translation" && (
      <>
        <Extent state={state} />
        <TextArea
          state={state}
          name="outline"
          label="Outline"
          hint="Optional. Without one, AI plans the article as well. A line for the “# title”, one for the “Keyword: …”, then each “## section” with its “- points”."
          rows={state.values["outline"] ? 16 : 4}
        />
      </>
    )}
    <Finish state={state} />
  </>
);

/** Without the field, the article is saved as a draft: some members may write drafts only. */
const Finish: FC<{ state: FormState }> = ({ state }) =>
  useGrant("articles:write") ? (
    <SelectField state={state} name="published" label="When finished" choices={THEN} />
  ) : (
    <></>
  );

/** Not for translations: they keep the length and images of their article. */
const Extent: FC<{ state: FormState }> = ({ state }) => (
  <>
    <SelectField
      state={state}
      name="words"
      label="Length"
      choices={LENGTHS.map((words) => ({ value: String(words), label: `About ${words} words` }))}
    />
    <CheckField
      state={state}
      name="images"
      label="Images"
      hint="Generated if an image model is set up."
      choices={IMAGES.map((image) => ({ value: image, label: IMAGE_LABELS[image] }))}
    />
  </>
);

const Language: FC<FormProps> = ({ subject, state }) => {
  if (subject.kind === "rewrite") return <input type="hidden" name="locale" value={subject.article.locale} />;
  const locales = subject.kind === "translation" ? subject.missing : subject.blog.locales;
  if (locales.length === 0) return <OtherLanguage state={state} label="Language" hint={TAG} required />;
  return (
    <>
      <SelectField
        state={state}
        name="locale"
        label="Language"
        choices={locales.map((locale) => ({ value: locale, label: locale }))}
      />
      <OtherLanguage state={state} label="Another language" hint={`Instead of the language above. ${TAG}`} />
    </>
  );
};

const TAG = "A language tag, such as pt-BR.";

type OtherProps = {
  readonly state: FormState;
  readonly label: string;
  readonly hint: string;
  readonly required?: boolean;
};

const OtherLanguage: FC<OtherProps> = (props) => (
  <>
    <TextField name="otherLocale" maxlength={LIMITS.locale} list="known-locales" {...props} />
    <KnownLocales id="known-locales" locales={COMMON_LOCALES} />
  </>
);

const LENGTHS = [LIMITS.wordsLeast, 600, 1200, 2000, LIMITS.wordsMost];

const IMAGE_LABELS: Readonly<Record<(typeof IMAGES)[number], string>> = {
  coverImage: "Cover image",
  inlineImages: "Images in the text",
};

const THEN: readonly Choice[] = [
  { value: "false", label: "Save as a draft to review" },
  { value: "true", label: "Publish immediately" },
];

const SubjectField: FC<FormProps> = ({ subject, state }) => {
  switch (subject.kind) {
    case "topic":
      return (
        <>
          <input type="hidden" name="blogId" value={subject.blog._id} />
          <TextArea state={state} name="topic" label="Topic" rows={3} />
        </>
      );
    case "idea":
      return (
        <>
          <input type="hidden" name="blogId" value={subject.blog._id} />
          <input type="hidden" name="topicId" value={subject.idea._id} />
          <section class="card" aria-label="Topic idea">
            <p class="title" lang={subject.idea.locale}>
              <Outside url={subject.idea.url}>{subject.idea.title}</Outside>
            </p>
            <Gist topic={subject.idea} />
            <About topic={subject.idea} now={new Date()} />
          </section>
        </>
      );
    case "translation":
    case "rewrite":
      return (
        <>
          <input type="hidden" name="articleId" value={subject.article._id} />
          {subject.kind === "translation" && <input type="hidden" name="from" value={subject.article.locale} />}
          <section class="card" aria-label="Article">
            <p class="title">
              <a href={`/console/articles/${subject.article._id}`}>{getTitle(subject.article)}</a>
            </p>
            <p class="hint">
              {subject.article.locale} · {subject.article.slug}
            </p>
          </section>
        </>
      );
  }
};
