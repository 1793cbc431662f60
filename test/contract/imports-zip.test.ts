/** Contract 22.7: a ZIP of Markdown files is imported with the pictures in it, and a hostile one does no harm. */
import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { expect, it } from "vitest";
import { settled, uploadImport } from "../helpers/importing.ts";
import { PICTURES } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

async function zipOf(files: Readonly<Record<string, string | Uint8Array>>, more = {}): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, useCompressionStream: true, ...more });
  for (const [name, content] of Object.entries(files)) {
    await zip.add(name, typeof content === "string" ? new TextReader(content) : new Uint8ArrayReader(content));
  }
  return zip.close();
}

const start = async ({ blogId, apiKey }: Tenant, id: string) =>
  sendJson(200, `/api/blogs/${blogId}/imports/${id}/start`, { as: { apiKey }, method: "POST" });

it("a folder of Markdown comes with its pictures, and without what systems have put beside it", async () => {
  const tenant = await newTenant();
  const file = await zipOf({
    "blog/posts/grüße.md": "---\ntitle: Grüße\npublished: true\n---\n\n![Fish](../fish.jpg) and ![gone](gone.png)\n",
    "blog/posts/draft.md": "---\ntitle: Draft\ndraft: true\n---\n\ntext\n",
    "blog/fish.jpg": PICTURES.locatedJpeg,
    "blog/.DS_Store": "x",
    "__MACOSX/blog/posts/._draft.md": "x",
  });
  const { _id } = await uploadImport(tenant, file);
  const checked = await settled(tenant, _id, "checked");
  expect(checked).toMatchObject({ format: "markdown", total: 2 });
  expect(checked.counts).toMatchObject({ ready: 2, drafts: 1, refused: 0 });
  await start(tenant, _id);
  expect((await settled(tenant, _id, "done")).counts).toMatchObject({ created: 2, pictures: 1 });
  const as = { apiKey: tenant.apiKey };
  const [article] = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}&published=true`, { as });
  expect(article?.content).toMatch(/^!\[Fish\]\(.*\/media\/[\da-f-]+#\d+x\d+\) and /);
  expect(await sendJson(200, "/api/media", { as })).toMatchObject([{ name: "fish.jpg", alt: "Fish" }]);
});

it("an entry that is larger than it says is refused, and the others are imported", async () => {
  const tenant = await newTenant();
  const bomb = await zipOf({ "bomb.md": " ".repeat(20_000_000), "good.md": "# Good\n\ntext\n" });
  expect(bomb.length).toBeLessThan(100_000);
  // Its header says that it has 20 bytes.
  const view = new DataView(bomb.buffer, bomb.byteOffset);
  for (let at = 0; at < bomb.length - 4; at++)
    if (view.getUint32(at, true) === 20_000_000) view.setUint32(at, 20, true);
  const { _id } = await uploadImport(tenant, bomb);
  expect((await settled(tenant, _id, "checked")).counts).toMatchObject({ ready: 1, refused: 1 });
});

it("an entry whose name another has, or is too long, is named with the reason", async () => {
  const tenant = await newTenant();
  const long = `${"long/".repeat(201)}a.md`;
  const file = await zipOf({ "one.md": "# First", "two.md": "# Second", [long]: "# Long" });
  for (let at = 0; at < file.length; at++)
    if (new TextDecoder().decode(file.subarray(at, at + 6)) === "two.md")
      file.set(new TextEncoder().encode("one.md"), at);
  const { _id } = await uploadImport(tenant, file);
  expect((await settled(tenant, _id, "checked")).counts).toMatchObject({ ready: 1, refused: 2 });
  const at = `/api/blogs/${tenant.blogId}/imports/${_id}/articles`;
  expect(await sendJson(200, at, { as: { apiKey: tenant.apiKey } })).toMatchObject([
    { name: "one.md", title: "Second", state: "ready" },
    { name: "one.md", state: "refused", problem: expect.stringContaining("has the same name") },
    { name: long.slice(0, 200), state: "refused", problem: expect.stringContaining("more than 1000 characters") },
  ]);
});

it.each([
  ["broken", async () => new TextEncoder().encode("PK\u0003\u0004 and nothing else"), /no ZIP that can be read/],
  ["encrypted", async () => zipOf({ "a.md": "# A" }, { password: "secret" }), /is encrypted/],
  ["leading out of its folder", async () => zipOf({ "../../etc/a.md": "# A" }), /The file /],
  ["empty", async () => zipOf({ "a.txt": "x" }), /nothing to import/],
] as const)("an archive that is %s fails with a reason", async (_, make, problem) => {
  const tenant = await newTenant();
  const { _id } = await uploadImport(tenant, await make());
  expect((await settled(tenant, _id, "failed")).problem).toMatch(problem);
});
