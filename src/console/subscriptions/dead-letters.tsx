import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../operations/registry.ts";
import { Form } from "../forms.tsx";
import { ACTIONS, Table } from "../table.tsx";
import { InUtc, Time } from "../time.tsx";
import type { Subscription } from "./list.tsx";

type DeadLetter = z.infer<typeof registry.listDeadLetters.output>[number];

type DeadLettersProps = { readonly letters: readonly DeadLetter[]; readonly subscriptions: readonly Subscription[] };

const nameOf = (found: Subscription | undefined): string =>
  found === undefined ? "a webhook that is gone" : found.name || found.url;

/** Shows what the service could not send, with a button to try it again. Nothing if there is none. */
export const DeadLetters: FC<DeadLettersProps> = ({ letters, subscriptions }) =>
  letters.length > 0 && (
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Could not be sent</h2>
      <p class="hint">
        The service itself failed on these, before any request left. It tries each minute, ten times in all. <InUtc />
      </p>
      <Table
        labelledby="dead-letters"
        rows={letters}
        columns={[
          { head: "Event", cell: ({ event }) => event, class: "nowrap" },
          {
            head: "To",
            cell: ({ webhookSubscriptionId: id }) =>
              id === null ? "every webhook" : nameOf(subscriptions.find(({ _id }) => _id === id)),
            class: "url",
          },
          { head: "Tries", cell: ({ tries }) => tries, class: "number" },
          { head: "Since", cell: ({ creationTime }) => <Time at={creationTime} /> },
          {
            head: "State",
            cell: ({ deadTime }) =>
              deadTime === null ? <span class="badge warn">tried</span> : <span class="badge bad">dead</span>,
          },
          {
            head: ACTIONS,
            cell: ({ _id }) => (
              <Form action={`/console/webhooks/dead-letters/${_id}/retry`} submit="Try again" tone="quiet" inline />
            ),
          },
        ]}
      />
    </section>
  );
