import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { newPreviewToken } from "../domain/secrets.ts";
import { defineOperation } from "./define.ts";
import { deleted, identifier, output, SHOWN_ONCE } from "./fields.ts";

const articleId = identifier("an article");

const preview = z
  .object({
    _id: output.id,
    articleId: z.string().meta({ example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" }),
    actor: z.object({ kind: z.string().meta({ example: "key" }), id: z.string() }).meta({
      description: "Who created it, as in the audit log. It stops working when they can no longer write articles.",
    }),
    creationTime: output.dateTime,
    expirationTime: output.dateTime,
  })
  .meta({ id: "Preview" });

export const listPreviews = defineOperation({
  name: "previews.list",
  summary: "List the preview links of an article",
  description: "Links that have not expired, newest first, without their tokens.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId }),
  output: z.array(preview),
  refuses: ["not_found"],
  sample: { command: "articles preview list {articleId}" },
  async run({ store }, input) {
    return { value: await store.listPreviews(input.articleId) };
  },
});

export const createPreview = defineOperation({
  name: "previews.create",
  summary: "Create a preview link",
  description: `Anybody with the link sees the article as it is saved at that moment, even a draft, until the link expires. The token ${SHOWN_ONCE}`,
  scope: "articles:write",
  effect: "write",
  showsSecret: true,
  input: z
    .strictObject({
      articleId,
      expiresInSeconds: z
        .int()
        .min(LIMITS.previewSecondsLeast)
        .max(LIMITS.previewSecondsMost)
        .default(LIMITS.previewSeconds)
        .meta({ description: "How long it works: an hour by default, 30 days at most.", example: 86400 }),
    })
    .meta({ id: "PreviewInput" }),
  output: preview
    .extend({
      url: z.string().meta({ example: "https://api.example.com/previews/epv_EXAMPLE" }),
      token: z.string().meta({ description: "The last part of `url`. Shown once.", example: "epv_EXAMPLE" }),
    })
    .meta({ id: "NewPreview" }),
  refuses: ["not_found", "preview_limit", "not_ready"],
  audit: "created a preview link for *",
  sample: {
    body: { expiresInSeconds: 86400 },
    command: "articles preview create {articleId} --expires-in 86400",
  },
  async run({ store, seal, service }, input) {
    const { token, hash } = await newPreviewToken();
    const shown = { url: `${service.baseUrl()}/previews/${token}`, token };
    const expirationTime = new Date(Date.now() + input.expiresInSeconds * 1000).toISOString();
    const record = await store.createPreview({
      articleId: input.articleId,
      hash,
      expirationTime,
      answer: (stored) => seal(JSON.stringify({ value: { ...stored, ...shown } })),
    });
    return { value: { ...record, ...shown } };
  },
});

export const revokePreview = defineOperation({
  name: "previews.revoke",
  summary: "Revoke a preview link",
  description: "It stops working at once.",
  scope: "articles:write",
  effect: "delete",
  input: z.strictObject({ articleId, previewId: identifier("a preview link") }),
  output: deleted,
  refuses: ["not_found"],
  audit: "revoked a preview link",
  sample: { command: "articles preview revoke {articleId} {previewId}" },
  async run({ store }, input) {
    await store.revokePreview(input.articleId, input.previewId);
    return { value: { _id: input.previewId } };
  },
});
