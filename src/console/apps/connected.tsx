/** The applications that somebody has connected. */
import { sharedDatabase } from "../../store/database.ts";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../errors.ts";
import { disconnect, type ListedConnection } from "../../store/access/system-oauth-connections.ts";
import type { ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { personOf } from "../session.ts";
import { Time } from "../time.tsx";

export const connectedApps = new Hono<ConsoleEnv>();

connectedApps.post("/:id/disconnect", async (c) => {
  const { env, requestId } = c.env.arrival;
  const actor = { kind: "user", id: personOf(c).id } as const;
  const ended = await disconnect({ db: sharedDatabase(env), id: c.req.param("id"), actor, requestId, now: new Date() });
  if (!ended) throw new DomainError("not_found", "This application is already disconnected.");
  return goTo(c, "/console/account", "app-disconnected");
});

/** What is connected, where there is anything. */
export const ConnectedApps: FC<{ apps: readonly ListedConnection[] }> = ({ apps }) =>
  apps.length === 0 ? (
    <p>No application is connected. To connect one, start in the application: it asks for your permission.</p>
  ) : (
    <div class="scroll" tabindex={0} role="region" aria-labelledby="apps">
      <table>
        <thead>
          <tr>
            <th scope="col">Application</th>
            <th scope="col">Organization</th>
            <th scope="col">May use</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {apps.map((app) => (
            <tr>
              <td>
                <bdi>{app.clientName}</bdi>
                {isUrl(app.clientId) && <small> {new URL(app.clientId).hostname}</small>}
              </td>
              <td>{app.organization}</td>
              <td>{app.scopes.join(", ")}</td>
              <td>
                <Time at={app.creationTime} />
              </td>
              <td>{app.lastUsedTime === null ? "never" : <Time at={app.lastUsedTime} />}</td>
              <td>
                <Form action={`/console/account/apps/${app.id}/disconnect`} submit="Disconnect" tone="quiet" inline />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

/** The id of a client with a metadata document is where that document is. */
const isUrl = (clientId: string): boolean => clientId.startsWith("https://");
