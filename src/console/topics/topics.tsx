/** Topic ideas: list, the sources that they come from, and the search for new ones. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { list } from "./list.tsx";
import { refreshes } from "./refreshes.tsx";
import { sources } from "./sources.tsx";

export const topics = new Hono<ConsoleEnv>();

topics.route("/sources", sources);
topics.route("/", refreshes);
// Last: its path is any.
topics.route("/", list);
