/** Operations and batches of queues have a span of Workers tracing, with identifiers only. */
import { tracing } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { consumed } from "../helpers/relay.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

afterEach(() => vi.restoreAllMocks());

/** Records spans as a traced invocation does: the platform itself traces none in tests. */
function recordSpans() {
  const spans: unknown[] = [];
  vi.spyOn(tracing, "enterSpan").mockImplementation((name, work, ...rest) => {
    const span = { isTraced: true, setAttributes: (attributes: object) => spans.push([name, attributes]) };
    return work(span as unknown as Span, ...rest);
  });
  return spans;
}

it("an operation has its name, the request and the organization; an anonymous read has no span", async () => {
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant, { title: "Secret title" });
  const spans = recordSpans();
  const response = await send("/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, title: "Another" } });
  const requestId = response.headers.get("X-Request-Id");
  const organization = tenant.organizationId;
  const operations = spans.filter((span) => (span as [string])[0].startsWith("articles."));
  expect(operations).toEqual([["articles.save", { operation: "articles.save", requestId, organization }]]);
  await send(`/api/articles/${_id}`);
  expect(spans.filter((span) => (span as [string])[0].startsWith("articles.")).length).toBe(1);
});

it("a batch of one message has its organization", async () => {
  const { organizationId } = await newTenant();
  const spans = recordSpans();
  await consumed("edgepress-deliveries", [{ organizationId }]);
  expect(spans).toContainEqual(["edgepress-deliveries", { organization: organizationId, part: undefined }]);
});
