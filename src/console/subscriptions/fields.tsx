import type { FC } from "hono/jsx";
import { LIMITS } from "../../domain/limits.ts";
import { EVENT_KINDS } from "../../domain/events.ts";
import { CheckField, TextField, type FormState } from "../forms.tsx";

/** The field for the URL of a subscription's receiver. */
export const UrlField: FC<{ state: FormState }> = ({ state }) => (
  <TextField
    state={state}
    name="url"
    label="URL"
    type="url"
    required
    maxlength={LIMITS.url}
    hint="Where the events are sent: a public https address."
  />
);

/** The field for the name of a subscription. */
export const NameField: FC<{ state: FormState }> = ({ state }) => (
  <TextField
    state={state}
    name="name"
    label="Name"
    maxlength={LIMITS.name}
    hint="What you call it, such as “Static site”. It may stay empty."
  />
);

/** The field for the kinds of events. Selecting none means all kinds. */
export const EventsField: FC<{ state: FormState }> = ({ state }) => (
  <CheckField
    state={state}
    name="events"
    label="Events"
    hint="Choose none to receive all of them, including kinds that are added later."
    choices={EVENT_KINDS.map((kind) => ({ value: kind, label: kind }))}
  />
);
