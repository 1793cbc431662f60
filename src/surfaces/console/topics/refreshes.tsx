/** The route that starts a refresh of a blog's sources, and the page that shows its progress and results. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { Time, Utc } from "../time.tsx";
import { formatCount } from "../words.ts";
import { SourceName } from "./kinds.tsx";
import { capitalize } from "../../../lib/text.ts";

/** How often the page of a running refresh reloads. */
const RELOAD_SECONDS = 3;

type Refresh = z.infer<typeof registry.showRefresh.output>;
type RefreshedSource = Refresh["sources"][number];

export const refreshes = new Hono<ConsoleEnv>();

refreshes.post("/refresh", async (c) => {
  const form = await readForm(c);
  const blogId = form.text("blogId");
  try {
    const { value } = await perform(c, registry.refreshTopics, { blogId }, form);
    return goTo(c, `/console/topics/refreshes/${value._id}`);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "no_topic_sources") throw error;
    // The list of ideas explains that the blog has no sources, and how to add one.
    return goTo(c, `/console/topics?${new URLSearchParams({ blog: blogId }).toString()}`);
  }
});

refreshes.get("/refreshes/:id", async (c) => {
  const { value } = await perform(c, registry.showRefresh, { refreshId: c.req.param("id") });
  return show(c, value);
});

export const LookButton: FC<{ blogId: string }> = ({ blogId }) => (
  <Form action="/console/topics/refresh" submit="Refresh" inline>
    <input type="hidden" name="blogId" value={blogId} />
  </Form>
);

function show(c: ConsoleContext, refresh: Refresh): Promise<Response> {
  const { sources, state } = refresh;
  const isRunning = state === "running";
  if (isRunning) c.header("Refresh", String(RELOAD_SECONDS));
  const read = sources.filter((source) => source.state !== "waiting" && source.state !== "reading").length;
  const created = sources.reduce((sum, source) => sum + source.created, 0);
  return page(
    c,
    isRunning ? "Refreshing topic ideas" : "Topic ideas refreshed",
    <>
      <p class={isRunning ? "alert" : "alert good"} role="status">
        {isRunning
          ? `${read} of ${formatCount(sources.length, "source")} read. This page reloads until all are read.`
          : `${capitalize(formatCount(created, "new idea"))} from ${formatCount(sources.length, "source")}.`}
      </p>
      <ul class="rows">
        {sources.map((source) => (
          <Row of={source} />
        ))}
      </ul>
      <p class="hint">
        Started <Time at={refresh.creationTime} />
        {refresh.finishTime !== null && (
          <>
            , finished <Time at={refresh.finishTime} />
          </>
        )}
        <Utc />
      </p>
      <p>
        <a class="button" href={`/console/topics?blog=${refresh.blogId}`}>
          View topic ideas
        </a>
      </p>
    </>,
  );
}

const STATES: Readonly<Record<RefreshedSource["state"], { readonly tone: string; readonly label: string }>> = {
  waiting: { tone: "", label: "Waiting" },
  reading: { tone: "", label: "Reading" },
  read: { tone: "good", label: "Read" },
  unchanged: { tone: "", label: "Nothing new" },
  failed: { tone: "bad", label: "Failed" },
};

const Row: FC<{ of: RefreshedSource }> = ({ of: { source, state, ...result } }) => (
  <li>
    <SourceName source={source} />
    <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
    {state === "read" && <p class="url">{describeResult(result)}</p>}
    {result.detail !== null && <p class="url">{result.detail}</p>}
  </li>
);

function describeResult({ found, created, merged, refused }: Omit<RefreshedSource, "source" | "state">): string {
  const reasons = refused.map(({ reason, count }) => `${toReason(reason)} (${count})`);
  if (found === 0) return "The source is empty.";
  return [
    `${formatCount(found, "item")}: ${formatCount(created, "new idea")}`,
    ...(merged > 0 ? [`${merged} covered by existing ideas`] : []),
    ...(reasons.length > 0 ? [`skipped: ${reasons.join(", ")}`] : []),
  ]
    .join("; ")
    .concat(".");
}

/** The API's reasons are singular ("has no title"). "no title" fits any number of items. */
const toReason = (reason: string): string =>
  reason === "is known" ? "already known" : reason.replace(/^(?:is|has) /, "");
