import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { pick } from "../lib/pick.ts";
import type { RevocationRecord } from "../store/access/revoked.ts";
import { defineOperation } from "./define.ts";
import { output, toPageSize, paging } from "./fields.ts";

const revocation = z
  .object({
    _id: output.id.meta({ description: "The identifier that the key or token had." }),
    kind: z.enum(["key", "token"]).meta({ description: "An API key, or an access token.", example: "key" }),
    name: z.string().meta({ example: "Website build" }),
    hint: z.string().meta({ description: "The last four characters of the secret.", example: "x7Qd" }),
    creationTime: output.dateTime,
    lastUsedTime: output.dateTime.nullable().meta({ description: "null: never." }),
    revokeTime: output.dateTime.meta({ description: "When it was revoked." }),
    revokedBy: z.object({
      kind: z.string().meta({ example: "user" }),
      id: output.id,
      name: z.string().nullable().meta({ description: "Their current name; null once they are gone." }),
    }),
  })
  .meta({ id: "Revocation" });

const toRevocation = (record: RevocationRecord): z.infer<typeof revocation> => ({
  ...pick(record, ["_id", "kind", "name", "hint", "creationTime", "lastUsedTime", "revokeTime"]),
  revokedBy: { kind: record.actorKind, id: record.actorId, name: record.actorName },
});

export const listRevocations = defineOperation({
  name: "revocations.list",
  summary: "List revoked API keys and access tokens",
  description: `Most recently revoked first: the last ${LIMITS.revokedCredentials} of the organization.`,
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(revocation),
  async run({ store }, query) {
    const { items, next } = await store.listRevocations({ ...query, limit: toPageSize(query.limit) });
    return { value: items.map(toRevocation), next };
  },
});
