/** `limit`, `skip` and `cursor` of every list, as nobody should send them. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  encodeCursor,
  encodeFoundCursor,
  encodeMovedCursor,
  encodeScoreCursor,
  encodeSlugCursor,
} from "../../src/domain/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import type { LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

// The pages of an export have no limit.
const lists = everyRoute.filter(
  ({ route: { operation } }) => "cursor" in operation.input.shape && "limit" in operation.input.shape,
);

let world: World;
let other: World;
beforeAll(async () => {
  world = await newWorld("One");
  other = await newWorld("Other");
  for (const { tenant, subscriptionId, mediaId } of [world, other]) {
    const as = { apiKey: tenant.apiKey };
    const content = `![n](/media/${mediaId})`;
    for (let n = 0; n < 7; n++) {
      const body = { blogId: tenant.blogId, title: `n ${n}`, content, published: true };
      await sendJson(200, "/api/articles", { as, body });
      await sendJson(200, "/api/contacts", { as, body: { blogId: tenant.blogId, email: `n${n}@example.com` } });
      const ping = `/api/webhooksubscriptions/${subscriptionId}/ping`;
      await sendJson(202, ping, { as: { operatorToken: tenant.operatorToken }, method: "POST" });
    }
  }
});

/** A list's path with only what it must have. */
function bare(route: LoadedRoute, of: World): string {
  const { blogId, webhookSubscriptionId, mediaId, importId, query } = validInput(route, of) as Record<
    string,
    string | undefined
  >;
  const input = {
    ...(blogId && { blogId }),
    ...(webhookSubscriptionId && { webhookSubscriptionId }),
    ...(mediaId && { mediaId }),
    ...(importId && { importId }),
    ...(query && { query: "n" }),
  };
  const { path } = requestOf(route, input);
  return path.includes("?") ? `${path}&` : `${path}?`;
}

/** Lists in the order of slugs, of finds, and of the articles of all blogs have no `skip`. */
const skips = (route: LoadedRoute): boolean => "skip" in route.operation.input.shape;

describe.each(spread(lists))("$title", ({ route }) => {
  it.runIf(skips(route))("goes 10,000 deep by skip and no deeper", async () => {
    const as = reaching(route, world);
    expect(await sendJson(200, `${bare(route, world)}skip=10000`, { as })).toEqual([]);
    for (const skip of ["10001", "999999999999999", "1000000000000000", "1e15", "1e400", "9".repeat(400)]) {
      const problem = await refusalOf(await send(`${bare(route, world)}skip=${skip}`, { as }), "invalid_request");
      expect(fieldsOf(problem)).toEqual(["skip"]);
    }
  });

  it("names a skip and a limit that are no whole numbers from 0", async () => {
    const as = reaching(route, world);
    for (const name of skips(route) ? ["skip", "limit"] : ["limit"]) {
      for (const text of ["-1", "-999", "0.5", "", "0x1", "1e2", "%20", "1%20", "%2B1", "NaN", "٣", "1;drop"]) {
        const problem = await refusalOf(await send(`${bare(route, world)}${name}=${text}`, { as }), "invalid_request");
        expect(fieldsOf(problem), text).toEqual([name]);
      }
    }
  });

  it("treats a large limit as the largest, and reads numbers with leading zeros", async () => {
    const as = reaching(route, world);
    const all = await sendJson<unknown[]>(200, bare(route, world).slice(0, -1), { as });
    for (const limit of ["0", "00", "101", "100000", "999999999999999"]) {
      expect(await sendJson(200, `${bare(route, world)}limit=${limit}`, { as })).toEqual(all);
    }
    expect(await sendJson(200, `${bare(route, world)}limit=0001`, { as })).toEqual(all.slice(0, 1));
  });

  it("refuses a cursor that it did not write", async () => {
    const as = reaching(route, world);
    for (const cursor of cursors()) {
      const path = `${bare(route, world)}cursor=${encodeURIComponent(cursor)}`;
      await refusalOf(await send(path, { as }), "invalid_cursor", "invalid_request");
    }
  });

  it("reads on from a cursor whose item is gone or never was", async () => {
    const as = reaching(route, world);
    for (const cursor of unseenCursors(route)) {
      expect(await sendJson(200, `${bare(route, world)}cursor=${cursor}`, { as })).toBeInstanceOf(Array);
    }
  });
});

it.each(lists)("$title shows only its own items behind another organization's cursor", async ({ route }) => {
  const [own, foreign] = [await pages(route, world), await pages(route, other)];
  const as = reaching(route, world);
  for (const cursor of foreign.cursors) {
    const shown = await sendJson<Item[]>(200, `${bare(route, world)}cursor=${cursor}`, { as });
    for (const item of shown) expect(own.ids).toContain(nameOf(item));
  }
});

/** Cursors that a list could have written, for items that it does not have. */
function unseenCursors({ path, operation }: LoadedRoute): string[] {
  const members = operation.input.shape;
  if ("status" in members || "lossy" in members)
    return [-1, 0.5, 999_999_999.999].map((score) => encodeScoreCursor({ score, id: newId() }));
  // Of the lists in the order of time, only the one of all blogs has no `skip`; it has `sort`.
  if ("skip" in members || "sort" in members) {
    const times = ["0000-00-00T00:00:00.000Z", "9999-99-99T99:99:99.999Z", new Date().toISOString()];
    return times.map((time) => encodeCursor({ time, id: newId() }));
  }
  if ("query" in members) return [1, 199, 999].map(encodeFoundCursor);
  const slugs = ["0", "n-3-gone", "字".repeat(200)];
  return slugs.map((slug) =>
    path.endsWith("/movedslugs") ? encodeMovedCursor({ slug, locale: "en" }) : encodeSlugCursor(slug),
  );
}

/** What a list shows, with the member that names it there. */
type Item = { readonly _id: string } | { readonly articleId: string } | { readonly slug: string };

function nameOf(item: Item): string {
  if ("_id" in item) return item._id;
  return "articleId" in item ? item.articleId : item.slug;
}

/** The cursors and the items of a list, page by page. */
async function pages(route: LoadedRoute, of: World): Promise<{ cursors: string[]; ids: string[] }> {
  const as = reaching(route, of);
  const found = { cursors: [] as string[], ids: [] as string[] };
  let path: string | undefined = `${bare(route, of)}limit=5`;
  while (path !== undefined && found.cursors.length < 100) {
    const response: Response = await send(path, { as });
    for (const item of (await response.json()) as Item[]) found.ids.push(nameOf(item));
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    if (path !== undefined) found.cursors.push(new URL(path).searchParams.get("cursor") ?? "");
  }
  return found;
}

function cursors(): string[] {
  const place = { time: "2026-11-20T09:52:59.123Z", id: newId() };
  const good = encodeCursor(place);
  const of = (text: string) => btoa(text).replaceAll("=", "");
  return [
    "0",
    "null",
    "undefined",
    "~",
    "====",
    "%%%",
    "a".repeat(200),
    "a".repeat(201),
    "é",
    "😀",
    "\u0000",
    good.slice(1),
    good.slice(0, -3),
    `${good}AAAA`,
    `${good}.`,
    Array.from(good).toReversed().join(""),
    of(""),
    of("~"),
    of(place.time),
    of(`${place.time}~`),
    of(`~${place.id}`),
    of(`${place.time}~${place.id}~`),
    of(`${place.time}~${place.id}~x`),
    of(`${place.id}~${place.time}`),
    of(`${place.time}~${place.id.toUpperCase()}`),
    of(`${place.time}~' or 1=1 --`),
    of(`2026-11-20~${place.id}`),
    of(`2026-11-20T09:52:59Z~${place.id}`),
    of(`2026-11-20T09:52:59.123+00:00~${place.id}`),
    of(`\n${place.time}~${place.id}`),
    of(JSON.stringify(place)),
  ];
}

describe("an invalid cursor is refused even where nothing would be found", () => {
  const nowhere: readonly [string, () => Credential][] = [
    ["by anonymous callers who ask for drafts", () => ({})],
    ["by members", () => ({ apiKey: world.tenant.apiKey })],
  ];

  it.each(nowhere)("%s", async (_, as) => {
    for (const query of ["published=false", "published=true", "slug=none", "locale=fr"]) {
      const path = `/api/articles?blogId=${other.tenant.blogId}&${query}&cursor=garbage`;
      await refusalOf(await send(path, { as: as() }), "invalid_cursor");
    }
  });
});

describe("lists that a caller may not read", () => {
  it("are refused before their paging is looked at, and store nothing", async () => {
    await storingNothing(async () => {
      for (const { route } of lists.filter((list) => !list.route.operation.anonymous)) {
        await refusalOf(await send(`${bare(route, world)}limit=-1&cursor=x`), "credentials_missing");
      }
    });
  });
});
