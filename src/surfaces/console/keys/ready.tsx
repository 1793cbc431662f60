/** The pages that show the secret of a new credential. It is shown only once, after the creation. */
import type { Child, FC } from "hono/jsx";
import type { z } from "zod";
import { getBaseUrl } from "../../request/base-url.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { Example } from "../example.tsx";
import { page } from "../layout.tsx";
import { Secret } from "../secret.tsx";
import { perform } from "../session.ts";

type NewApiKey = z.infer<typeof registry.createApiKey.output>;
type NewToken = z.infer<typeof registry.createAccessToken.output>;

/** Returns the page of a new API key, with an example of a request if the key's scopes allow one. */
export async function showApiKeyReady(c: ConsoleContext, key: NewApiKey): Promise<Response> {
  const path = await findReadablePath(c, key);
  const url = `${getBaseUrl(c.env.arrival)}${path}`;
  return page(
    c,
    "API key created",
    <Ready name={key.name} label="API key" secret={key.secret}>
      {path !== null && (
        <Example
          id="curl"
          label="Try it"
          code={`export EDGEPRESS_KEY='${key.secret}'\ncurl -u "$EDGEPRESS_KEY:" '${url}'`}
        />
      )}
    </Ready>,
  );
}

/** Returns the page of a new operator access token, with an example of a request. */
export function showTokenReady(c: ConsoleContext, { name, secret }: NewToken): Promise<Response> {
  const url = `${getBaseUrl(c.env.arrival)}/api/webhooksubscriptions`;
  return page(
    c,
    "Access token created",
    <Ready name={name} label="Access token" secret={secret}>
      <Example
        id="curl"
        label="Try it"
        code={`export EDGEPRESS_TOKEN='${secret}'\ncurl -H "Authorization: Token $EDGEPRESS_TOKEN" '${url}'`}
      />
    </Ready>,
  );
}

type NewMachine = { readonly id: string; readonly name: string; readonly secret: string };

/** Returns the page of the secret of a machine connection, with the request for a token. */
export function showMachineReady(c: ConsoleContext, { id, name, secret }: NewMachine): Promise<Response> {
  const baseUrl = getBaseUrl(c.env.arrival);
  return page(
    c,
    "Machine connection ready",
    <Ready name={name} label="Client secret" secret={secret}>
      <Secret id="client" label="Client ID" value={id} />
      <Secret id="server" label="MCP server" value={`${baseUrl}/mcp`} />
      <Example
        id="curl"
        label="Get an access token, which works for an hour"
        code={`export EDGEPRESS_CLIENT='${id}:${secret}'\ncurl -u "$EDGEPRESS_CLIENT" -d grant_type=client_credentials '${baseUrl}/oauth/token'`}
      />
    </Ready>,
  );
}

async function findReadablePath(c: ConsoleContext, { scopes, blogId }: NewApiKey): Promise<string | null> {
  if (scopes.includes("blogs:read")) return "/api/blogs";
  const list = scopes.includes("articles:read") ? "articles" : scopes.includes("contacts:read") ? "contacts" : null;
  if (list === null) return null;
  const { value: blogs } = await perform(c, registry.listBlogs, { limit: 1 });
  const blog = blogId ?? blogs[0]?._id;
  return blog === undefined ? null : `/api/${list}?blogId=${blog}`;
}

const Ready: FC<{ name: string; label: string; secret: string; children: Child }> = ({
  name,
  label,
  secret,
  children,
}) => (
  <div class="stack">
    <p>
      This is the secret of <strong>{name}</strong>. Copy it now. It is not shown again.
    </p>
    <Secret label={label} value={secret} />
    {children}
    <p>
      <a class="button quiet" href="/console/keys">
        Back to API keys
      </a>
    </p>
  </div>
);
