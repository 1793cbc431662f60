import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { DEFAULT_SCOPES, SCOPES } from "../domain/principal.ts";
import { newSecret } from "../domain/secrets.ts";
import { pick } from "../lib/pick.ts";
import type { CredentialRecord } from "../store/access/credentials.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { blogId, deleted, identifier, instant, line, output, toPageSize, paging, SHOWN_ONCE } from "./fields.ts";
import { requireOwner } from "./owner.ts";

const members = {
  _id: output.id,
  name: z.string().meta({ example: "Website build" }),
  hint: z.string().meta({ description: "The last four characters of the secret.", example: "x7Qd" }),
  expirationTime: output.dateTime.nullable().meta({
    description: "When it expires; null: never.",
    example: "2027-11-20T00:00:00.000Z",
  }),
  lastUsedTime: output.dateTime.nullable().meta({ description: "null: never." }),
  creationTime: output.dateTime,
};

const scopes = z
  .array(z.enum(SCOPES))
  .max(SCOPES.length * 2)
  .meta({ example: ["articles:read", "articles:write"] });
const secret = z.string().meta({ description: "Shown once.", example: "epk_EXAMPLE" });
const apiKey = z.object({ ...members, scopes, blogId: output.blogId.nullable() }).meta({ id: "ApiKey" });
const accessToken = z.object(members).meta({ id: "AccessToken" });

const input = {
  name: line(LIMITS.name).min(1, "must not be empty").meta({ example: "Website build" }),
  expirationTime: instant
    .nullable()
    .default(null)
    .meta({ description: "When it expires; null: never.", example: "2027-11-20T00:00:00.000Z" }),
};

const DAY_SECONDS = 24 * 60 * 60;

function requireFuture(time: string | null, now: Date): void {
  if (time !== null && time <= now.toISOString()) throw invalidField("expirationTime", "must be in the future");
}

export const listApiKeys = defineOperation({
  name: "apikeys.list",
  summary: "List the API keys",
  description: "Newest first, without their secrets.",
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(apiKey),
  async run({ store }, query) {
    const { items, next } = await store.listCredentials("key", { ...query, limit: toPageSize(query.limit) });
    return { value: [...items], next };
  },
});

export const createApiKey = defineOperation({
  name: "apikeys.create",
  summary: "Create an API key",
  description: `The secret ${SHOWN_ONCE} New keys are read-only by default.`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z
    .strictObject({
      ...input,
      scopes: scopes
        .default([...DEFAULT_SCOPES])
        .transform((given) => [...new Set(given)])
        .meta({ description: "By default, the read scopes for articles, blogs and topics." }),
      blogId: blogId.nullable().default(null).meta({ description: "The one blog that the key may access, or null." }),
    })
    .meta({ id: "ApiKeyInput" }),
  output: apiKey.extend({ secret }).meta({ id: "NewApiKey" }),
  refuses: ["blog_forbidden", "credential_limit"],
  audit: "created the API key *",
  sample: { body: { name: "Website build", scopes: ["articles:read"], blogId: "{blogId}" } },
  async run(context, { name, scopes: granted, blogId: pin, expirationTime }) {
    requireFuture(expirationTime, new Date());
    return create(context, { kind: "key", name, scopes: granted, blogId: pin, expirationTime }, (key) => key);
  },
});

const apiKeyId = identifier("an API key");

export const updateApiKey = defineOperation({
  name: "apikeys.update",
  summary: "Rename an API key, or change its scopes",
  description: "Only the fields that are sent change. The secret stays, and new scopes hold at once.",
  scope: "operator",
  effect: "write",
  input: z
    .strictObject({
      apiKeyId,
      name: input.name.optional(),
      scopes: scopes
        .transform((given) => [...new Set(given)])
        .optional()
        .meta({ description: "All scopes that the key has from now on." }),
    })
    .meta({ id: "ApiKeyChange" }),
  output: apiKey,
  refuses: ["not_found"],
  audit: "updated the API key *",
  sample: {
    body: { name: "Website build", scopes: ["articles:read"] },
    command: 'keys update {apiKeyId} --name "Website build"',
  },
  run: async ({ store }, { apiKeyId: id, ...fields }) => ({ value: await store.updateApiKey(id, fields) }),
});

export const rotateApiKey = defineOperation({
  name: "apikeys.rotate",
  summary: "Rotate an API key",
  description: `Creates a key with the same name, scopes and blog. The old one works until \`overlapSeconds\` are over, so that programs can change over meanwhile. The secret ${SHOWN_ONCE}`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z
    .strictObject({
      apiKeyId,
      overlapSeconds: z.int().min(0).max(LIMITS.keyOverlapSeconds).default(DAY_SECONDS).meta({
        description: "How long the old key still works; 0: it ends at once.",
        example: DAY_SECONDS,
      }),
      expirationTime: instant.nullable().optional().meta({
        description: "When the new key expires; null: never. Required if the old one expires.",
      }),
    })
    .meta({ id: "ApiKeyRotation" }),
  output: apiKey.extend({ secret }).meta({ id: "RotatedApiKey" }),
  refuses: ["not_found", "credential_limit"],
  audit: "rotated the API key *",
  sample: { body: {}, command: "keys rotate {apiKeyId}" },
  async run(context, { apiKeyId: id, overlapSeconds, expirationTime }) {
    const now = new Date();
    const key = await context.store.getApiKey(id);
    if (key.expirationTime !== null && key.expirationTime <= now.toISOString()) throw new DomainError("not_found");
    if (expirationTime === undefined && key.expirationTime !== null) {
      throw invalidField("expirationTime", "is required, because the old key expires; null is never");
    }
    const until = expirationTime ?? null;
    requireFuture(until, now);
    const { name, scopes: granted, blogId: pin } = key;
    const replaces = { key, endTime: new Date(now.getTime() + overlapSeconds * 1000).toISOString() };
    const asked = { kind: "key" as const, name, scopes: granted, blogId: pin, expirationTime: until, replaces };
    return create(context, asked, (record) => record);
  },
});

export const revokeApiKey = defineOperation({
  name: "apikeys.revoke",
  summary: "Revoke an API key",
  description: "It stops working at once.",
  scope: "operator",
  effect: "delete",
  input: z.strictObject({ apiKeyId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "revoked an API key",
  async run({ store }, { apiKeyId }) {
    await store.revokeCredential("key", apiKeyId);
    return { value: { _id: apiKeyId } };
  },
});

export const listAccessTokens = defineOperation({
  name: "accesstokens.list",
  summary: "List the operator access tokens",
  description: "Newest first, without their secrets.",
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(accessToken),
  async run({ store }, query) {
    const { items, next } = await store.listCredentials("token", { ...query, limit: toPageSize(query.limit) });
    return { value: items.map(toAccessToken), next };
  },
});

export const createAccessToken = defineOperation({
  name: "accesstokens.create",
  summary: "Create an operator access token",
  description: `Only owners and operator tokens can. The secret ${SHOWN_ONCE}`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z.strictObject(input).meta({ id: "AccessTokenInput" }),
  output: accessToken.extend({ secret: secret.meta({ example: "ept_EXAMPLE" }) }).meta({ id: "NewAccessToken" }),
  refuses: ["role_forbidden", "credential_limit"],
  audit: "created the access token *",
  sample: { body: { name: "Deployment" } },
  async run(context, { name, expirationTime }) {
    requireOwner(context.principal);
    requireFuture(expirationTime, new Date());
    return create(context, { kind: "token", name, scopes: [], blogId: null, expirationTime }, toAccessToken);
  },
});

export const revokeAccessToken = defineOperation({
  name: "accesstokens.revoke",
  summary: "Revoke an operator access token",
  description: "It stops working at once, even if it made this request.",
  scope: "operator",
  effect: "delete",
  input: z.strictObject({ accessTokenId: identifier("an access token") }),
  output: deleted,
  refuses: ["not_found"],
  audit: "revoked an access token",
  async run({ store }, { accessTokenId }) {
    await store.revokeCredential("token", accessTokenId);
    return { value: { _id: accessTokenId } };
  },
});

/** Leaves out `scopes` and `blogId`, which have no meaning for tokens. */
const toAccessToken = (record: CredentialRecord): z.infer<typeof accessToken> =>
  pick(record, ["_id", "name", "hint", "expirationTime", "lastUsedTime", "creationTime"]);

type Asked = Omit<Parameters<OrganizationContext["store"]["createCredential"]>[0], "hash" | "hint" | "answer">;

/** Creates a credential and returns it with its secret. `show` selects the other fields of the response. */
async function create<T>({ store, seal }: OrganizationContext, asked: Asked, show: (record: CredentialRecord) => T) {
  const { secret: shown, hash, hint } = await newSecret(asked.kind);
  const answer = (record: CredentialRecord) => ({ value: { ...show(record), secret: shown } });
  return answer(
    await store.createCredential({ ...asked, hash, hint, answer: (record) => seal(JSON.stringify(answer(record))) }),
  );
}
