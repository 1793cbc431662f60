import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { EVENT_KINDS } from "../../../domain/events.ts";
import { CheckField, TextField, type FormState } from "../forms.tsx";

export const UrlField: FC<{ state: FormState }> = ({ state }) => (
  <TextField
    state={state}
    name="url"
    label="URL"
    type="url"
    required
    maxlength={LIMITS.url}
    hint="A public https URL that receives the events."
  />
);

export const NameField: FC<{ state: FormState }> = ({ state }) => (
  <TextField state={state} name="name" label="Name" maxlength={LIMITS.name} hint="Optional, such as “Static site”." />
);

export const EventsField: FC<{ state: FormState }> = ({ state }) => (
  <CheckField
    state={state}
    name="events"
    label="Events"
    hint="Select none to receive those of articles, and of new blogs and contacts."
    choices={EVENT_KINDS.map((kind) => ({ value: kind, label: kind }))}
  />
);
