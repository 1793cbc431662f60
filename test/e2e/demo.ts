/** What the demo of a local run holds, and how a test asks for it. */
import { expect } from "vitest";
import * as z from "zod";
import { demoOrganization } from "../../scripts/demo/index.ts";
import type { Local } from "./local-run.ts";

export const article = z.object({ _id: z.string(), slug: z.string(), locale: z.string(), published: z.boolean() });
export const articles = z.array(article);
export const blogs = z.array(z.object({ _id: z.string() }));

const [first] = demoOrganization.blogs;
if (first === undefined) throw new Error("the demo has no blog");
export const fieldNotes = first;
/** Slugs and locales, in order: what tells articles apart. */
export const names = (list: { slug: string; locale: string }[]) =>
  list.map(({ slug, locale }) => `${slug} ${locale}`).sort();

export const basic = (key: string) => ({ Authorization: `Basic ${btoa(`${key}:`)}` });
export const token = (secret: string) => ({ Authorization: `Token ${secret}` });

export async function get<T>(url: string, schema: z.ZodType<T>, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  return schema.parse(await response.json());
}

/** All articles of the organization, drafts too. */
export async function everything({ baseUrl, apiKey }: Local) {
  const found = await get(`${baseUrl}/api/blogs`, blogs, basic(apiKey));
  const lists = found.map(({ _id }) => get(`${baseUrl}/api/articles?blogId=${_id}`, articles, basic(apiKey)));
  return { blogs: found.length, articles: (await Promise.all(lists)).flat() };
}

/** The names of all articles of the demo. */
export const whole = names(demoOrganization.blogs.flatMap((blog) => blog.articles));
