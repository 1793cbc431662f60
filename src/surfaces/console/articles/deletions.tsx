/** Notices of pending deletions, with a button to undo them, and of failed ones. They work without scripts. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import type { DeletionValue } from "../../../operations/deletions.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { can, perform } from "../session.ts";
import { formatCount } from "../words.ts";
import { formatDays } from "../time.tsx";
import { getTitle, requireWriter } from "./found.ts";
import { TRASH_PATH } from "./trash.tsx";

/** The most deletions that the list of articles shows: those of one bulk request. */
const MOST = LIMITS.bulkArticles;

/** Returns the pending and failed deletions of the organization, or of one article. */
export async function readDeletions(c: ConsoleContext, articleId?: string): Promise<DeletionValue[]> {
  if (!can(c, "articles:write")) return [];
  return (await perform(c, registry.listDeletions, { limit: MOST, articleId })).value;
}

export const deletions = new Hono<ConsoleEnv>();

/** Undoes pending deletions of these articles, and dismisses failed ones. */
deletions.post("/keep", async (c) => {
  requireWriter(c);
  const form = await readForm(c);
  const articleIds = form.all("articleIds");
  const back = form.text("back");
  const [first] = articleIds;
  const path = back === "article" && first ? `/console/articles/${first}` : toListPath(back);
  const input = { action: "keep", articleIds };
  const { value } = await perform(c, registry.changeArticles, input, form);
  const late = value.filter(({ outcome }) => outcome === "refused");
  if (late.length === 0) return goTo(c, path, form.has("failed") ? undefined : "article-kept");
  if (late.length < articleIds.length || late.some(({ code }) => code !== "not_found")) {
    return goTo(c, toListPath(back), "some-kept");
  }
  return page(
    c,
    "Too late to undo",
    <>
      <p class="alert warn" role="alert">
        {articleIds.length === 1 ? "The article was" : "The articles were"} already deleted, or somebody else undid the
        deletion. What was deleted is in the <a href={TRASH_PATH}>trash</a>.
      </p>
      <p>
        <a href="/console/articles">All articles</a>
      </p>
    </>,
    409,
  );
});

const toListPath = (query: string): string => {
  const kept = new URLSearchParams(query === "article" ? "" : query).toString();
  return kept === "" ? "/console/articles" : `/console/articles?${kept}`;
};

type DeletionsProps = {
  readonly of: readonly DeletionValue[];
  /** Where the button leads: the query of the list, or "article" for the article's own page. */
  readonly back: string;
};

export const Deletions: FC<DeletionsProps> = ({ of, back }) => {
  const waiting = of.filter(({ state }) => state === "waiting");
  const failed = of.filter(({ state }) => state === "failed");
  return (
    <>
      {waiting.length > 0 && <Waiting of={waiting} back={back} />}
      {failed.map((each) => (
        <Failed of={each} back={back} />
      ))}
    </>
  );
};

/** How many titles are named before the rest is counted. */
const NAMED = 3;

const Waiting: FC<DeletionsProps> = ({ of, back }) => {
  const rest = of.length - NAMED;
  const titles = of.slice(0, NAMED).map((each) => `“${getTitle(each)}”`);
  const names = rest > 0 ? `${titles.join(", ")} and ${formatCount(rest, "other article")}` : titles.join(", ");
  // Until the last deletion is due, there is something to undo.
  const seconds = Math.max(0, ...of.map(({ dueTime }) => Math.ceil((Date.parse(dueTime) - Date.now()) / 1000)));
  return (
    <div class="alert warn undo" role="status" data-undo>
      <p>
        {names} will be deleted{" "}
        {seconds > 0 ? (
          <>
            in <strong data-seconds={seconds}>{formatCount(seconds, "second")}</strong>.
          </>
        ) : (
          "any moment now."
        )}{" "}
        Until then, nothing changes for readers. After that, you can restore {of.length === 1 ? "it" : "them"} from the{" "}
        <a href={TRASH_PATH}>trash</a> for {formatDays(LIMITS.trashDays)}.
      </p>
      <Keep of={of} back={back} submit="Undo" />
    </div>
  );
};

const Failed: FC<{ of: DeletionValue; back: string }> = ({ of, back }) => (
  <div class="alert bad undo" role="status">
    <p>
      “{getTitle(of)}” <strong>was not deleted</strong>:{" "}
      {of.failure?.code === "precondition_failed"
        ? "somebody changed it in the meantime."
        : of.failure?.detail.replace(/^Who/, "who")}{" "}
      {back !== "article" && (
        <>
          <a href={`/console/articles/${of.articleId}`}>View it</a> or{" "}
        </>
      )}
      <a href={`/console/articles/${of.articleId}/delete`}>
        {back === "article" ? "Delete" : "delete"} the current version
      </a>
      .
    </p>
    <Keep of={[of]} back={back} submit="Keep article" failed />
  </div>
);

type KeepProps = DeletionsProps & { readonly submit: string; readonly failed?: boolean };

const Keep: FC<KeepProps> = ({ of, back, submit, failed }) => (
  <Form action="/console/articles/keep" inline>
    {of.map(({ articleId }) => (
      <input type="hidden" name="articleIds" value={articleId} />
    ))}
    <input type="hidden" name="back" value={back} />
    {failed && <input type="hidden" name="failed" value="yes" />}
    <button type="submit" class="quiet small">
      {submit}
    </button>
  </Form>
);
