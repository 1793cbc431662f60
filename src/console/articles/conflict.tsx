/** The warning in the editor that somebody else has saved the article in the meantime. */
import type { FC } from "hono/jsx";
import { valueOf, type FormState } from "../forms.tsx";
import { Time } from "../time.tsx";
import type { Article } from "./found.ts";
import { FIELDS } from "./members-of.ts";

/** Shows the warning, and each field whose stored value differs from the entered one. */
export const Conflict: FC<{ article: Article; state: FormState }> = ({ article, state }) => {
  const differences = differencesOf(article, state);
  return (
    <div class="alert warn conflict" role="alert">
      {/* Keeps the warning through previews and further refusals: from here on, saving means overwriting. */}
      <input type="hidden" name="overwrite" value="yes" />
      <p>
        <strong>Somebody saved this article after you opened it</strong>, at <Time at={article.lastEditTime} /> (UTC).
        It is {article.published ? "published" : "a draft"}. Nothing of yours was saved: it is in the form below.
      </p>
      {differences.length === 0 ? (
        <p>What is stored now is the same as what you entered.</p>
      ) : (
        <p>These fields are stored differently now. “Overwrite with mine” replaces them with what you entered.</p>
      )}
      {differences.map((difference) => (
        <Compared {...difference} />
      ))}
      <p>
        <a href={`/console/articles/${article._id}`}>Discard mine and open what is stored</a>
      </p>
    </div>
  );
};

type Difference = { readonly label: string; readonly where: string; readonly stored: string; readonly mine: string };

/** A field whose stored value differs from the entered one, folded. */
const Compared: FC<Difference> = (difference) => (
  <details>
    <summary>{headOf(difference)}</summary>
    <Sides of={difference} heads={["Stored now", "Yours"]} />
  </details>
);

/** Returns the name of a field, and the line from which it differs. */
export const headOf = ({ label, where }: Difference): string => `${label}${where}`;

type SidesProps = { readonly of: Difference; readonly heads: readonly [stored: string, mine: string] };

/** The stored and the entered text of a field, side by side, below these headings. */
export const Sides: FC<SidesProps> = ({ of: { stored, mine }, heads }) => (
  <dl class="compared">
    {[stored, mine].map((text, side) => (
      <div>
        <dt>{heads[side]}</dt>
        <dd tabindex={0}>{text === "" ? <em>empty</em> : text}</dd>
      </div>
    ))}
  </dl>
);

/** Returns the fields of the form that differ from the article. */
export function differencesOf(article: Article, state: FormState): Difference[] {
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return names
    .filter((name) => name in state.values && unix(article[name]) !== valueOf(state, name))
    .map((name) => changedLines(FIELDS[name], unix(article[name]), valueOf(state, name)));
}

/** Returns the text with LF line breaks, the form in which the console reads a submitted text. */
export const unix = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** Returns the parts of two texts that differ: without the lines that both begin with and those that both end with. */
function changedLines(label: string, stored: string, mine: string): Difference {
  const [a, b] = [stored.split("\n"), mine.split("\n")];
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before++;
  let after = 0;
  while (after < most - before && a.at(-1 - after) === b.at(-1 - after)) after++;
  const part = (lines: string[]) => lines.slice(before, lines.length - after).join("\n");
  const where = a.length > 1 || b.length > 1 ? `, from line ${before + 1}` : "";
  return { label, where, stored: part(a), mine: part(b) };
}
