/** The page of past generations: what was made, and what it cost. */
import { Hono } from "hono";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { can, perform } from "../session.ts";
import { Table } from "../table.tsx";
import { InUtc, Time } from "../time.tsx";
import { formatNumber } from "../words.ts";
import { generation } from "./show.tsx";

const PAGE = 50;

type Generation = z.infer<typeof registry.listGenerations.output>[number];

export const generations = new Hono<ConsoleEnv>().route("/:id", generation);

generations.get("/", async (c) => {
  const cursor = c.req.query("cursor");
  const { value, next } = await perform(c, registry.listGenerations, { limit: PAGE, ...(cursor && { cursor }) });
  return page(
    c,
    "Generations",
    <>
      <p>
        What AI has written for the organization, newest first. <InUtc />
      </p>
      {value.length === 0 ? (
        <p class="empty">
          No generations yet. What AI writes, translates or rewrites is listed here, with its cost.{" "}
          {can(c, "articles:draft") && <a href="/console/topics">Start with a topic idea</a>}
        </p>
      ) : (
        <Table label="Generations" rows={value} columns={COLUMNS} />
      )}
      {can(c, "articles:draft") && (
        <p>
          <a href="/console/articles/generate">Generate an article</a>
        </p>
      )}
      <Next path="/console/generations" cursor={next} />
    </>,
  );
});

const COLUMNS = [
  { head: "Started", cell: (generation: Generation) => renderStart(generation) },
  { head: "Result", cell: (generation: Generation) => renderOutcome(generation) },
  { head: "Model", cell: ({ model }: Generation) => model, class: "clip" },
  {
    head: "Tokens",
    cell: ({ inputTokens, outputTokens }: Generation) => formatNumber(inputTokens + outputTokens),
    class: "number",
  },
  { head: "Seconds", cell: ({ durationMs }: Generation) => formatSeconds(durationMs), class: "number" },
  { head: "US$", cell: ({ cost }: Generation) => (cost === null ? "" : cost.toFixed(4)), class: "number" },
];

function renderStart({ _id, state, creationTime }: Generation) {
  if (state === "answered") return <Time at={creationTime} />;
  return (
    <a href={`/console/generations/${_id}`}>
      <Time at={creationTime} />
    </a>
  );
}

function renderOutcome({ state, code, articleId }: Generation) {
  if (state === "running") return <span class="badge">Running</span>;
  if (state === "answered") return "Suggestion";
  if (state === "failed") return <span class="badge warn">{code ?? "Failed"}</span>;
  return articleId === null ? "Saved" : <a href={`/console/articles/${articleId}`}>Article</a>;
}

const formatSeconds = (ms: number | null): string => (ms === null ? "" : Math.max(1, Math.round(ms / 1000)).toString());
