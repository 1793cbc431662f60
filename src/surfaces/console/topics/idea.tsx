/** Shows a topic idea and its buttons. */
import type { FC, PropsWithChildren } from "hono/jsx";
import type { z } from "zod";
import { DAY_MS } from "../../../lib/time.ts";
import type { registry } from "../../../operations/registry.ts";
import { isWebUrl } from "../../../lib/web-url.ts";
import { Form } from "../forms.tsx";
import { capitalize } from "../../../lib/text.ts";

export type Topic = z.infer<typeof registry.listTopics.output>[number];

type IdeaProps = {
  readonly topic: Topic;
  /** The query string of the current page, to which a button returns. */
  readonly here: string;
  readonly mayJudge: boolean;
  readonly mayWrite: boolean;
  readonly now: Date;
};

export const Idea: FC<IdeaProps> = ({ topic, here, mayJudge, mayWrite, now }) => (
  <li>
    <div>
      <h2 lang={topic.locale}>
        <Outside url={topic.url}>{topic.title}</Outside>
      </h2>
      <Gist topic={topic} />
      <About topic={topic} now={now} />
    </div>
    <div class="row">
      {topic.articleId !== null && <a href={`/console/articles/${topic.articleId}`}>View article</a>}
      {mayWrite && topic.articleId === null && topic.status !== "dismissed" && (
        <a class="button" href={`/console/articles/generate?blog=${topic.blogId}&topic=${topic._id}`}>
          Generate article<span class="unseen">: {topic.title}</span>
        </a>
      )}
      {mayJudge && topic.articleId === null && <Judge topic={topic} here={here} />}
    </div>
  </li>
);

/** Shows the suggested angle, or the summary of the item if there is none. Renders nothing if both are empty. */
export const Gist: FC<{ topic: Topic }> = ({ topic }) => {
  const text = topic.angle || topic.summary;
  return text === "" ? <></> : <p lang={topic.locale}>{text}</p>;
};

/** Lists the mentions other than the item of which the idea was made. */
const Others: FC<{ topic: Topic }> = ({ topic }) => {
  const isOwn = ({ url, source }: Topic["mentions"][number]) =>
    url === topic.url && source.kind === topic.source.kind && source.name === topic.source.name;
  const others = topic.mentions.filter((mention) => !isOwn(mention));
  if (others.length === 0) return <></>;
  return (
    <span>
      also in{" "}
      {others.map(({ url, source }, index) => (
        <>
          {index > 0 && ", "}
          <Outside url={url}>{source.name}</Outside>
        </>
      ))}
    </span>
  );
};

export const About: FC<{ topic: Topic; now: Date }> = ({ topic, now }) => (
  <div class="about">
    <span class={topic.status === "used" ? "badge good" : "badge"}>{capitalize(topic.status)}</span>
    <span>{topic.source.name}</span>
    <Others topic={topic} />
    <span>
      found <time datetime={topic.creationTime}>{formatAge(topic.creationTime, now)}</time>
    </span>
    {topic.keywords.length > 0 && (
      <ul class="badges">
        {topic.keywords.map((keyword) => (
          <li class="badge" lang={topic.locale}>
            {keyword}
          </li>
        ))}
      </ul>
    )}
  </div>
);

const Judge: FC<{ topic: Topic; here: string }> = ({ topic, here }) => (
  <Form action={`/console/topics/${topic._id}`} inline>
    <input type="hidden" name="status" value={topic.status === "new" ? "dismissed" : "new"} />
    <input type="hidden" name="here" value={here} />
    <button type="submit" class="quiet">
      {topic.status === "new" ? "Dismiss" : "Restore"}
      <span class="unseen">: {topic.title}</span>
    </button>
  </Form>
);

/** A link to another site, in a new tab. If the URL is not http or https, it shows only text: sources are untrusted. */
export const Outside: FC<PropsWithChildren<{ url: string }>> = ({ url, children }) =>
  isWebUrl(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <>{children}</>
  );

const toDay = (time: Date): number => Math.floor(time.getTime() / DAY_MS);

const ages = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Returns the age of a time in calendar days (UTC), in words: "today", "yesterday", "3 days ago". */
function formatAge(time: string, now: Date): string {
  return ages.format(toDay(new Date(time)) - toDay(now), "day");
}
