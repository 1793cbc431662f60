import { ACTIONS, Table, type Column } from "../table.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { Time } from "../time.tsx";

type ApiKey = z.infer<typeof registry.listApiKeys.output>[number];
type Token = z.infer<typeof registry.listAccessTokens.output>[number];

type Revocation = z.infer<typeof registry.listRevocations.output>[number];

/** `blogs` has the names of the blogs by id, for keys that are pinned to one. */
export const ApiKeys: FC<{ keys: readonly ApiKey[]; blogs: ReadonlyMap<string, string> }> = ({ keys, blogs }) => (
  <section aria-labelledby="api-keys">
    <div class="heading">
      <h2 id="api-keys">API keys</h2>
      <a class="button" href="/console/keys/new">
        New API key
      </a>
    </div>
    {keys.length === 0 ? (
      <p class="empty">
        No API keys yet. Websites need one to read drafts, and programs to publish.{" "}
        <a href="/console/keys/new">Create the first one</a>, or read <a href="/docs">how programs use it</a>.
      </p>
    ) : (
      <Table
        label="List of API keys"
        rows={keys}
        columns={[
          { ...NAME, cell: (key) => <Named {...key} path={`/console/keys/${key._id}`} /> },
          { head: "Scopes", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          {
            head: "Blog",
            cell: ({ blogId }) =>
              blogId === null ? <span class="quiet-text">All</span> : (blogs.get(blogId) ?? blogId),
          },
          ...TIMES,
          revoke((key) => `/console/keys/${key._id}/revoke`),
        ]}
      />
    )}
  </section>
);

export const Tokens: FC<{ tokens: readonly Token[]; mayCreate: boolean }> = ({ tokens, mayCreate }) => (
  <section aria-labelledby="tokens">
    <div class="heading">
      <h2 id="tokens">Operator access tokens</h2>
      {mayCreate && (
        <a class="button" href="/console/keys/tokens/new">
          New access token
        </a>
      )}
    </div>
    <p class="hint">
      They can do everything in the organization, including managing keys and webhooks. Only owners can create them.
    </p>
    {tokens.length === 0 ? (
      <p class="empty">
        No access tokens yet. Only programs that manage keys or webhooks need one.{" "}
        {mayCreate && <a href="/console/keys/tokens/new">Create the first one</a>}
      </p>
    ) : (
      <Table
        label="List of access tokens"
        rows={tokens}
        columns={[NAME, ...TIMES, revoke((token) => `/console/keys/tokens/${token._id}/revoke`)]}
      />
    )}
  </section>
);

const REVOKED_KINDS = { key: "API key", token: "access token" } as const;

export const Revoked: FC<{ revoked: readonly Revocation[]; me: string }> = ({ revoked, me }) =>
  revoked.length === 0 ? (
    <></>
  ) : (
    <section aria-labelledby="revoked">
      <h2 id="revoked">Revoked</h2>
      <p class="hint">These no longer work. Look here if a program is refused.</p>
      <Table
        label="Revoked keys and tokens"
        rows={revoked}
        columns={[
          {
            head: "Name",
            cell: ({ name, hint, kind }) => (
              <>
                <strong>{name}</strong>
                <br />
                <span class="quiet-text">
                  {REVOKED_KINDS[kind]} <code>…{hint}</code>
                </span>
              </>
            ),
            class: "name",
          },
          { head: "Revoked", cell: ({ revokeTime }) => <Time at={revokeTime} /> },
          {
            head: "By",
            cell: ({ revokedBy }) => (revokedBy.id === me ? "You" : (revokedBy.name ?? "A former member")),
          },
          { head: "Last used", cell: ({ lastUsedTime }) => <Time at={lastUsedTime} /> },
          { head: "Created", cell: ({ creationTime }) => <Time at={creationTime} /> },
        ]}
      />
    </section>
  );

const NAME: Column<Token> = {
  head: "Name",
  cell: (token) => <Named {...token} />,
  class: "name",
};

export const Named: FC<Pick<Token, "name" | "hint"> & { readonly path?: string }> = ({ name, hint, path }) => (
  <>
    <strong>{path === undefined ? name : <a href={path}>{name}</a>}</strong>
    <br />
    <code class="quiet-text">…{hint}</code>
  </>
);

export const Scopes: FC<{ scopes: readonly string[] }> = ({ scopes }) =>
  scopes.length === 0 ? (
    <span class="quiet-text">None</span>
  ) : (
    <ul class="badges">
      {scopes.map((scope) => (
        <li class="badge">{scope}</li>
      ))}
    </ul>
  );

export const TIMES: readonly Column<Pick<Token, "expirationTime" | "lastUsedTime" | "creationTime">>[] = [
  {
    head: "Expires",
    cell: ({ expirationTime }) => (
      <>
        <Time at={expirationTime} />{" "}
        {expirationTime !== null && expirationTime <= new Date().toISOString() && (
          <span class="badge bad">Expired</span>
        )}
      </>
    ),
    class: "time",
  },
  { head: "Last used", cell: ({ lastUsedTime }) => <Time at={lastUsedTime} />, class: "time" },
  { head: "Created", cell: ({ creationTime }) => <Time at={creationTime} />, class: "time" },
];

const revoke = (pathOf: (credential: Token) => string): Column<Token> => ({
  head: ACTIONS,
  cell: (credential) => (
    <a class="nowrap" href={pathOf(credential)} aria-label={`Revoke ${credential.name}…`}>
      Revoke…
    </a>
  ),
});
