import * as z from "zod";
import type { DeliveredKind } from "../../../domain/events.ts";
import { registry } from "../../../operations/registry.ts";
import type { Components, PathConfig } from "./responses.ts";

const { saveArticle, createBlog, createContact, updateSite, createTag, createAuthor, createMedia } = registry;

const articleData = saveArticle.output
  .omit({ content: true })
  .meta({ id: "ArticleEventData", description: "An article without its content." });

/** Adds the names of the fields that an update changed. */
const withChanged = (data: z.ZodObject, id: string) =>
  data
    .extend({
      changed: z.array(z.string()).meta({ description: "The names of the fields that changed.", example: ["title"] }),
    })
    .meta({ id, description: "As it is after the change." });

const pingData = z.object({ subscriptionId: createBlog.output.shape._id });

const EVENTS = {
  "article.created": ["An article was created", articleData],
  "article.updated": ["An article was updated", withChanged(articleData, "UpdatedArticleData")],
  "article.deleted": ["An article was deleted: its last version", articleData],
  "blog.created": ["A blog was created", createBlog.output],
  "contact.created": ["A contact was created", createContact.output],
  "blog.updated": ["A blog was updated", withChanged(createBlog.output, "UpdatedBlogData")],
  "blog.deleted": ["A blog was deleted: its last version", createBlog.output],
  "site.updated": [
    "The site of a blog was updated, or its hosts or redirects",
    withChanged(updateSite.output, "UpdatedSiteData"),
  ],
  "tag.created": ["A tag was created", createTag.output],
  "tag.updated": ["A tag was updated", withChanged(createTag.output, "UpdatedTagData")],
  "tag.deleted": ["A tag was deleted: its last version", createTag.output],
  "author.created": ["An author was created", createAuthor.output],
  "author.updated": ["An author was updated", withChanged(createAuthor.output, "UpdatedAuthorData")],
  "author.deleted": ["An author was deleted: its last version", createAuthor.output],
  "media.created": ["An image was uploaded", createMedia.output],
  "media.updated": ["An image was updated, or its file replaced", withChanged(createMedia.output, "UpdatedMediaData")],
  "media.deleted": ["An image was deleted: its last version", createMedia.output],
  ping: ["A ping, sent to one subscription on request", pingData],
} as const satisfies Readonly<Record<DeliveredKind, readonly [summary: string, data: z.ZodType]>>;

const TIMESTAMP = 1795168379;

export const WEBHOOKS =
  "Sent once, with a timeout of 5 seconds and without retries. Recompute the signature over the raw body bytes and compare in constant time before trusting the payload. 20 failures in a row deactivate the subscription.";

export function describeWebhooks(components: Components): PathConfig[] {
  const received = components.registerComponent("responses", "WebhookReceived", {
    description: "Success, whatever the body. The status and headers have to arrive within 5 seconds.",
  });
  const failed = components.registerComponent("responses", "WebhookFailed", {
    description: "Everything else is a failure, redirects included.",
  });
  return Object.entries(EVENTS).map(([event, [summary, data]]) => ({
    method: "post",
    path: event,
    operationId: `webhook.${event}`,
    tags: ["Webhooks"],
    summary,
    security: [],
    request: { headers: describeWebhookHeaders(event), body: describeWebhookBody(event, data) },
    responses: { "2XX": received.ref, default: failed.ref },
  }));
}

function describeWebhookHeaders(event: string) {
  return z.object({
    "X-Service-Event": z.literal(event).meta({ description: "The event kind." }),
    "X-Service-Signature": z.string().meta({
      description:
        "`t=<timestamp>,v1=<hex>`: the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the subscription's secret.",
      example: `t=${TIMESTAMP},v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd`,
    }),
    "X-Service-Delivery": z.string().meta({
      description: "The identifier of the delivery, as the subscription's deliveries list it.",
      example: "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
    }),
    "webhook-id": z.string().meta({
      description: "Standard Webhooks: the identifier of the event, the same for every subscription.",
      example: "019a9d3d-0b10-7c2a-8b1d-3e4f5a6b7c8d",
    }),
    "webhook-timestamp": z.string().meta({ description: "The `timestamp` of the body.", example: String(TIMESTAMP) }),
    "webhook-signature": z.string().meta({
      description:
        "`v1,<base64>`: the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with what the base64 behind `whsec_` stands for. Libraries of Standard Webhooks verify it.",
      example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }),
    "Content-Type": z.literal("application/json"),
  });
}

function describeWebhookBody(event: string, data: z.ZodType) {
  const schema = z.object({
    event: z.literal(event).meta({ description: "The event kind." }),
    timestamp: z.int().meta({ description: "Unix time of the attempt, in seconds.", example: TIMESTAMP }),
    data,
  });
  return { required: true, content: { "application/json": { schema } } };
}
