import * as z from "zod";
import { EVENT_KINDS } from "../../../domain/events.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { TOLD } from "../../../operations/told.ts";
import { registry } from "../../../operations/registry.ts";
import { defineTool, countFitting, describeLimit, READS } from "../tool.ts";

const { after, blogId, from, to, wait } = registry.listEvents.input.shape;

/** Agents see no contacts. */
const KINDS = EVENT_KINDS.filter((kind) => kind !== "contact.created");

// Told in a sentence, which is shorter than the list: a refusal has all of them.
const kind = z.enum(KINDS).register(TOLD, {
  type: "string",
  description:
    "article, blog, tag, author or media, each with .created, .updated or .deleted (article.updated); or site.updated.",
});

const shown = registry.listEvents.output.element.extend({ event: z.enum(KINDS) });

const isShown = (event: z.infer<typeof registry.listEvents.output.element>): event is z.infer<typeof shown> =>
  event.event !== "contact.created";

export const listEvents = defineTool({
  name: "list_events",
  title: "List events",
  description:
    "Shows what has changed: articles, blogs, sites, tags, authors and images, newest first. `changed` in the data of an update names the fields that changed. Use it to find out what happened since a time (`from`), or since an event (`order` `oldest`, and `after` its `_id`, or `latest`): there is no more yet if `after` comes back as it was. For the texts of an article, call get_article.",
  operations: [registry.listEvents],
  annotations: READS,
  input: z.strictObject({
    after: after.meta({ description: "Where to go on: `after` of the previous page, or the `_id` of an event." }),
    kinds: z.array(kind).min(1).optional(),
    blogId,
    from,
    to,
    order: z.enum(["newest", "oldest"]).default("newest"),
    limit: describeLimit(LIMITS.page, 20),
    wait: wait.meta({ description: "Seconds to wait for an event if there is none." }),
  }),
  output: z.object({
    events: z.array(shown),
    after: z.string().nullable().meta({
      description: "Pass it as `after`, with the same other arguments, to go on; null behind the oldest event.",
    }),
  }),
  holdsTexts: true,
  async run({ run, follow: { signal } }, input) {
    const kinds = input.kinds ?? KINDS;
    const { value, next } = await run(registry.listEvents, () => ({ ...input, kinds }), { signal });
    const some = value.slice(0, countFitting(value));
    const after = some.length < value.length ? some.at(-1)?._id : next;
    return { events: some.filter(isShown), after: after ?? null };
  },
});
