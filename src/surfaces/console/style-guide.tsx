/** The page "Style guide" of a blog: how its texts are written, and what they do not say. */
import { Hono } from "hono";
import { useContext, type FC } from "hono/jsx";
import { DomainError, type FieldError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { hasStyleGuide, type AvoidedTerm } from "../../domain/style-guide.ts";
import { registry } from "../../operations/registry.ts";
import { Reading } from "./articles/reading.tsx";
import { findBlog } from "./blogs.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, Form, getValue, newForm, TextArea, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { can, perform } from "./session.ts";
import { VisitContext } from "./visit.ts";
import { atVersion, Version, withVersion } from "./version.tsx";

export const styleGuide = new Hono<ConsoleEnv>();

const getPath = (blogId: string): string => `/console/blogs/${blogId}/style`;

styleGuide.get("/:id/style", async (c) => {
  const { blog, version } = await findBlog(c, c.req.param("id"));
  const { text, avoid } = blog.styleGuide;
  return show(c, blog, withVersion(newForm({ text, avoid: avoid.map(printTerm).join("\n") }), version));
});

onSubmit(styleGuide, "/:id/style", {
  // Encoded, a letter of other scripts takes nine bytes.
  mostBytes: 2 * LIMITS.formBytes,
  async again(c, state, status) {
    const { blog, version } = await findBlog(c, param(c, "id"));
    return show(c, blog, withVersion(explainErrors(state), version), status);
  },
  async work(c, form) {
    const blogId = param(c, "id");
    const guide = { text: form.text("text").trim(), avoid: parseTerms(form.text("avoid")) };
    await perform(c, registry.updateBlog, { blogId, styleGuide: guide }, atVersion(form));
    return goTo(c, getPath(blogId), "saved");
  },
});

const printTerm = ({ term, use }: AvoidedTerm): string =>
  use === "" && !DIVIDER.test(term) ? term : `${term} → ${use}`.trim();

/** What stands between a term and what to say instead. An arrow counts before an equals sign. */
const DIVIDER = /→|->|=>|=/u;

/** Reads one term for each line. Somebody may have pasted a list with bullets. */
function parseTerms(entered: string): AvoidedTerm[] {
  const lines = entered.split("\n").map((line) => line.replace(/^\s*[-*•]\s/u, "").trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [, term = line, use = ""] = /^(.*?)(?:→|->|=>)(.*)$/u.exec(line) ?? /^(.*?)=(.*)$/u.exec(line) ?? [];
      return { term: term.trim(), use: use.trim() };
    });
}

/** Returns the state with each error at its field. An error in a line says which one. */
function explainErrors(state: FormState): FormState {
  const { problem } = state;
  if (problem === null || state.errors.length === 0) return state;
  const terms = parseTerms(getValue(state, "avoid"));
  const errors = state.errors.map(({ path, message }): FieldError => {
    const [, member = "", index, part] = path.split(".");
    if (member !== "avoid") return { path: "text", message };
    const entry = index === undefined ? undefined : terms[Number(index)];
    if (entry === undefined) return { path: "avoid", message };
    return { path: "avoid", message: `“${shorten(part === "use" ? entry.use : printTerm(entry))}” ${message}` };
  });
  return { ...state, errors, problem: new DomainError(problem.code, problem.message, { errors }) };
}

const shorten = (line: string): string => (line.length > 30 ? `${line.slice(0, 20).toWellFormed()}…` : line);

type Blog = Awaited<ReturnType<typeof findBlog>>["blog"];

const show = (c: ConsoleContext, blog: Blog, state: FormState, status?: Status) =>
  page(
    c,
    `Style guide of “${blog.name}”`,
    <>
      <p class="tabs">
        <a href={`/console/blogs/${blog._id}`}>Blog</a>
        <a href={`/console/articles/generate?blog=${blog._id}`}>Generate an article</a>
      </p>
      <p class="hint">
        AI follows it when it writes, rewrites, translates or helps with a text of this blog. The editor’s advice and
        the checks of generated articles find the words to avoid. Readers do not see it.
      </p>
      {can(c, "blogs:write") ? (
        <Form
          action={getPath(blog._id)}
          state={state}
          submit="Save"
          labels={{ text: TEXT, avoid: AVOID }}
          guard={state.problem === null ? "unchanged" : "changed"}
        >
          <Version of={state} />
          <TextArea
            state={state}
            name="text"
            label={TEXT}
            rows={14}
            maxlength={LIMITS.styleGuide}
            dir="auto"
            hint={`Who reads it, its voice, and its conventions, in your own words or as Markdown, such as “We address readers as you”. Up to ${LIMITS.styleGuide.toLocaleString("en")} characters.`}
          />
          <TextArea
            state={state}
            name="avoid"
            label={AVOID}
            rows={8}
            dir="auto"
            placeholder={"utilize → use\nworld-class"}
            hint={`Up to ${LIMITS.avoidedTerms} words or phrases, one per line. To say what to write instead, add an arrow or an equals sign: “utilize → use” or “utilize = use”. Add other forms, such as “utilizes”, as lines of their own.`}
          />
        </Form>
      ) : (
        <Guide of={blog} />
      )}
    </>,
    status,
  );

const TEXT = "How the blog writes";
const AVOID = "Words to avoid";

/** For those who may not change it. */
const Guide: FC<{ of: Blog }> = ({ of: { styleGuide: guide, locales } }) => {
  const { baseUrl } = useContext(VisitContext);
  if (!hasStyleGuide(guide)) {
    return <p class="empty">This blog has no style guide yet. Ask an owner or an admin to write one.</p>;
  }
  const shown = { description: "", content: guide.text, coverUrl: "", locale: locales[0] ?? "en" };
  return (
    <>
      {guide.text !== "" && <Reading article={shown} origin={baseUrl} title={TEXT} />}
      {guide.avoid.length > 0 && <h2>{AVOID}</h2>}
      <ul>
        {guide.avoid.map((entry) => (
          <li dir="auto">{printTerm(entry)}</li>
        ))}
      </ul>
    </>
  );
};
