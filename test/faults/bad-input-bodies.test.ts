/** Bodies that are no JSON object: every operation that reads one refuses them, and stores nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import { getInputSources, requiresBody } from "../../src/surfaces/rest/routes.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const withBody = everyRoute.filter(({ route }) => getInputSources(route).body.length > 0);

const NOT_JSON = [
  " ",
  "\n",
  "{",
  "}",
  "{]",
  '{"title"}',
  '{"title":}',
  '{"title":"a",}',
  '{,"title":"a"}',
  "{'title':'a'}",
  "{title:1}",
  '{"title":"a"}{}',
  '{"title":"a"} x',
  '{"title":"a" /* comment */}',
  '{"title":"a"}\u0000',
  '{"title":"line\nbreak"}',
  '{"title":"\\x41"}',
  '{"title":"\\ud80"}',
  '{"title":NaN}',
  '{"title":Infinity}',
  '{"title":undefined}',
  '{"title":0x10}',
  '{"title":01}',
  '{"title":+1}',
  '{"title":.5}',
  '{"title":1.}',
  "title=a&content=b",
  "<article><title>a</title></article>",
  "title: a",
  "--boundary\r\nContent-Disposition: form-data\r\n\r\n--boundary--",
  "{".repeat(1000),
  "[".repeat(4000),
  '{"title":'.repeat(4000),
  `{"title":"${"a".repeat(1000)}`,
];

const NOT_AN_OBJECT = ["null", "true", "false", "0", "-1.5e10", '"text"', "[]", '[{"title":"a"}]', "[null]"];

/** Bytes that are not UTF-8, inside of what would be JSON. */
const NOT_UTF8: readonly (readonly number[])[] = [
  [0xff],
  [0xfe, 0xff],
  [0xc3],
  [0xc0, 0x80],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const CONTENT_TYPES = [
  "",
  "text/plain",
  "text/json",
  "text/plain;charset=application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/xml",
  "application/problem+json",
  "application/jsonp",
  "application/json5",
  "application",
  "application/",
  "/json",
  "json",
  "*/*",
  "application/*",
  "application/json, text/plain",
  "text/plain, application/json",
  "; application/json",
  "application /json",
];

function utf16(text: string, little: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 + text.length * 2));
  view.setUint16(0, 0xfeff, little);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + i * 2, text.charCodeAt(i), little);
  return new Uint8Array(view.buffer);
}

const ENCODINGS = ["gzip", "GZIP", "br", "deflate", "zstd", "gzip, gzip", "identity, gzip", "nonsense"];

const NOT_TEXT: readonly Uint8Array[] = [
  ...NOT_UTF8.map((wrong) => joined(bytes('{"title":"'), Uint8Array.from(wrong), bytes('"}'))),
  utf16('{"title":"a"}', true),
  utf16('{"title":"a"}', false),
];

/** Objects that are nested 100,000 levels deep, in this member or in an unknown one. */
const deep = (member: string): string[] => [
  `{"${member}":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  `{"${member}":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`,
  `{"unknown":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
];

it.each(spread(withBody))(
  "every kind of body but a JSON object is refused, and nothing is stored: $title",
  async ({ route }) => {
    const as = reaching(route, world);
    const { path, method, body: members } = requestOf(route, validInput(route, world));
    const valid = bytes(JSON.stringify(members));
    const refused = async (code: ErrorCode, more: Send) =>
      void (await refusalOf(await send(path, { as, method, body: valid, ...more }), code));
    await storingNothing(async () => {
      if (requiresBody(route)) await refused("invalid_json", { body: "" });
      for (const body of spread(NOT_JSON, 12)) await refused("invalid_json", { body });
      for (const body of NOT_AN_OBJECT) await refused("invalid_json", { body });
      for (const body of NOT_TEXT) await refused("invalid_json", { body });
      for (const type of spread(CONTENT_TYPES, 8)) await refused("unsupported_media_type", { type });
      await refused("unsupported_media_type", { type: null });
      for (const encoding of ENCODINGS) {
        await refused("unsupported_media_type", { headers: { "Content-Encoding": encoding } });
      }
      for (const body of deep(getInputSources(route).body[0] ?? "")) await refused("invalid_request", { body });
    });
  },
);

it("5,000 values are counted before any of them is looked at (contract 14.1)", async () => {
  const { apiKey, blogId } = world.tenant;
  const detailOf = async (path: string, method: string, body: object) =>
    (await refusalOf(await send(path, { as: { apiKey }, method, body }), "invalid_request")).detail;
  const many = (count: number, value: unknown) => Array<unknown>(count).fill(value);
  const tooMany = "The body has more than 5000 values.";
  expect(await detailOf("/api/tags", "POST", { blogId, name: "a", names: Object.assign({}, many(5000, 1)) })).toBe(
    tooMany,
  );
  expect(await detailOf(`/api/blogs/${blogId}/site`, "PUT", { menu: many(5000, {}) })).toBe(tooMany);
  expect(await detailOf("/api/articles", "POST", Object.assign({ blogId }, many(5000, 1)))).toBe(tooMany);
  expect(
    await detailOf("/api/articles", "POST", { blogId, seo: { a: many(50, Object.assign({}, many(100, 1))) } }),
  ).toBe(tooMany);
  expect(await detailOf("/api/articles", "POST", { blogId, tags: many(4990, 1) })).toContain("at most 20 items");
  const content = '{[,\\"'.repeat(5000);
  expect(await sendJson(200, "/api/articles", { as: { apiKey }, body: { blogId, content } })).toMatchObject({
    content,
  });
});

describe("JSON in unusual dress is still JSON", () => {
  const save = (body: string | Uint8Array, type = "application/json") =>
    sendJson<{ title: string }>(200, "/api/articles", { as: { apiKey: world.tenant.apiKey }, body, type });

  it("in any case and with parameters of its content type", async () => {
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json;charset=UTF-8",
      " application/json ",
    ]) {
      await save(JSON.stringify({ blogId: world.tenant.blogId }), type);
    }
  });

  it("behind a byte order mark", async () => {
    await save(joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes(`{"blogId":"${world.tenant.blogId}"}`)));
  });

  it("with white space around it, or escapes for every character", async () => {
    await save(` \r\n\t{"blogId":"${world.tenant.blogId}"}\r\n `);
    const { title } = await save(`{"blogId":"${world.tenant.blogId}","\\u0074itle":"\\u00e9\\ud83d\\ude00\\/"}`);
    expect(title).toBe("é😀/");
  });

  it("where a member is repeated, the last one counts, as in every JSON parser of the platform", async () => {
    const { title } = await save(`{"blogId":"nowhere","title":"a","title":"b","blogId":"${world.tenant.blogId}"}`);
    expect(title).toBe("b");
  });
});

describe("a caller without credentials or without the scope", () => {
  it("is refused before the body is read", async () => {
    await storingNothing(async () => {
      for (const { route } of spread(withBody)) {
        const { path, method } = requestOf(route, validInput(route, world));
        let pulled = 0;
        const body = new ReadableStream<Uint8Array>(
          {
            pull(controller) {
              pulled++;
              controller.enqueue(new Uint8Array(1024 * 1024));
            },
          },
          { highWaterMark: 0 },
        );
        const response = await send(path, { method, body });
        expect(pulled).toBe(0);
        await refusalOf(response, "credentials_missing");
      }
    });
  });
});
