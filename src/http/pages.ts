/** The static pages. */
import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "./app-env.ts";

export const home = (c: Context<AppEnv>) => c.html(html`<!doctype html><title>Edgepress</title>`);
export const reference = (c: Context<AppEnv>) => c.html(html`<!doctype html><title>Edgepress</title>`);
export const errorCodes = (c: Context<AppEnv>) => c.html(html`<!doctype html><title>Edgepress</title>`);
