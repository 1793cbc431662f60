/** The commands `webhooks` about subscriptions, against the service as `npm start` runs it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it, vi } from "vitest";
import { useService } from "./service.ts";

const { local, json, refused, edgepress, newBlog } = await useService();
const env = { EDGEPRESS_OPERATOR_TOKEN: local.operatorToken };

let status = 500;
const seen: string[] = [];
const server = createServer((request, response) => {
  request.resume();
  seen.push(String(request.headers["webhook-id"]));
  response.writeHead(status).end();
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
afterAll(() => server.close());

type Delivery = { eventId: string; event: string; state: string; redeliveries: number };

const PATIENCE = { timeout: 60_000, interval: 100 };

it("are created, listed, pinged, changed, brought up to date and deleted", async () => {
  const { stdout, stderr } = await edgepress(["webhooks", "create", url, "--name", "Desk"], { env });
  expect(stdout).toMatch(/^whsec_\S+\n$/);
  const [, id = ""] = /^Created (\S+)\./.exec(stderr) ?? [];
  expect(await json(["webhooks", "list"], { env })).toMatchObject([{ _id: id, name: "Desk", active: true }]);
  await newBlog();
  const deliveries = (...filters: string[]) => json<Delivery[]>(["webhooks", "deliveries", id, ...filters], { env });
  const failed = await vi.waitFor(async () => {
    const [found] = await deliveries("--state", "failed", "--event", "blog.created");
    expect(found).toBeDefined();
    return found as Delivery;
  }, PATIENCE);
  expect(await deliveries("--until", "2026-01-01T00:00:00Z")).toEqual([]);
  expect(await deliveries("--from", "2026-01-01 00:00:00Z", "--event", "article.created")).toEqual([]);

  status = 204;
  await json(["webhooks", "ping", id], { env });
  await vi.waitFor(
    async () => expect(await deliveries("--event", "ping")).toMatchObject([{ state: "succeeded" }]),
    PATIENCE,
  );
  await json(["webhooks", "update", id, "--active", "no"], { env });
  expect(await refused(["webhooks", "redeliver", id], { env })).toMatchObject({ code: "subscription_inactive" });
  await newBlog();
  const told = await edgepress(["webhooks", "redeliver", id, "--activate"], { env });
  expect(told.stdout).toMatch(
    /^2 deliveries are on their way, the oldest first: what is missing since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  const [, ...command] = /try again with: edgepress (\S+) (\S+) (\S+) (--from) (\S+)\n/.exec(told.stderr) ?? [];
  await vi.waitFor(async () => expect(await deliveries("--state", "succeeded")).toHaveLength(3), PATIENCE);
  const none = await edgepress(command, { env });
  expect(none.stdout).toMatch(/^Nothing is missing since /);

  const again = await json<Delivery>(["webhooks", "redeliver", id, "--event", failed.eventId], { env });
  expect(again).toMatchObject({ event: "blog.created", redeliveries: 2 });
  await vi.waitFor(() => expect(seen.filter((each) => each === failed.eventId)).toHaveLength(3), PATIENCE);
  expect(await refused(["webhooks", "redeliver", id, "--event", "x", "--activate"], { env })).toMatchObject({
    code: "usage",
  });
  const replaced = await edgepress(["webhooks", "replace-secret", id], { env });
  expect(replaced.stdout).toMatch(/^whsec_\S+\n$/);
  expect(replaced.stderr).toContain(`\`webhooks delete ${id}\``);
  expect(await json(["webhooks", "delete", id, "--yes"], { env })).toEqual({ _id: id });
});
