/** The feed of events, as a caller reads it. */
import type { EventKind } from "../../src/domain/events.ts";
import { send, sendJson, type Credential } from "./requests.ts";

export type FeedEvent = {
  _id: string;
  event: EventKind;
  blogId: string | null;
  timestamp: number;
  data: Record<string, unknown> & { _id: string; changed?: string[] };
};

export type FeedPage = { readonly events: FeedEvent[]; readonly after: string | null };

/** Reads a page. `after` is where its `Link` header says to go on. */
export async function readPage(as: Credential, query: Readonly<Record<string, string>> = {}): Promise<FeedPage> {
  const response = await send(`/api/events?${new URLSearchParams(query).toString()}`, { as });
  if (response.status !== 200) throw new Error(await response.text());
  const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  return { events: await response.json(), after: link ? new URL(link).searchParams.get("after") : null };
}

/** Where the feed is now. */
export const now = async (as: Credential): Promise<string> => (await readPage(as, { after: "latest" })).after ?? "";

/** Reads on until nothing more is there. */
export async function readOn(as: Credential, query: Readonly<Record<string, string>> = {}): Promise<FeedEvent[]> {
  const found: FeedEvent[] = [];
  for (let after = query["after"]; ;) {
    const page = await readPage(as, { ...query, ...(after && { after }) });
    found.push(...page.events);
    if (page.after === null || page.after === after) return found;
    after = page.after;
  }
}

/** Returns each event behind a place as "kind changed,fields". */
export const tellSince = async (as: Credential, after?: string): Promise<string[]> =>
  (await readOn(as, after === undefined ? {} : { after })).map(({ event, data }) =>
    [event, ...(data.changed ? [data.changed.join()] : [])].join(" "),
  );

/** Does something, and returns the events that it fired. */
export async function firedBy(as: Credential, act: () => Promise<unknown>): Promise<string[]> {
  const before = await now(as);
  await act();
  return tellSince(as, before);
}

export const put = (as: Credential, path: string, body: object): Promise<Record<string, unknown>> =>
  sendJson(200, path, { as, method: "PUT", body });
