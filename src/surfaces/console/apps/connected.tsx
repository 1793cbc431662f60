/** The connected applications on the account page, and the route that disconnects one. */
import { ACTIONS, Table } from "../table.tsx";
import { getDirectory, openDatabaseOf } from "../../../store/database.ts";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { disconnect, type ListedConnection } from "../../../store/access/system-oauth-connections.ts";
import type { ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { Scopes } from "../keys/lists.tsx";
import { goTo } from "../layout.tsx";
import { getPerson } from "../session.ts";
import { Time } from "../time.tsx";
import { UndoLink } from "../undo.tsx";

export const connectedApps = new Hono<ConsoleEnv>();

connectedApps.post("/:id/disconnect", async (c) => {
  const { env, requestId } = c.env.arrival;
  const actor = { kind: "user", id: getPerson(c).id } as const;
  const ended = await disconnect({
    db: openDatabaseOf(env, "connection", c.req.param("id")),
    records: getDirectory(env),
    id: c.req.param("id"),
    actor,
    requestId,
    now: new Date(),
  });
  if (!ended) throw new DomainError("not_found", "This app is already disconnected.");
  return goTo(c, "/console/account", "app-disconnected");
});

export const ConnectedApps: FC<{ apps: readonly ListedConnection[] }> = ({ apps }) =>
  apps.length === 0 ? (
    <p class="empty">
      No connected apps yet. To connect one, start in the app. It asks for your permission.{" "}
      <a href="/docs/guides/agent-by-mcp">How to connect an agent</a>
    </p>
  ) : (
    <Table
      labelledby="apps"
      rows={apps}
      columns={[
        {
          head: "App",
          cell: ({ clientName, clientId, organization, blog, scopes, creationTime }) => (
            <>
              <bdi>{clientName}</bdi>
              {isUrl(clientId) && <small> {new URL(clientId).hostname}</small>}
              <p class="hint">
                {organization}, {blog ?? "all blogs"}; connected <Time at={creationTime} />
              </p>
              <Scopes scopes={scopes} />
            </>
          ),
        },
        {
          head: "Last used",
          cell: ({ id, lastUsedTime }) =>
            lastUsedTime === null ? (
              "never"
            ) : (
              <>
                <Time at={lastUsedTime} /> <UndoLink actor={id}>Undo…</UndoLink>
              </>
            ),
        },
        {
          head: ACTIONS,
          cell: ({ id }) => (
            <Form action={`/console/account/apps/${id}/disconnect`} submit="Disconnect" tone="quiet" inline />
          ),
        },
      ]}
    />
  );

/** Whether the client has a metadata document: its id is then the URL of the document. */
const isUrl = (clientId: string): boolean => clientId.startsWith("https://");
