import type { Child, FC, PropsWithChildren } from "hono/jsx";
import { Form, type FormState } from "./forms.tsx";

type Props = PropsWithChildren<{
  readonly action: string;
  /** The text of its button, such as "Delete it". */
  readonly submit: string;
  /** The way back: where it leads, and its text. */
  readonly keep: { readonly path: string; readonly text: Child };
  readonly state?: FormState;
}>;

/** Asks once more before something goes for good. The children say what that means. */
export const ConfirmDelete: FC<Props> = ({ action, submit, keep, state, children }) => (
  <Form action={action} {...(state && { state })}>
    {children}
    <div class="row">
      <button type="submit" class="danger">
        {submit}
      </button>
      <a href={keep.path}>{keep.text}</a>
    </div>
  </Form>
);
