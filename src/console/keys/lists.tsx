import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../operations/registry.ts";
import { Time } from "../time.tsx";

type ApiKey = z.infer<typeof registry.listApiKeys.output>[number];
type Token = z.infer<typeof registry.listAccessTokens.output>[number];

/** All API keys; `blogs` has the names of those that a key may be pinned to. */
export const ApiKeys: FC<{ keys: readonly ApiKey[]; blogs: ReadonlyMap<string, string> }> = ({ keys, blogs }) => (
  <section aria-labelledby="api-keys">
    <div class="heading">
      <h2 id="api-keys">API keys</h2>
      <a class="button" href="/console/keys/new">
        New API key
      </a>
    </div>
    {keys.length === 0 ? (
      <p class="empty">No API key yet. A website needs one to read drafts; a program needs one to publish.</p>
    ) : (
      <div class="scroll" tabindex={0} role="region" aria-label="Table of the API keys">
        <table>
          <Head names={["Scopes", "Blog"]} />
          <tbody>
            {keys.map((key) => (
              <tr>
                <Name credential={key} />
                <td>
                  <Scopes scopes={key.scopes} />
                </td>
                <td>
                  {key.blogId === null ? <span class="quiet-text">all</span> : (blogs.get(key.blogId) ?? key.blogId)}
                </td>
                <Times credential={key} />
                <Revoke name={key.name} path={`/console/keys/${key._id}/revoke`} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

/** All operator access tokens. */
export const Tokens: FC<{ tokens: readonly Token[] }> = ({ tokens }) => (
  <section aria-labelledby="tokens">
    <div class="heading">
      <h2 id="tokens">Operator access tokens</h2>
      <a class="button" href="/console/keys/tokens/new">
        New access token
      </a>
    </div>
    <p class="hint">They may do everything in the organization, keys and webhooks included.</p>
    {tokens.length === 0 ? (
      <p class="empty">No access token yet. Only programs that manage keys or webhooks need one.</p>
    ) : (
      <div class="scroll" tabindex={0} role="region" aria-label="Table of the access tokens">
        <table>
          <Head names={[]} />
          <tbody>
            {tokens.map((token) => (
              <tr>
                <Name credential={token} />
                <Times credential={token} />
                <Revoke name={token.name} path={`/console/keys/tokens/${token._id}/revoke`} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

const Head: FC<{ names: readonly string[] }> = ({ names }) => (
  <thead>
    <tr>
      {["Name", ...names, "Expires", "Last used", "Created"].map((name) => (
        <th scope="col">{name}</th>
      ))}
      <th scope="col">
        <span class="unseen">Actions</span>
      </th>
    </tr>
  </thead>
);

const Name: FC<{ credential: Token }> = ({ credential: { name, hint } }) => (
  <td class="name">
    <strong>{name}</strong>
    <br />
    <code class="quiet-text">…{hint}</code>
  </td>
);

const Scopes: FC<{ scopes: readonly string[] }> = ({ scopes }) =>
  scopes.length === 0 ? (
    <span class="quiet-text">none</span>
  ) : (
    <ul class="badges">
      {scopes.map((scope) => (
        <li class="badge">{scope}</li>
      ))}
    </ul>
  );

const Times: FC<{ credential: Token }> = ({ credential: { expirationTime, lastUsedTime, creationTime } }) => (
  <>
    <td>
      <Time at={expirationTime} />{" "}
      {expirationTime !== null && expirationTime <= new Date().toISOString() && <span class="badge bad">expired</span>}
    </td>
    <td>
      <Time at={lastUsedTime} />
    </td>
    <td>
      <Time at={creationTime} />
    </td>
  </>
);

const Revoke: FC<{ name: string; path: string }> = ({ name, path }) => (
  <td>
    <a class="nowrap" href={path} aria-label={`Revoke ${name}…`}>
      Revoke…
    </a>
  </td>
);
