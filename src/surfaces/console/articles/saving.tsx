/** The editor's notices about saving: the state of autosave, and unpublished changes. */
import type { FC } from "hono/jsx";
import type { ConsoleContext } from "../env.ts";
import { can, getPerson, getPrincipal } from "../session.ts";
import { Time } from "../time.tsx";
import type { Edited } from "./edited.ts";
import { loadActorNames } from "./makers.ts";

type AutosaveProps = {
  readonly c: ConsoleContext;
  /** The id of the article; "" for a new one. */
  readonly id: string;
  /** "changed" if the form contains unsaved input. */
  readonly guard: "changed" | "unchanged";
  readonly live?: boolean;
};

/**
 * Where the script (packages/browser/autosave.ts) shows its state. It is empty without scripts. The script keeps
 * unsaved text in the browser, for this person in this organization only.
 */
export const Autosave: FC<AutosaveProps> = ({ c, id, guard, live = false }) => (
  <>
    <div
      class="autosave"
      data-autosave={id}
      data-person={getPerson(c).id}
      data-organization={getPrincipal(c).organizationId}
      data-stored={guard === "unchanged" ? "" : undefined}
      data-live={live ? "" : undefined}
    />
    <script type="module" src="/console/autosave.js"></script>
  </>
);

type UnpublishedProps = { readonly c: ConsoleContext; readonly edited: Edited };

/**
 * Says that a published article has unpublished changes. The script shows it once it has saved some, and then hides who
 * saved the earlier ones, and when.
 */
export async function Unpublished({ c, edited: { article, copy } }: UnpublishedProps) {
  if (!article.published) return null;
  const path = `/console/articles/${article._id}`;
  return (
    <p class="alert" role="status" data-unpublished hidden={copy === null}>
      This article has <strong>unpublished changes</strong>
      {copy && (
        <span data-earlier>
          , saved <Time at={copy.lastEditTime} /> by {(await loadActorNames(c, [copy.by]))(copy.by)}
        </span>
      )}
      . {can(c, "articles:write") && <a href={`${path}/publish`}>Compare and publish</a>}{" "}
      <a href={`${path}/discard`}>Discard…</a>
    </p>
  );
}

/** Says that somebody has published or unpublished the article. The script shows it. */
export const Turned: FC<{ published: boolean }> = ({ published }) => (
  <p class="alert warn" role="status" data-turned={published ? "published" : "draft"} hidden>
    Somebody has <strong>{published ? "unpublished" : "published"} this article</strong> since you opened this page.{" "}
    <a href="">Open the current version</a>
  </p>
);
