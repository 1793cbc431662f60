/** Shows the editor with a preview of the entered text. It saves nothing. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { newForm } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { writersOnly } from "./found.ts";
import { showAgain, showNew } from "./show.tsx";

export const preview = new Hono<ConsoleEnv>();

// A preview is the response to a POST. Opening its URL without the form, for example from the history, leads to the
// list.
preview.get("/", (c) => goTo(c, "/console/articles"));

preview.post("/", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const state = newForm(form.values);
  const id = form.text("_id");
  return id === "" ? showNew(c, state, { preview: true }) : showAgain(c, id, state, { preview: true });
});
