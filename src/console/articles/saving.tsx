/** What the editor says of saving: changes that are not applied yet, and the place of the script that saves by itself. */
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
};

/**
 * Where the script src/browser/autosave.ts shows its state. Without scripts, it is empty. The script keeps unsaved text in
 * the browser for this person, in this organization, alone.
 */
export const Autosave: FC<AutosaveProps> = ({ c, id, guard }) => (
  <>
    <div
      class="autosave"
      data-autosave={id}
      data-person={personOf(c).id}
      data-organization={principalOf(c).organizationId}
      data-stored={guard === "unchanged" ? "" : undefined}
    />
    <script type="module" src="/console/autosave.js"></script>
  </>
);

type UnappliedProps = { readonly c: ConsoleContext; readonly edited: Edited };

/**
 * Says that an article has changes that its readers, or the draft, do not have yet. If it has none, it is hidden: the
 * script shows it once it has saved some.
 */
export async function Unapplied({ c, edited: { article, copy } }: UnappliedProps) {
  const saved = copy && (
    <>
      , saved <Time at={copy.lastEditTime} /> by {(await findMakers(c, [copy.by]))(copy.by)}
    </>
  );
  const path = `/console/articles/${article._id}`;
  return (
    <p class="alert" role="status" data-unapplied hidden={copy === null}>
      {article.published ? (
        <>
          There are <strong>changes that readers do not see</strong>
          {saved}. <a href={`${path}/publish`}>Compare and publish</a>
        </>
      ) : (
        <>
          There are changes that are <strong>not part of the draft yet</strong>
          {saved}. “Save” makes them part of it
          {article.schedule !== null && <strong>; until then, its schedule publishes the draft without them</strong>}.
        </>
      )}{" "}
      <a href={`${path}/discard`}>Discard them…</a>
    </p>
  );
}

/** Says that somebody has published or unpublished the article since the page was made. Hidden until the script knows of it. */
export const Turned: FC<{ of: Edited["article"] }> = ({ of: { _id, published } }) => (
  <p class="alert warn" role="status" data-turned={published ? "published" : "draft"} hidden>
    Somebody has <strong>{published ? "unpublished" : "published"} this article</strong> since you opened this page.{" "}
    <a href={`/console/articles/${_id}`}>Open it as it is now</a>
  </p>
);
