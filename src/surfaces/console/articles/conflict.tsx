/** The editor's warning that somebody else has saved the article, and how two texts differ. */
import type { FC } from "hono/jsx";
import { countCommonEnds } from "../../../lib/ends.ts";
import { getValue, type FormState } from "../forms.tsx";
import type { FormValues } from "../submission.ts";
import { Time, Utc } from "../time.tsx";
import type { Edited } from "./edited.ts";
import { LABELS } from "./field-labels.ts";
import { normalizeLineBreaks } from "../../../lib/text.ts";

type ConflictProps = {
  readonly edited: Edited;
  /** The stored values; `state` has the entered ones. */
  readonly stored: FormValues;
  readonly state: FormState;
};

export const Conflict: FC<ConflictProps> = ({ edited: { article, copy }, stored, state }) => {
  const differences = listDifferences(stored, omitUntouched(state.values));
  return (
    <div class="alert warn conflict" role="alert">
      {/* Keeps the warning through previews and further refusals: from here on, saving means overwriting. */}
      <input type="hidden" name="overwrite" value="yes" />
      <p>
        <strong>Somebody saved this article after you opened it</strong>, at{" "}
        <Time at={(copy ?? article).lastEditTime} />
        <Utc />. It is {article.published ? "published" : "a draft"}. Your changes are not saved. They are in the form
        below.
      </p>
      {differences.length === 0 ? (
        <p>The saved version matches what you entered.</p>
      ) : (
        <p>These fields differ from the saved version. “Overwrite” replaces them with yours.</p>
      )}
      {differences.map((difference) => (
        <details>
          <summary>{difference.label + difference.where}</summary>
          <Sides of={difference} heads={["Saved", "Yours"]} />
        </details>
      ))}
      <p>
        <a href={`/console/articles/${article._id}`}>Discard my changes and open the saved version</a>
      </p>
    </div>
  );
};

type Difference = { readonly label: string; readonly where: string; readonly stored: string; readonly mine: string };

type SidesProps = { readonly of: Difference; readonly heads: readonly [stored: string, mine: string] };

const Sides: FC<SidesProps> = ({ of: { stored, mine }, heads }) => (
  <dl class="compared">
    {[stored, mine].map((text, side) => (
      <div>
        <dt>{heads[side]}</dt>
        <dd tabindex={0}>{text === "" ? <em>Empty</em> : text}</dd>
      </div>
    ))}
  </dl>
);

type DifferencesProps = { readonly of: readonly Difference[]; readonly heads: SidesProps["heads"] };

export const Differences: FC<DifferencesProps> = ({ of, heads }) => (
  <section class="differences" aria-labelledby="differences">
    <h2 id="differences">Changes</h2>
    {of.length === 0 && <p class="hint">No changes.</p>}
    {of.map((difference) => (
      <>
        <h3>{difference.label + difference.where}</h3>
        <Sides of={difference} heads={heads} />
      </>
    ))}
  </section>
);

/** Returns the fields whose entered value differs from the stored one. Fields that the form lacks are left out. */
export function listDifferences(stored: FormValues, entered: FormValues): Difference[] {
  const before = (name: string) => normalizeLineBreaks(getValue({ values: stored }, name));
  const after = (name: string) => normalizeLineBreaks(getValue({ values: entered }, name));
  return Object.entries(LABELS)
    .filter(([name]) => name in entered && before(name) !== after(name))
    .map(([name, label]) => compareLines(label, before(name), after(name)));
}

/** Returns the values without unchanged tags and authors, which are not saved (labels.tsx). */
function omitUntouched(values: FormValues): FormValues {
  const left = (["tags", "authors"] as const).filter((name) => values[name] === values[`${name}Before`]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(left as string[]).includes(name)));
}

/** Returns the parts of two texts that differ, without the lines that are the same at the start and at the end. */
function compareLines(label: string, stored: string, mine: string): Difference {
  const [a, b] = [stored.split("\n"), mine.split("\n")];
  const { before, after } = countCommonEnds(a, b);
  const part = (lines: string[]) => lines.slice(before, lines.length - after).join("\n");
  const where = a.length > 1 || b.length > 1 ? `, from line ${before + 1}` : "";
  return { label, where, stored: part(a), mine: part(b) };
}
