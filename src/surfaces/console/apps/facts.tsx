/** The parts of the consent page that say which application asks and for which organization. */
import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import type { FC } from "hono/jsx";
import { findPrivateScheme } from "../../oauth/server/redirects.ts";
import { CLI_CLIENT_ID } from "../../oauth/server/storage.ts";
import type { Membership } from "../../../store/people/system-memberships.ts";
import type { ConsoleContext } from "../env.ts";
import { getMemberships } from "../session.ts";

/** The maker of the application chose all of these values. */
export const ClientFacts: FC<{ client: ConsentDescription; name: string }> = ({ client, name }) => (
  <>
    <p>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      wants to access your organization. <Origin client={client} /> If you allow it, you are redirected to{" "}
      <Target {...client} />.
    </p>
    {(client.redirectIsLoopback || findPrivateScheme(client.redirectUri) !== undefined) && (
      <p class="alert warn">
        <strong>That is on this computer.</strong> Any program on it could be asking, whatever name it shows. Continue
        only if you have just started this yourself, in a program that you trust.
      </p>
    )}
  </>
);

/**
 * Names the target of a redirect URI: its host, or the scheme of an application. With such a scheme, the host can be
 * any text of the application.
 */
export const Target: FC<{ redirectUri: string }> = ({ redirectUri }) => {
  const scheme = findPrivateScheme(redirectUri);
  if (scheme === undefined) return <strong>{new URL(redirectUri).hostname}</strong>;
  return (
    <>
      the app on this computer that opens <strong>{scheme}</strong> links
    </>
  );
};

const Origin: FC<{ client: ConsentDescription }> = ({ client }) => {
  if (client.clientDomain !== undefined) {
    return (
      <>
        It is published by <strong>{client.clientDomain}</strong>.
      </>
    );
  }
  if (client.clientId === CLI_CLIENT_ID) return <>It is part of Edgepress.</>;
  return <>It registered itself, so its name is not verified.</>;
};

/** A form to choose another organization. It reloads the page, because the scopes on offer depend on the role. */
export const OrganizationChoice: FC<{ c: ConsoleContext; membership: Membership }> = ({ c, membership }) => {
  const memberships = getMemberships(c);
  if (memberships.length < 2) return <></>;
  const parameters = [...new URL(c.req.url).searchParams].filter(([name]) => name !== "organization");
  return (
    <div class="actions">
      <form method="get" action="/console/authorize" class="inline">
        {parameters.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label for="organization">Organization</label>
        <select id="organization" name="organization">
          {memberships.map(({ organizationId, name }) => (
            <option value={organizationId} selected={organizationId === membership.organizationId}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit" class="quiet">
          Switch
        </button>
      </form>
    </div>
  );
};
