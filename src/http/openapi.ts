import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** A first form; the whole document follows. */
export const openApi = (c: Context<AppEnv>): Response =>
  c.json({ openapi: "3.1.0", info: { title: "Edgepress", version: "1.0.0" }, paths: {} });
