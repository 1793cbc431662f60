/** What preview links and former slugs cost in D1 (architecture, "Budgets"). */
import { beforeAll, expect, it } from "vitest";
import { newPreviewToken } from "../../src/domain/secrets.ts";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { end, JSON_ONLY, PAGE, pathOf, type NewPreview } from "../helpers/previews.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
/** Links to an article, to one with a working copy, and one that has ended. */
let [link, copied, ended]: NewPreview[] = [];
let unknown: string;
/** Of an article that is published. */
let movedId: string;
beforeAll(async () => {
  tenant = await newTenant();
  const as = { apiKey: tenant.apiKey };
  const [draft = "", third = "", , published = "", other = ""] = await seedArticles(tenant, 200);
  const create = (id: string) => sendJson<NewPreview>(200, pathOf(id), { as, body: {} });
  [link, copied, ended] = [await create(draft), await create(other), await create(third)];
  await sendJson(200, `/api/articles/${other}/draft`, { as, method: "PUT", body: { title: "Next", tags: ["Porto"] } });
  await end(third);
  unknown = (await newPreviewToken()).token;
  movedId = published;
  await sendJson(200, "/api/articles", { as, body: { _id: movedId, slug: "moved-away" } });
  await noteNoUse();
});

type Case = { readonly path: string; readonly ask?: Send; readonly status?: number };

const preview = (token: string | undefined, headers: Record<string, string>, status = 200): Case => ({
  path: `/previews/${token}`,
  ask: { headers },
  status,
});
const follow = (slug: string, query = "", status = 200): Case => ({
  path: `/api/articles/${slug}?moved=follow${query}`,
  status,
});
const keyed = (of: Case, method?: string): Case => ({
  ...of,
  ask: { as: { apiKey: tenant.apiKey }, ...(method !== undefined && { method }) },
});

/** In this order: the link is revoked at the end. `article-3` is the slug that the article had. */
const CASES: Record<keyof typeof budgets.links, () => Case> = {
  "a preview as JSON": () => preview(link?.token, JSON_ONLY),
  "a preview as a page": () => preview(link?.token, PAGE),
  "a preview of a working copy": () => preview(copied?.token, JSON_ONLY),
  "a preview that has ended": () => preview(ended?.token, JSON_ONLY, 404),
  "a preview that nobody made": () => preview(unknown, JSON_ONLY, 404),
  "a preview by what is no token": () => preview("nothing", JSON_ONLY, 404),
  "a preflight": () => ({ path: `/previews/${link?.token}`, ask: { method: "OPTIONS" }, status: 204 }),
  "a slug that an article has, to be followed": () => follow("moved-away"),
  "a former slug that is followed": () => follow("article-3"),
  "a former slug that is followed, in a blog": () => follow("article-3", `&blogId=${tenant.blogId}`),
  "a former slug that is not followed": () => ({ path: "/api/articles/article-3", status: 404 }),
  "an unknown slug, to be followed": () => follow("no-such-article", "", 404),
  "with a key: a former slug that is followed": () => keyed(follow("article-3")),
  "with a key: an unknown slug, to be followed": () => keyed(follow("no-such-article", "", 404)),
  "revoke a preview": () => keyed({ path: `${pathOf(link?.articleId ?? "")}/${link?._id}` }, "DELETE"),
  "revoke it again": () => keyed({ path: `${pathOf(link?.articleId ?? "")}/${link?._id}`, status: 404 }, "DELETE"),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask, status = 200 } = of();
  const { response, ...counter } = await counted(path, ask);
  expect(response.status, await response.text()).toBe(status);
  expectWithin(name, budgets.links, counter);
});
