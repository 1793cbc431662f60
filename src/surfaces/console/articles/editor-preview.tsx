/** Shows the editor with a preview of the entered text, for browsers without scripts. It saves nothing. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { limitRenderings } from "../../request/limits.ts";
import { attempt, newForm, type FormState } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { personOf } from "../session.ts";
import { readForm } from "../read-form.ts";
import { writersOnly } from "./found.ts";
import { showAgain, showNew, type Shown } from "./show.tsx";

export const editorPreview = new Hono<ConsoleEnv>();

// A preview is the response to a POST. Opening its URL without the form, for example from the history, leads to the
// list.
editorPreview.get("/", (c) => goTo(c, "/console/articles"));

editorPreview.post("/", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const state = newForm(form.values);
  const id = form.text("_id");
  const show = (shown: FormState, more: Shown) => (id === "" ? showNew(c, shown, more) : showAgain(c, id, shown, more));
  return attempt(
    form,
    (refused, status) => show(refused, { status }),
    async () => {
      await limitRenderings(c.env.arrival, personOf(c).id);
      return show(state, { preview: true });
    },
  );
});
