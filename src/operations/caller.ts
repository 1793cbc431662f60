import * as z from "zod";
import { DomainError } from "../domain/errors.ts";
import { SCOPES } from "../domain/principal.ts";
import { defineOperation } from "./define.ts";
import { output } from "./fields.ts";

const caller = z
  .object({
    _id: output.id.meta({ description: "The identifier of the credential or of the connection, as in the audit log." }),
    kind: z.enum(["key", "operator", "app", "user"]).meta({
      description: "An API key, an operator access token, a connected application, or a person.",
      example: "key",
    }),
    name: z.string().meta({ example: "Static site" }),
    organization: z.object({ _id: output.id, name: z.string().meta({ example: "Acme" }) }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "Its scopes.", example: ["articles:read", "blogs:read"] }),
    operator: z.boolean().meta({ description: "Whether it can also use what is only for operators.", example: false }),
    blogId: output.blogId
      .nullable()
      .meta({ description: "The one blog that it can access; null if it can access the whole organization." }),
    expirationTime: output.dateTime
      .nullable()
      .meta({ description: "When it expires; null if it is valid until revoked." }),
  })
  .meta({ id: "Caller" });

export const showCaller = defineOperation({
  name: "caller.show",
  summary: "Get the caller",
  description: "What these credentials are, who they belong to, and what they can do.",
  scope: null,
  effect: "read",
  input: z.strictObject({}),
  output: caller,
  sample: { command: "whoami" },
  async run({ store, principal }) {
    const { kind, id, organizationId, grants, pinnedBlogId } = principal;
    const found = await store.findCaller();
    // The credential has been revoked in the meantime.
    if (found === null || found.name === null) throw new DomainError("credentials_invalid");
    const value = {
      _id: id,
      kind,
      name: found.name,
      organization: { _id: organizationId, name: found.organizationName },
      scopes: SCOPES.filter((scope) => grants.has(scope)),
      operator: grants.has("operator"),
      blogId: pinnedBlogId,
      expirationTime: found.expirationTime,
    };
    return { value };
  },
});
