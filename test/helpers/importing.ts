/** Uploads exports, and waits for what becomes of them. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { ImportMessage, Importer } from "../../src/background/imports/consumer.ts";
import { parseSettings } from "../../src/env.ts";
import type { HeldQueue } from "./relay.ts";
import { sendJson, type Credential, type Send } from "./requests.ts";
import type { Tenant } from "./tenant.ts";
import { UNMETERED } from "./unmetered.ts";

export type ImportBody = {
  readonly _id: string;
  readonly state: string;
  readonly problem: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly remarks: readonly { readonly what: string; readonly times: number }[];
};

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

/** An export of Ghost with these posts. */
export const ghostOf = (posts: readonly object[]) => bytes(JSON.stringify({ db: [{ data: { posts } }] }));

type Post = Readonly<Record<"id" | "name" | "title" | "content" | "link", string>>;

/** An export of WordPress with these posts, all of them public. */
export const wordpressOf = (posts: readonly Post[]) =>
  bytes(`<?xml version="1.0"?><rss xmlns:wp="w" xmlns:content="c"><channel><link>https://old.example.com</link>
<wp:base_blog_url>https://old.example.com</wp:base_blog_url><wp:wxr_version>1.2</wp:wxr_version>
${posts
  .map(
    ({ id, name, title, content, link }) => `<item><title>${title}</title><link>${link}</link>
<content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_name>${name}</wp:post_name>
<wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`,
  )
  .join("")}</channel></rss>`);

type Uploader = Pick<Tenant, "blogId" | "apiKey"> & { readonly as?: Credential };

/** Uploads a file to import. */
export const uploadImport = (
  { blogId, apiKey, as = { apiKey } }: Uploader,
  body: Uint8Array,
  query = "",
  more: Partial<Send> = {},
): Promise<ImportBody> =>
  sendJson<ImportBody>(200, `/api/blogs/${blogId}/imports?${query}`, { as, body, type: "application/json", ...more });

/** Returns an import once it is in this state. */
export async function settled({ blogId, apiKey }: Uploader, id: string, state: string): Promise<ImportBody> {
  const read = () => sendJson<ImportBody>(200, `/api/blogs/${blogId}/imports/${id}`, { as: { apiKey } });
  await expect.poll(async () => (await read()).state, { timeout: 15_000, interval: 50 }).toBe(state);
  return read();
}

/** What handles the messages of a queue that a test holds. */
export const importerOf = (queue: HeldQueue<ImportMessage>): Importer => ({
  env,
  settings: parseSettings(env),
  db: env.DB,
  meter: UNMETERED,
  bucket: env.MEDIA,
  queue: queue as unknown as Importer["queue"],
  waitUntil: () => undefined,
  now: () => new Date(),
  log: () => undefined,
});
