import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Form, type FormState } from "./forms.tsx";

type Props = PropsWithChildren<{
  readonly action: string;
  readonly submit: string;
  readonly keep: { readonly path: string; readonly text: Child };
  readonly state?: FormState | undefined;
}>;

/** Asks before something irreversible. The children explain the consequences. */
export const ConfirmDelete: FC<Props> = ({ action, submit, keep, state, children }) => (
  <Form action={action} state={state}>
    {children}
    <div class="row">
      <button type="submit" class="danger">
        {submit}
      </button>
      <a href={keep.path}>{keep.text}</a>
    </div>
  </Form>
);
