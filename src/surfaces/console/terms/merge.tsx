/** Merges a tag or an author into another one, after a confirmation. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { TermKind } from "../../../domain/terms.ts";
import { DomainError } from "../../../domain/errors.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, SelectField, toChoices, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can } from "../session.ts";
import { formatCount, formatNumber } from "../words.ts";
import { ACTIONS, toListPath, type Term } from "./actions.ts";

type ShowOne = (c: ConsoleContext, kind: TermKind, state: FormState, status?: Status) => Promise<Response>;

/** Returns the page that merges. `showOne` shows the page of the term again, after a form that was refused. */
export function makeMergePages(kind: TermKind, showOne: ShowOne) {
  const pages = new Hono<ConsoleEnv>();

  onSubmit(pages, `/:blogId/${kind}s/:id/merge`, {
    again: (c, state, status) => showOne(c, kind, state, status),
    async work(c, form) {
      const [id, into] = [param(c, "id"), form.text("into")];
      if (into === "") throw new DomainError("invalid_request", `Choose the ${kind} to merge it into.`);
      if (form.text("sure") !== "yes") return confirm(c, kind, { id, into });
      await ACTIONS[kind].merge(c, id, into, form);
      return goTo(c, `${toListPath(c, kind)}/${into}`, "term-merged");
    },
  });
  return pages;
}

async function confirm(c: ConsoleContext, kind: TermKind, { id, into }: { id: string; into: string }) {
  if (!can(c, "articles:write")) throw new DomainError("role_forbidden");
  const { find } = ACTIONS[kind];
  const [{ term }, { term: other }] = [await find(c, id), await find(c, into)];
  const path = `${toListPath(c, kind)}/${id}`;
  return page(
    c,
    `Merge “${term.name}” into “${other.name}”?`,
    <ConfirmDelete action={`${path}/merge`} submit="Merge" keep={{ path, text: "Cancel" }}>
      <input type="hidden" name="into" value={into} />
      <input type="hidden" name="sure" value="yes" />
      <p>
        {term.articles === 0
          ? `No articles have “${term.name}”.`
          : `${formatCount(term.articles, "article")} with “${term.name}” will have “${other.name}” instead (${formatNumber(term.publishedArticles)} published).`}{" "}
        {formatCount(other.articles, "article")} {other.articles === 1 ? "has" : "have"} “{other.name}” already. “
        {term.name}” is deleted. This cannot be undone.
      </p>
    </ConfirmDelete>,
  );
}

export const Merge: FC<{ kind: TermKind; path: string; others: readonly Term[] }> = ({ kind, path, others }) =>
  others.length === 0 ? null : (
    <>
      <h2>Merge</h2>
      <Form action={`${path}/merge`} submit="Merge…" tone="quiet">
        <SelectField
          state={newForm()}
          name="into"
          label="Merge into"
          hint={`All articles get that ${kind} instead, and this one is deleted.`}
          choices={toChoices(others)}
          choose
        />
      </Form>
    </>
  );
