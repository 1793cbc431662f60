import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { Form } from "../forms.tsx";
import { ACTIONS, Table } from "../table.tsx";
import { InUtc, Time } from "../time.tsx";
import type { Subscription } from "./list.tsx";

type DeadLetter = z.infer<typeof registry.listDeadLetters.output>[number];

type DeadLettersProps = { readonly letters: readonly DeadLetter[]; readonly subscriptions: readonly Subscription[] };

const nameOf = (found: Subscription | undefined): string =>
  found === undefined ? "A deleted webhook" : found.name || found.url;

/** Shows what the service could not send, with a button to try it again. Nothing if there is none. */
export const DeadLetters: FC<DeadLettersProps> = ({ letters, subscriptions }) =>
  letters.length > 0 && (
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Undelivered events</h2>
      <p class="hint">
        The service failed before it could send these. It tries again every minute, up to ten times. <InUtc />
      </p>
      <Table
        labelledby="dead-letters"
        rows={letters}
        columns={[
          { head: "Event", cell: ({ event }) => event, class: "nowrap" },
          {
            head: "To",
            cell: ({ webhookSubscriptionId: id }) =>
              id === null ? "All webhooks" : nameOf(subscriptions.find(({ _id }) => _id === id)),
            class: "url",
          },
          { head: "Attempts", cell: ({ tries }) => tries, class: "number" },
          { head: "Since", cell: ({ creationTime }) => <Time at={creationTime} /> },
          {
            head: "Status",
            cell: ({ deadTime }) =>
              deadTime === null ? <span class="badge warn">Retrying</span> : <span class="badge bad">Failed</span>,
          },
          {
            head: ACTIONS,
            cell: ({ _id }) => (
              <Form action={`/console/webhooks/dead-letters/${_id}/retry`} submit="Retry" tone="quiet" inline />
            ),
          },
        ]}
      />
    </section>
  );
