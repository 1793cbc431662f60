/** Contract 19.12: the title and the picture of what an article embeds, asked of its provider. */
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { findCard } from "../../packages/markdown/embeds.ts";
import { parse } from "../../packages/markdown/parse.ts";
import { limited } from "../helpers/limiter.ts";
import { TITLE } from "../helpers/feed-server/oembed.ts";
import { PICTURES, pathOf, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { seen } from "../helpers/sources.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Embed = { readonly title: string; readonly picture: string; readonly markdown: string };

const sandbox = (name: string): string => `https://codesandbox.io/s/${name}`;
const embed = (as: Tenant, url: string, more: Send = {}): Promise<Response> =>
  send("/api/embeds", { as, body: { url }, ...more });
const libraryOf = (as: Tenant): Promise<MediaBody[]> => sendJson(200, "/api/media", { as });

it("contract 19.12: answers with a card, whose picture is in the library", async () => {
  const tenant = await newTenant();
  const url = "https://youtu.be/dQw4w9WgXcQ?t=9";
  const { title, picture, markdown } = await (await embed(tenant, url)).json<Embed>();
  expect(title).toBe(TITLE);
  const [item, ...others] = await libraryOf(tenant);
  expect(others).toEqual([]);
  expect(item).toMatchObject({ alt: TITLE, name: TITLE, mediaType: "image/gif" });
  expect(picture).toBe(`${item?.url}#${item?.width}x${item?.height}`);
  expect(new Uint8Array(await (await send(pathOf(picture))).arrayBuffer())).toEqual(PICTURES.plainGif);
  // Whatever the title is, the Markdown is one card, and nothing else.
  const [paragraph, ...rest] = parse(markdown).children;
  expect([paragraph?.type, rest]).toEqual(["paragraph", []]);
  expect(paragraph?.type === "paragraph" && findCard(paragraph.children)).toMatchObject({
    title: TITLE,
    link: { url },
  });
});

it("contract 19.12: asks once for an Idempotency-Key", async () => {
  const tenant = await newTenant();
  const url = sandbox(`once-${crypto.randomUUID()}`);
  const headers = { "Idempotency-Key": "once" };
  const [one, again] = [await embed(tenant, url, { headers }), await embed(tenant, url, { headers })];
  expect(await again.text()).toBe(await one.text());
  expect(await seen(encodeURIComponent(url))).toHaveLength(1);
});

it.each([
  ["nothing-there", "picture_unreachable", "CodeSandbox answered with status 404."],
  ["not-json", "picture_unreachable", "CodeSandbox names no title and image of it."],
  ["other-json", "picture_unreachable", "CodeSandbox names no title and image of it."],
  ["without-title", "picture_unreachable", "CodeSandbox names no title and image of it."],
  ["without-picture", "picture_unreachable", "CodeSandbox names no title and image of it."],
  ["too-long", "picture_unreachable", /^CodeSandbox could not be asked\. It is larger/],
  ["picture-is-a-page", "unsupported_image", /./],
  ["picture-is-no-address", "picture_unreachable", /./],
  ["picture-inside", "picture_unreachable", /not an IP address/],
] as const)("contract 19.12: %s is %s, and stores nothing", async (name, code, detail) => {
  const tenant = await newTenant();
  const refused = await refusalOf(await embed(tenant, sandbox(name)), code);
  expect(refused).toMatchObject({ detail: typeof detail === "string" ? detail : expect.stringMatching(detail) });
  expect(await libraryOf(tenant)).toEqual([]);
  expect((await env.MEDIA.list({ prefix: `${tenant.organizationId}/` })).objects).toEqual([]);
});

it("contract 19.12: asks the provider itself where no setting names another endpoint, and nobody about other addresses", async () => {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    asked.push(input instanceof Request ? input.url : input.toString());
    return Response.json({ title: "Dawn" });
  });
  const tenant = await newTenant();
  const options = { bindings: { OEMBED_URL: "" } as Partial<Env> };
  await refusalOf(await embed(tenant, "https://player.vimeo.com/video/76979871", options), "picture_unreachable");
  for (const url of ["https://x.com/ada/status/20", "https://a.example/@ada/12345"])
    await refusalOf(await embed(tenant, url, options), "picture_unreachable");
  for (const url of ["https://a.example/b", "http://127.0.0.1/oembed", "youtu.be/dQw4w9WgXcQ"])
    await refusalOf(await embed(tenant, url, options), "invalid_request");
  vi.restoreAllMocks();
  expect(asked).toEqual(["https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F76979871"]);
});

it("contract 19.12: counts with the pictures that an organization has fetched", async () => {
  const tenant = await newTenant();
  await refusalOf(
    await embed(tenant, sandbox("sea-x1y2"), { bindings: limited({ pictureFetches: 0 }) }),
    "rate_limited",
  );
});
