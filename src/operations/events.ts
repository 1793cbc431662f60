/** The feed of events (contract 11.16). */
import * as z from "zod";
import { encodeFeedCursor } from "../domain/cursor.ts";
import { DomainError } from "../domain/errors.ts";
import { EVENT_KINDS, type EventKind } from "../domain/events.ts";
import { LIMITS } from "../domain/limits.ts";
import type { OrganizationPrincipal } from "../domain/principal.ts";
import type { FeedPage, FeedPlace, FeedQuery } from "../store/webhooks/feed.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { blogId, instant, line, output, toPageSize } from "./fields.ts";

const event = z
  .object({
    _id: output.id.meta({ description: "The same in all of its deliveries." }),
    event: z.enum(EVENT_KINDS),
    blogId: output.blogId.nullable().meta({ description: "null: it belongs to no blog." }),
    timestamp: z.int().meta({ description: "When it happened: Unix time, in seconds.", example: 1_795_168_379 }),
    data: z.record(z.string(), z.unknown()).meta({
      description: "The same as `data` of its deliveries.",
      example: { _id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", changed: ["title"] },
    }),
  })
  .meta({ id: "FeedEvent" });

export const listEvents = defineOperation({
  name: "events.list",
  summary: "List events",
  description: `Everything that has changed, in the order in which it was stored, kept for ${LIMITS.keptDays.events} days. The \`Link\` header always says where to go on; if its \`after\` is the one that you have sent, there is nothing more yet. A page looks at ${LIMITS.eventsScanned} events, so one that is narrowed can be empty before the end. A key that belongs to a blog gets that blog's events. \`contact.created\` also needs contacts:read.`,
  scope: "events:read",
  effect: "read",
  waits: true,
  input: z.strictObject({
    after: line(200).min(1, "must not be empty").optional().meta({
      description:
        "Only events behind this one: `after` of the `Link` header, the identifier of an event, or `latest`. Default: from the oldest.",
      example: "latest",
    }),
    kinds: z
      .array(z.enum(EVENT_KINDS))
      .min(1)
      .max(EVENT_KINDS.length * 2)
      .optional()
      .meta({ description: "Only these kinds, separated by commas.", example: ["article.updated", "tag.updated"] }),
    blogId: blogId.optional().meta({ description: "Only events of this blog." }),
    from: instant.optional().meta({ description: "Only events at this time or later." }),
    to: instant.optional().meta({ description: "Only events before this time." }),
    order: z.enum(["oldest", "newest"]).default("oldest").meta({
      description: "`newest`: backwards, to look into the past; without `Link` at the end.",
      example: "oldest",
    }),
    limit: z
      .int()
      .min(0)
      .default(0)
      .meta({ description: `Events per page; 0, and more than ${LIMITS.eventPage}, mean ${LIMITS.eventPage}.` }),
    wait: z
      .int()
      .min(0)
      .max(LIMITS.eventWaitSeconds)
      .default(0)
      .meta({ description: "How many seconds to wait for an event if there is none.", example: 25 }),
  }),
  output: z.array(event),
  refuses: ["cursor_expired", "blog_forbidden"],
  sample: { query: { after: "latest", wait: "0" }, command: "events --after latest" },
  async run(context, { after, wait, from, to, ...input }) {
    const { store, service, principal } = context;
    const query: FeedQuery = {
      ...input,
      kinds: selectKinds(principal, input.kinds),
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      limit: toPageSize(input.limit, LIMITS.eventPage),
      keptDays: service.keptEventDays,
    };
    const place = await store.findFeedPlace(after, query);
    const { items, next } = await readWaiting(context, place, query, wait);
    return { value: [...items], next: next === null ? undefined : encodeFeedCursor(next) };
  },
});

/** Returns the kinds to read. A contact's data is only for who may read contacts. Throws `scope_missing`. */
function selectKinds({ grants, kind }: OrganizationPrincipal, asked: readonly EventKind[] | undefined): EventKind[] {
  const mayRead = (each: EventKind) => each !== "contact.created" || grants.has("contacts:read");
  if (asked !== undefined && !asked.every(mayRead)) {
    throw new DomainError(kind === "user" ? "role_forbidden" : "scope_missing", "This needs the scope contacts:read.");
  }
  return (asked ?? EVENT_KINDS).filter(mayRead);
}

const POLL_MS = 1000;

/** Reads a page; if it is empty, waits until one is not. Holds no transaction meanwhile. */
async function readWaiting(
  { store, progress: { signal } }: OrganizationContext,
  start: FeedPlace | null,
  query: FeedQuery,
  seconds: number,
): Promise<FeedPage> {
  const until = Date.now() + seconds * 1000;
  const isOver = () => Date.now() >= until || signal?.aborted === true;
  let page = await store.readFeed(start, query);
  if (page.items.length > 0 || seconds === 0) return page;
  for (let place = start; page.items.length === 0 && page.next !== null && !isOver();) {
    // A page that has moved on has more behind it.
    if (page.next === place) await scheduler.wait(Math.min(POLL_MS, until - Date.now()));
    place = page.next;
    page = await store.readFeed(place, query);
  }
  // The caller's rights may have ended meanwhile.
  await store.requireAuthorized();
  return page;
}
