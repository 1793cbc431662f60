import type { FC } from "hono/jsx";
import { TextField, type FormState } from "../forms.tsx";

type ZoneFieldProps = {
  readonly state: FormState;
  readonly hint: string;
  /** Whether the script proposes the browser's own zone. Another zone would move times that the form already has. */
  readonly proposes: boolean;
};

export const SCHEDULE_LABELS = { publishTime: "Publish at", unpublishTime: "Unpublish at", timeZone: "Time zone" };

/** The field `timeZone`, for the times in the form. */
export const ZoneField: FC<ZoneFieldProps> = ({ state, hint, proposes }) => (
  <>
    <TextField
      state={state}
      name="timeZone"
      label={SCHEDULE_LABELS.timeZone}
      hint={hint}
      required
      list="time-zones"
      data-zone={proposes ? "browser" : undefined}
    />
    {/* The script adds the zones that the browser knows. */}
    <datalist id="time-zones">
      <option value="UTC" />
    </datalist>
  </>
);
