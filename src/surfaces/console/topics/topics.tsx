/** The routes of the topic pages: ideas, sources and refreshes. */
import { Hono } from "hono";
import type { ConsoleEnv } from "../env.ts";
import { list } from "./list.tsx";
import { refreshes } from "./refreshes.tsx";
import { sources } from "./sources.tsx";

export const topics = new Hono<ConsoleEnv>();

topics.route("/sources", sources);
topics.route("/", refreshes);
// Last, because its route /:id matches any name.
topics.route("/", list);
