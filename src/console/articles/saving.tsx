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

/** Says that an article has changes that its readers, or the draft, do not have yet. Null if it has none. */
export async function Unapplied({ c, edited: { article, copy } }: { c: ConsoleContext; edited: Edited }) {
  if (copy === null) return null;
  const by = (await findMakers(c, [copy.by]))(copy.by);
  const path = `/console/articles/${article._id}`;
  const saved = (
    <>
      , saved <Time at={copy.lastEditTime} /> by {by}
    </>
  );
  return article.published ? (
    <p class="alert" role="status">
      There are <strong>changes that readers do not see</strong>
      {saved}. <a href={`${path}/publish`}>Compare them with what is live</a>
    </p>
  ) : (
    <p class="alert" role="status">
      This text is kept apart from the draft{saved}. “Save” puts it into the draft
      {article.schedule !== null && <strong>: until then, its schedule publishes the draft without it</strong>}.
    </p>
  );
}
