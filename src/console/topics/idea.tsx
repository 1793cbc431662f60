/** One topic idea, with what can be done about it. */
import type { FC, PropsWithChildren } from "hono/jsx";
import type { z } from "zod";
import { DAY_MS } from "../../lib/time.ts";
import type { registry } from "../../operations/registry.ts";
import { isWebUrl } from "../../lib/web-url.ts";
import { Form } from "../forms.tsx";

export type Topic = z.infer<typeof registry.listTopics.output>[number];

type IdeaProps = {
  readonly topic: Topic;
  /** The query of the page that it is on. */
  readonly here: string;
  readonly mayJudge: boolean;
  readonly mayWrite: boolean;
  readonly now: Date;
};

/** An idea of the list. */
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
      {topic.articleId !== null && <a href={`/console/articles/${topic.articleId}`}>The article</a>}
      {mayWrite && topic.articleId === null && topic.status !== "dismissed" && (
        <a class="button" href={`/console/articles/generate?blog=${topic.blogId}&topic=${topic._id}`}>
          Write about it<span class="unseen">: {topic.title}</span>
        </a>
      )}
      {mayJudge && topic.articleId === null && <Judge topic={topic} here={here} />}
    </div>
  </li>
);

/** What could be written about it, else what the item says. */
export const Gist: FC<{ topic: Topic }> = ({ topic }) => {
  const text = topic.angle || topic.summary;
  return text === "" ? <></> : <p lang={topic.locale}>{text}</p>;
};

/** Where an idea comes from, how old it is, and what it is about, in one line. */
export const About: FC<{ topic: Topic; now: Date }> = ({ topic, now }) => (
  <div class="about">
    <span class={topic.status === "used" ? "badge good" : "badge"}>{topic.status}</span>
    <span>{topic.source.name}</span>
    {topic.mentions.length > 0 && (
      <span>
        also in{" "}
        {topic.mentions.map(({ url, source }, index) => (
          <>
            {index > 0 && ", "}
            <Outside url={url}>{source.name}</Outside>
          </>
        ))}
      </span>
    )}
    <span>
      found <time datetime={topic.creationTime}>{ageOf(topic.creationTime, now)}</time>
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

/** A link out of the console. Anything that is not a web address stays text: sources belong to other people. */
export const Outside: FC<PropsWithChildren<{ url: string }>> = ({ url, children }) =>
  isWebUrl(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <>{children}</>
  );

const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);

const ages = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How many days of the calendar (UTC) ago something was: "today", "yesterday", "3 days ago". */
function ageOf(time: string, now: Date): string {
  return ages.format(dayOf(new Date(time)) - dayOf(now), "day");
}
