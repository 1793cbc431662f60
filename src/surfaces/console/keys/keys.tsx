/** The pages that list and revoke API keys and operator access tokens. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { goTo, page } from "../layout.tsx";
import { Next } from "../next.tsx";
import { requireOperator, perform, getPerson, getPrincipal } from "../session.ts";
import { readForm } from "../read-form.ts";
import { change, findKey } from "./change.tsx";
import { creation } from "./creation.tsx";
import { ApiKeys, Revoked, Tokens } from "./lists.tsx";
import { findMachines, Machines, machines } from "../apps/machines.tsx";
import { InUtc } from "../time.tsx";

export const keys = new Hono<ConsoleEnv>();

keys.use(requireOperator);
keys.route("/machines", machines);
keys.route("/", creation);
keys.route("/", change);

const PAGE = 50;

keys.get("/", async (c) => {
  const { keys: keysFrom, tokens: tokensFrom, revoked: revokedFrom } = c.req.query();
  const cursors = { keys: keysFrom, tokens: tokensFrom, revoked: revokedFrom };
  const [apiKeys, tokens, revoked, machineConnections, blogs] = await Promise.all([
    perform(c, registry.listApiKeys, { limit: PAGE, cursor: keysFrom }),
    perform(c, registry.listAccessTokens, { limit: PAGE, cursor: tokensFrom }),
    perform(c, registry.listRevocations, { limit: PAGE, cursor: revokedFrom }),
    findMachines(c),
    listBlogs(c),
  ]);
  const mayCreate = getPrincipal(c).role === "owner";
  const names = new Map(blogs.map(({ _id, name }) => [_id, name]));
  return page(
    c,
    "API keys",
    <>
      <p>
        Programs use these to call the API. A secret is shown only once, when you create it.{" "}
        <a href="/docs">How to use them</a>. <InUtc />
      </p>
      <ApiKeys keys={apiKeys.value} blogs={names} />
      <More list="keys" next={apiKeys.next} cursors={cursors} label="Older API keys" />
      <Tokens tokens={tokens.value} mayCreate={mayCreate} />
      <More list="tokens" next={tokens.next} cursors={cursors} label="Older access tokens" />
      <Machines machines={machineConnections} mayCreate={mayCreate} />
      <Revoked revoked={revoked.value} me={getPerson(c).id} />
      <More list="revoked" next={revoked.next} cursors={cursors} label="Older revocations" />
    </>,
  );
});

type MoreProps = {
  readonly list: string;
  readonly next: string | undefined;
  readonly cursors: Readonly<Record<string, string | undefined>>;
  readonly label: string;
};

/** The link to more of one of the three lists. It keeps the cursors of the others. */
const More: FC<MoreProps> = ({ list, next, cursors, label }) => {
  const others = Object.entries(cursors).flatMap(([name, at]) => (at && name !== list ? [[name, at]] : []));
  return <Next path="/console/keys" name={list} cursor={next} query={Object.fromEntries(others)} label={label} />;
};

keys.get("/:id/revoke", async (c) =>
  confirm(c, "API key", `/console/keys/${c.req.param("id")}/revoke`, await findKey(c)),
);

keys.post("/:id/revoke", async (c) => {
  await perform(c, registry.revokeApiKey, { apiKeyId: c.req.param("id") }, await readForm(c));
  return goTo(c, "/console/keys", "key-revoked");
});

keys.get("/tokens/:id/revoke", async (c) => {
  const all = await readAllItems((cursor) => perform(c, registry.listAccessTokens, { cursor }));
  const found = all.find(({ _id }) => _id === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "There is no such access token.");
  return confirm(c, "access token", `/console/keys/tokens/${c.req.param("id")}/revoke`, found);
});

keys.post("/tokens/:id/revoke", async (c) => {
  await perform(c, registry.revokeAccessToken, { accessTokenId: c.req.param("id") }, await readForm(c));
  return goTo(c, "/console/keys", "token-revoked");
});

type Known = { readonly name: string; readonly hint: string };

function confirm(c: ConsoleContext, kind: string, action: string, found: Known) {
  return page(
    c,
    `Revoke ${found.name}?`,
    <ConfirmDelete action={action} submit={`Revoke ${kind}`} keep={{ path: "/console/keys", text: "Cancel" }}>
      <p>
        Programs that use the {kind} <strong>{found.name}</strong> (<code>…{found.hint}</code>) are refused immediately.
        This cannot be undone.
      </p>
    </ConfirmDelete>,
  );
}
