/** The kinds of topic sources: their labels and the fields of their forms. */
import type { FC } from "hono/jsx";
import type { TopicSource, TopicSourceKind } from "../../../domain/topic-source.ts";

type Member = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: true;
  readonly initial?: string;
};

type Kind = {
  readonly label: string;
  /** The fields of the form. The first required one shows the error if a trial of the source fails. */
  readonly members: readonly Member[];
};

export const KINDS: Readonly<Record<TopicSourceKind, Kind>> = {
  feed: {
    label: "Feed",
    members: [{ name: "url", label: "URL", required: true, hint: "RSS, Atom or JSON Feed" }],
  },
  hackernews: {
    label: "Hacker News",
    members: [{ name: "query", label: "Search for", hint: "Words in stories. Leave blank for the front page." }],
  },
  discourse: {
    label: "Discourse",
    members: [
      { name: "url", label: "Site URL", required: true, hint: "Such as https://meta.discourse.org" },
      { name: "category", label: "Category", hint: "Its slug, as in the URL. Leave blank for all." },
      { name: "tag", label: "Tag", hint: "Leave blank for all." },
    ],
  },
  reddit: {
    label: "Reddit",
    members: [{ name: "subreddit", label: "Subreddit", required: true, hint: "Without r/, such as typescript" }],
  },
  stackexchange: {
    label: "Stack Exchange",
    members: [
      { name: "tag", label: "Tag", required: true, hint: "Such as typescript" },
      {
        name: "site",
        label: "Site",
        required: true,
        hint: "Its name in the API, such as stackoverflow or travel",
        initial: "stackoverflow",
      },
    ],
  },
  lobsters: {
    label: "Lobsters",
    members: [{ name: "tag", label: "Tag", hint: "Such as databases. Leave blank for the hottest of all." }],
  },
  lemmy: {
    label: "Lemmy",
    members: [
      { name: "url", label: "Community URL", required: true, hint: "Such as https://lemmy.world/c/technology" },
    ],
  },
};

export const isKind = (kind: string): kind is TopicSourceKind => Object.hasOwn(KINDS, kind);

type Shown = { readonly kind: string; readonly name: string; readonly [member: string]: unknown };

export const SourceName: FC<{ source: Shown | TopicSource }> = ({ source }) => (
  <div>
    <strong>{source.name}</strong>
    <p class="hint">{describeSource(source)}</p>
  </div>
);

function describeSource(source: Shown): string {
  if (!isKind(source.kind)) return source.kind;
  const { label, members } = KINDS[source.kind];
  const values = members.map(({ name }) => source[name]).filter((value) => typeof value === "string" && value !== "");
  return [label, ...values].join(" · ");
}
