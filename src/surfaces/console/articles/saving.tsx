/** What the editor says of saving: unpublished changes, and the place of the script that saves by itself. */
import type { FC } from "hono/jsx";
import type { ConsoleContext } from "../env.ts";
import { personOf, principalOf } from "../session.ts";
import { Time } from "../time.tsx";
import type { Edited } from "./edited.ts";
import { findMakers } from "./makers.ts";

type AutosaveProps = {
  readonly c: ConsoleContext;
  /** The id of the article; "" for one that does not exist yet. */
  readonly id: string;
  /** "changed" if the form has more than what is stored. */
  readonly guard: "changed" | "unchanged";
  /** Whether readers see the article. */
  readonly live?: boolean;
};

/**
 * Where the script packages/browser/autosave.ts shows its state. Without scripts, it is empty. The script keeps unsaved text in
 * the browser for this person, in this organization, alone.
 */
export const Autosave: FC<AutosaveProps> = ({ c, id, guard, live = false }) => (
  <>
    <div
      class="autosave"
      data-autosave={id}
      data-person={personOf(c).id}
      data-organization={principalOf(c).organizationId}
      data-stored={guard === "unchanged" ? "" : undefined}
      data-live={live ? "" : undefined}
    />
    <script type="module" src="/console/autosave.js"></script>
  </>
);

type UnpublishedProps = { readonly c: ConsoleContext; readonly edited: Edited };

/**
 * Says that a published article has changes that its readers do not see. If it has none, it is hidden: the script shows it
 * once it has saved some.
 */
export async function Unpublished({ c, edited: { article, copy } }: UnpublishedProps) {
  if (!article.published) return null;
  const path = `/console/articles/${article._id}`;
  return (
    <p class="alert" role="status" data-unpublished hidden={copy === null}>
      This article has <strong>unpublished changes</strong>
      {copy && (
        <>
          , saved <Time at={copy.lastEditTime} /> by {(await findMakers(c, [copy.by]))(copy.by)}
        </>
      )}
      . <a href={`${path}/publish`}>Compare and publish</a> <a href={`${path}/discard`}>Discard…</a>
    </p>
  );
}

/** Says that somebody has published or unpublished the article since the page was made. Hidden until the script knows of it. */
export const Turned: FC<{ published: boolean }> = ({ published }) => (
  <p class="alert warn" role="status" data-turned={published ? "published" : "draft"} hidden>
    Somebody has <strong>{published ? "unpublished" : "published"} this article</strong> since you opened this page.{" "}
    <a href="">Open the current version</a>
  </p>
);
