/** Contract 19.9: an organization that uploads very many pictures holds up the smaller files of nobody else. */
import { createExecutionContext, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { consumeSizes, sweepSizes, type SizeMessage, type SizeRelay } from "../../src/background/media/size-queue.ts";
import { newPng, upload, type MediaBody } from "../helpers/pictures.ts";
import { batchOf, HeldQueue } from "../helpers/relay.ts";
import { send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { UNMETERED } from "../helpers/unmetered.ts";

/** The queue, in its order; nothing is sized before a test says so. */
let sizes: HeldQueue<SizeMessage>;
/** The organizations that have used their share of this minute. */
const spent = new Set<string>();
beforeEach(async () => {
  spent.clear();
  await env.DB.prepare("update media set sizes = '[]' where sizes is null").run();
  sizes = new HeldQueue();
});

const relayOf = (bucket = env.MEDIA): SizeRelay => ({
  db: env.DB,
  meter: UNMETERED,
  bucket,
  sizes: sizes as unknown as Queue<SizeMessage>,
  share: async (organizationId) => !spent.has(organizationId),
  now: () => new Date(Date.now() + 10 * 60_000),
  log: () => undefined,
});

async function uploads(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let seed = 0; seed < count; seed++) {
    const bindings = { SIZES: sizes } as unknown as Partial<Env>;
    ids.push((await (await upload(tenant, await newPng(400, 9, seed), { bindings })).json<MediaBody>())._id);
  }
  return ids;
}

/** Handles so many messages of the queue, the oldest first. Those that are to come again are the last ones then. */
async function handle(messages: number, bucket = env.MEDIA): Promise<void> {
  for (const message of sizes.held.splice(0, messages)) {
    const batch = batchOf("edgepress-sizes", [message]);
    await consumeSizes(relayOf(bucket), batch);
    const { retryMessages } = await getQueueResult(batch, createExecutionContext());
    if (retryMessages.length > 0) await sizes.send(message);
  }
}

const unsized = async (...ids: string[]): Promise<string[]> => {
  const rows = env.DB.prepare("select id from media where sizes is null and id in (select value from json_each(?))");
  return (await rows.bind(JSON.stringify(ids)).all<{ id: string }>()).results.map(({ id }) => id);
};

it("one picture is sized before the many of another organization that came first, and all are in the end", async () => {
  const many = await uploads(await newTenant(), 8);
  await handle(1);
  const one = await uploads(await newTenant(), 1);
  const two = await uploads(await newTenant(), 2);
  await handle(1);
  expect(await unsized(...one)).toEqual([]);
  await handle(2);
  expect(await unsized(...two)).toEqual([]);
  // No number: the Worker's own queue may still have messages of an earlier file, which size some of these.
  expect(await unsized(...many)).not.toEqual([]);
  await handle(7);
  expect([await unsized(...many), sizes.held]).toEqual([[], []]);
});

it("pictures of an organization that has used its share wait for the next minute, those of others do not", async () => {
  const [greedy, other] = [await newTenant(), await newTenant()];
  const [many, one] = [await uploads(greedy, 2), await uploads(other, 1)];
  spent.add(greedy.organizationId);
  await handle(3);
  expect(await unsized(...one)).toEqual([]);
  expect(sizes.held.map(({ mediaId }) => mediaId)).toEqual(many);
  spent.clear();
  await handle(2);
  expect([await unsized(...many), sizes.held]).toEqual([[], []]);
});

it("pictures that fail, as while R2 does, are tried again only after all others", async () => {
  const [one, many] = [await uploads(await newTenant(), 1), await uploads(await newTenant(), 2)];
  const fails = { get: () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
  await handle(3, fails);
  expect(await unsized(...one, ...many)).toHaveLength(3);
  const tries = env.DB.prepare("select max(size_tries) as n from media where sizes is null");
  expect(await tries.first("n")).toBe(1);
  await sweepSizes(relayOf());
  await handle(3);
  expect(await unsized(...one, ...many)).toEqual([]);
});

it("a picture that two consumers size at once, as a message may arrive twice, keeps its smaller files", async () => {
  const noise = await newPng(400, 300, 0, (row) => crypto.getRandomValues(row));
  const bindings = { SIZES: sizes } as unknown as Partial<Env>;
  const { _id } = await (await upload(await newTenant(), noise, { bindings })).json<MediaBody>();
  const [message] = sizes.held;
  if (message === undefined) throw new Error("no message");
  // The second one has the message, and is done, while the first one's files are on their way to R2.
  const put = async (...args: Parameters<R2Bucket["put"]>) => {
    await consumeSizes(relayOf(), batchOf("edgepress-sizes", [message]));
    return env.MEDIA.put(...args);
  };
  const [get, remove] = [env.MEDIA.get.bind(env.MEDIA), env.MEDIA.delete.bind(env.MEDIA)];
  await handle(1, { get, put, delete: remove } as unknown as R2Bucket);
  const small = await send(`/media/${_id}?w=320`);
  expect([small.status, small.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
});
