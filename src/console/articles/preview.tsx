/** The preview of what was entered. It saves nothing. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { newForm } from "../forms.tsx";
import { goTo } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { writersOnly } from "./found.ts";
import { showAgain, showNew } from "./show.tsx";

export const preview = new Hono<ConsoleEnv>();

// Where somebody goes back to its address.
preview.get("/", (c) => goTo(c, "/console/articles"));

preview.post("/", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const state = newForm(form.values);
  const id = form.text("_id");
  return id === "" ? showNew(c, state, { preview: true }) : showAgain(c, id, state, { preview: true });
});
