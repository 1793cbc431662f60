/** The list of requests for approval. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { capitalize } from "../../../lib/text.ts";
import type { ApprovalValue } from "../../../operations/approvals.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { perform } from "../session.ts";
import { Table } from "../table.tsx";
import { Time, ZonedTime } from "../time.tsx";
import { getTitle } from "./found.ts";
import { loadActorNames } from "./makers.ts";

export const APPROVALS_PATH = "/console/approvals";

export const approvals = new Hono<ConsoleEnv>();

approvals.get("/", async (c) => {
  const { value, next } = await perform(c, registry.listApprovals, { cursor: c.req.query("cursor") || undefined });
  const nameActor = await loadActorNames(
    c,
    value.map(({ requestedBy }) => requestedBy),
  );
  return page(
    c,
    "Approvals",
    <>
      <p>
        Agents and contributors who may only write drafts ask here that an article is published, unpublished or deleted.
        Nothing happens until somebody approves what they see.
      </p>
      {value.length === 0 ? (
        <p class="empty">Nothing waits for approval.</p>
      ) : (
        <Table
          label="Requests, newest first"
          rows={value}
          columns={[
            {
              head: "Article",
              names: true,
              class: "title",
              cell: (each) => (
                <a href={`/console/articles/${each.articleId}/approval`} dir="auto">
                  {getTitle(each)}
                </a>
              ),
            },
            { head: "Asks to", cell: (each) => <Wish of={each} /> },
            { head: "Asked by", cell: ({ requestedBy }) => capitalize(nameActor(requestedBy)) },
            { head: "Asked", cell: ({ creationTime }) => <Time at={creationTime} /> },
            { head: "Status", cell: (each) => <State of={each} /> },
          ]}
        />
      )}
      <Next path={APPROVALS_PATH} query={{}} cursor={next} />
    </>,
  );
});

const VERBS: Readonly<Record<ApprovalValue["action"], string>> = {
  publish: "publish it",
  unpublish: "unpublish it",
  delete: "delete it",
};

/** What is asked for. */
export const Wish: FC<{ of: ApprovalValue }> = ({
  of: { action, published, publishTime, unpublishTime, timeZone },
}) => (
  <>
    {action === "publish" && published ? "publish its changes" : VERBS[action]}
    {publishTime !== null && (
      <>
        {" "}
        on <ZonedTime at={publishTime} timeZone={timeZone} />
      </>
    )}
    {unpublishTime !== null && (
      <>
        {action === "publish" && ", and unpublish it"} on <ZonedTime at={unpublishTime} timeZone={timeZone} />
      </>
    )}
  </>
);

const State: FC<{ of: ApprovalValue }> = ({ of: { state, changed } }) =>
  state === "declined" ? (
    <span class="badge">Declined</span>
  ) : (
    <span class="badge warn">{changed ? "Waiting, changed since" : "Waiting"}</span>
  );
