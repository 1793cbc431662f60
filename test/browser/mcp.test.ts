/** The official client of the protocol, from nothing to every tool: it signs in through a real browser. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type CallToolResult,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { expectHeading, signInHere } from "./walk.ts";

/** For `vi.waitFor`: how long a generation may take that a queue does. It is no measurement. */
const GENERATED = { timeout: 60_000, interval: 200 };

/** The program in which the client runs: it opens the browser, and waits for it to come back. */
async function newProgram(open: (url: string) => Promise<void>) {
  let arrived: (callback: URLSearchParams) => void = () => undefined;
  const callback = new Promise<URLSearchParams>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    response.end("<!doctype html><title>Back</title><h1>Back at the program</h1>");
    const url = new URL(request.url ?? "/", origin);
    if (url.pathname === "/callback") arrived(url.searchParams);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());

  const kept: { client?: unknown; tokens?: unknown; verifier?: string; discovery?: unknown } = {};
  const provider = {
    redirectUrl: `${origin}/callback`,
    clientMetadata: {
      client_name: "The official client",
      redirect_uris: [`${origin}/callback`],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    state: () => "a state",
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
    saveDiscoveryState: (discovery: unknown) => void (kept.discovery = discovery),
    discoveryState: () => kept.discovery,
    redirectToAuthorization: (url: URL) => open(url.href),
  } as unknown as OAuthClientProvider;
  return { origin, provider, callback };
}

describeInBrowser("the official client", () => {
  const browser = useBrowser();

  // The inspector speaks the older one, too (test/e2e/mcp-conformance.test.ts).
  it.each([
    ["2026-07-28", { mode: { pin: "2026-07-28" } }],
    ...(inject("exhaustive") ? ([["2025-11-25", { mode: "legacy" }]] as const) : []),
  ] as const)("signs in through a browser, and uses every tool (%s)", async (_, versionNegotiation) => {
    const { baseUrl, email, password } = service();
    const url = new URL("/mcp", baseUrl);
    const opened: Page[] = [];
    const program = await newProgram(async (address) => {
      const tab = await browser.open({ elsewhere: program.origin });
      opened.push(tab);
      await tab.goto(address);
    });
    const connect = async () => {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
      const transport = new StreamableHTTPClientTransport(url, { authProvider: program.provider });
      const refused = await client.connect(transport).then(
        () => null,
        (error: unknown) => error,
      );
      return { client, transport, refused };
    };
    const first = await connect();
    expect(first.refused).toBeInstanceOf(UnauthorizedError);
    const [page] = opened;
    if (page === undefined) throw new Error("no browser was opened");
    await signInHere(page, email, password);
    await expectHeading(page, /^Connect an app/);
    // Drafts are offered first: only a person selects that it may publish.
    await page.getByRole("checkbox", { name: /publish and delete/ }).check();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Back at the program" }).waitFor();
    await first.transport.finishAuth(await program.callback);

    const { client, refused } = await connect();
    expect(refused).toBeNull();
    await useEveryTool(client);
    await client.close();

    await page.goto(`${baseUrl}/console/account`);
    const apps = page.getByRole("region", { name: "Connected apps" });
    // Another test may have connected another application meanwhile.
    const row = apps.getByRole("row").filter({ hasText: "The official client" });
    await row.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("status").waitFor();
    // Its token is refused, and so is the attempt to refresh it.
    expect((await connect()).refused).toBeInstanceOf(Error);
  });
});

/** A picture of one pixel, in base64: the smallest GIF. */
const PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

type Article = { _id: string; version: string; content: string; slug: string; published: boolean };

/** Uses every tool as somebody would who writes an article. */
async function useEveryTool(client: Client): Promise<void> {
  const { blogId } = service();
  const used = new Set<string>();
  const call = async <T = Record<string, unknown>>(name: string, input: object = {}): Promise<T> => {
    used.add(name);
    const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
    const last = result.content.at(-1);
    const text = last?.type === "text" ? last.text : "";
    if (result.isError) throw new Error(`${name}: ${text}`);
    return JSON.parse(text) as T;
  };
  await call("list_blogs");
  await call("list_authors", { blogId });
  const picture = await call<{ _id: string }>("upload_media", { data: PIXEL, alt: "A dot" });
  const { media } = await call<{ media: { _id: string }[] }>("list_media");
  expect(media.map(({ _id }) => _id)).toContain(picture._id);
  const card = await call<{ markdown: string }>("create_embed", { url: "https://vimeo.com/76979871" });
  expect(card.markdown).toMatch(/^\[!\[Dawn/);
  await call("get_usage");
  await call("get_blog", { blogId });
  await call("list_articles", { blogId, limit: 5 });
  const { events } = await call<{ events: { event: string }[] }>("list_events", { kinds: ["media.created"] });
  expect(events.map(({ event }) => event)).toContain("media.created");
  const source = { kind: "feed", url: `${inject("feeds").url}/told/Night%20trains%20are%20late` };
  const { ideas } = await call<{ ideas: unknown[] }>("research_topics", { blogId, sources: [source] });
  expect(ideas.length).toBeGreaterThan(0);
  await call("refresh_topics", { blogId });
  await call("list_topics", { blogId });

  const draft = await call<Article>("create_article", { blogId, title: "Lanterns on the quay", content: "## Evening" });
  const read = await call<Article>("get_article", { idOrSlug: draft._id });
  const content = `${read.content}\n\nA lamplighter's walk.`;
  const edited = await call<Article>("update_article", { articleId: draft._id, content, version: read.version });
  const patched = await call<Article>("edit_article", {
    articleId: draft._id,
    edits: [{ find: "A lamplighter's walk", replace: "The walk of a lamplighter" }],
    version: edited.version,
  });
  const found = await call<{ articles: Article[] }>("search_articles", { query: "lamplighter quay" });
  expect(found.articles.map(({ _id }) => _id)).toContain(draft._id);
  await call("compare_locales", { blogId, slug: draft.slug, structure: true });
  const tagged = await call<Article>("update_article", {
    articleId: draft._id,
    tags: ["Lanterns"],
    version: patched.version,
  });
  const { tags } = await call<{ tags: { slug: string }[] }>("list_tags", { blogId });
  expect(tags.map(({ slug }) => slug)).toContain("lanterns");
  await call("create_preview_link", { articleId: draft._id });
  await call("request_approval", { articleId: draft._id, note: "Ready" });
  const { approvals } = await call<{ approvals: { articleId: string }[] }>("list_approvals");
  expect(approvals.map(({ articleId }) => articleId)).toContain(draft._id);
  await call("schedule_article", { articleId: draft._id, publishTime: "2031-07-01T09:00", timeZone: "Asia/Tokyo" });
  const { schedules } = await call<{ schedules: { articleId: string }[] }>("list_schedules", { blogId });
  expect(schedules.map(({ articleId }) => articleId)).toContain(draft._id);
  const published = await call<Article>("publish_article", { articleId: draft._id, version: tagged.version });
  expect(published.published).toBe(true);
  await call("update_article", { articleId: draft._id, title: "Not public yet" });
  await call("discard_working_copy", { articleId: draft._id });
  const { revisions } = await call<{ revisions: { number: number }[] }>("list_revisions", { articleId: draft._id });
  const [{ number: revision } = { number: 0 }] = revisions;
  await call("compare_revisions", { articleId: draft._id, revision });
  await call("restore_revision", { articleId: draft._id, revision });
  await call("unpublish_article", { articleId: draft._id });
  const { article } = await call<{ article: Article }>("generate_article", {
    blogId,
    topic: "Morning walks",
    words: 300,
  });
  expect(article.published).toBe(false);
  const order = { blogId, topic: "Evening walks", words: 300 };
  const { _id: generationId } = await call<{ _id: string }>("start_generation", { order });
  const stored = await vi.waitFor(async () => {
    const found = await call<{ state: string; articleId: string }>("get_generation", { generationId });
    expect(found.state).toBe("stored");
    return found;
  }, GENERATED);
  for (const _id of [draft._id, article._id, stored.articleId]) await call("delete_article", { articleId: _id });

  const { tools } = await client.listTools();
  expect([...used].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
}
