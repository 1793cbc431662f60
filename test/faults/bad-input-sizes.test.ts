/** Bodies and contents at their limits, declared, streamed and lied about. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { getInputSources } from "../../src/surfaces/rest/routes.ts";
import { send, sendJson, authorization, ORIGIN } from "../helpers/requests.ts";
import { everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { sample, spread } from "../helpers/sample.ts";
import { exports } from "cloudflare:workers";

const MiB = 1024 * 1024;
const withBody = everyRoute.filter(({ route }) => getInputSources(route).body.length > 0);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const as = () => ({ apiKey: world.tenant.apiKey });

/** A body of exactly so many bytes; the padding is white space, so that only the size is wrong. */
const padded = (body: object, size: number): string => JSON.stringify(body).padEnd(size, " ");

/** The text as a stream of chunks, whose length nobody knows; counts what is taken of it. */
function streamed(text: string, chunk: number): { stream: ReadableStream<Uint8Array>; taken: () => number } {
  const all = new TextEncoder().encode(text);
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offset >= all.length) return controller.close();
        controller.enqueue(all.slice(offset, offset + chunk));
        offset += chunk;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => offset };
}

/** Bodies that are too large: sizes, and whether the length is declared. */
const TOO_LARGE = [true, false].map((declared) => ({ size: 2 * MiB + 1, declared }));

describe.each(spread(withBody, 2))("$title", ({ route }) => {
  it("refuses a body of more than 2 MiB, declared or not", async () => {
    const credential = reaching(route, world);
    const { path, method, body = {} } = requestOf(route, validInput(route, world));
    await storingNothing(async () => {
      for (const { size, declared } of TOO_LARGE) {
        const text = padded(body, size);
        const sent = declared ? text : streamed(text, 64 * 1024).stream;
        await refusalOf(await send(path, { as: credential, method, body: sent }), "body_too_large");
      }
    });
  });
});

describe("a body of exactly 2 MiB", () => {
  it("is read, in one piece or in many", async () => {
    const text = padded({ blogId: world.tenant.blogId, title: "two" }, 2 * MiB);
    expect(await sendJson(200, "/api/articles", { as: as(), body: text })).toMatchObject({ title: "two" });
    const { stream } = streamed(text, 60_000);
    expect(await sendJson(200, "/api/articles", { as: as(), body: stream })).toMatchObject({ title: "two" });
  });

  it("may come with its characters cut between two chunks", async () => {
    const { stream } = streamed(JSON.stringify({ blogId: world.tenant.blogId, title: "é日😀" }), 1);
    expect(await sendJson(200, "/api/articles", { as: as(), body: stream })).toMatchObject({ title: "é日😀" });
  });
});

describe("a body without an end", () => {
  it("is refused soon after 2 MiB", async () => {
    const { stream, taken } = streamed(`{"title":"${"a".repeat(14 * MiB)}"}`, 64 * 1024);
    const response = await send("/api/articles", { as: as(), body: stream });
    expect(taken()).toBeLessThan(2.2 * MiB);
    await refusalOf(response, "body_too_large");
    // What is left of it is read for the sake of the connection, within the limit of uploads.
    expect(taken()).toBeLessThan(10.2 * MiB + 2.2 * MiB);
  });

  it("that breaks off in the middle stores nothing", async () => {
    await storingNothing(async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`{"blogId":"${world.tenant.blogId}","title":"`));
        },
        pull(controller) {
          controller.error(new Error("connection lost"));
        },
      });
      const answer = await send("/api/articles", { as: as(), body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.text()).not.toContain("connection lost");
    });
  });
});

describe("a Content-Length that lies", () => {
  it("does not lift the limit", async () => {
    const text = padded({ blogId: world.tenant.blogId }, 3 * MiB);
    await storingNothing(async () => {
      for (const length of sample(["0", "1", "-1", "abc", "1e3", "2097152", "99999999999999999999"], 0)) {
        const headers = { "Content-Length": length };
        await refusalOf(await send("/api/articles", { as: as(), body: text, headers }), "body_too_large");
      }
    });
  });
});

describe("through the Worker's own door", () => {
  it("a body of 3 MiB is refused, and the answer arrives", async () => {
    await storingNothing(async () => {
      const text = padded({ blogId: world.tenant.blogId }, 3 * MiB);
      for (const body of [text, streamed(text, 64 * 1024).stream]) {
        const headers = { ...authorization(as()), "Content-Type": "application/json" };
        const request = new Request(new URL("/api/articles", ORIGIN), { method: "POST", headers, body });
        await refusalOf(await exports.default.fetch(request), "body_too_large");
      }
    });
  });
});

describe("the content of an article", () => {
  /** Texts of exactly 1 MiB in UTF-8, of characters of one to four bytes. */
  const FULL: readonly (readonly [string, string])[] = [
    ["one byte a character", "a".repeat(MiB)],
    ["all of them mixed", `${"aé日😀".repeat((MiB - 6) / 10)}aé日`.padEnd(0)],
  ];

  it.each(sample(FULL, 0, 1))("may have exactly 1 MiB, and is replayed whole: %s", async (_, content) => {
    expect(new TextEncoder().encode(content).length).toBe(MiB);
    const options = {
      as: as(),
      body: { blogId: world.tenant.blogId, content },
      headers: { "Idempotency-Key": newId() },
    };
    const created = await sendJson<{ _id: string; content: string }>(200, "/api/articles", options);
    expect(created.content === content).toBe(true);
    expect(await sendJson(200, "/api/articles", options)).toEqual(created);
    const read = await sendJson<{ content: string }>(200, `/api/articles/${created._id}`, { as: as() });
    expect(read.content === content).toBe(true);
  });

  it.each(sample(FULL, 0, 1))("may not have a byte more: %s", async (_, content) => {
    await storingNothing(async () => {
      for (const body of [
        { blogId: world.tenant.blogId, content: `${content}a` },
        { _id: world.article._id, content: `a${content}` },
      ]) {
        const problem = await refusalOf(await send("/api/articles", { as: as(), body }), "invalid_request");
        expect(fieldsOf(problem)).toEqual(["content"]);
      }
    });
  });

  it("may have 1 MiB of characters that JSON has to escape, as far as a body can carry them", async () => {
    // 2,040,000 bytes of body. Under an Idempotency-Key: test/faults/idempotency.test.ts.
    const content = "\n".repeat(1_020_000);
    const options = { as: as(), body: { blogId: world.tenant.blogId, content } };
    const first = await sendJson<{ content: string }>(200, "/api/articles", options);
    expect(first.content === content).toBe(true);
  });
});
