/** The commands of operators, and `api`, against the service as `npm start` runs it. */
import { expect, it } from "vitest";
import { useService } from "./service.ts";

const { edgepress, json, refused, local, newBlog } = await useService();
const operator = { env: { EDGEPRESS_OPERATOR_TOKEN: local.operatorToken } };

type Key = { _id: string; name: string; scopes: string[]; secret?: string };

it("keys are created, changed, rotated and revoked, and the audit log tells of it", async () => {
  const key = await json<Key>(["keys", "create", "Build", "--scopes", "articles:read"], operator);
  const scopes = ["articles:read", "blogs:read"];
  const changed = await json<Key>(["keys", "update", key._id, "--scopes", scopes.join(",")], operator);
  expect(changed).toMatchObject({ _id: key._id, name: "Build", scopes });
  const next = await json<Key>(["keys", "rotate", key._id, "--overlap", "0"], operator);
  const blogs = (secret = "") => edgepress(["blogs", "list"], { env: { EDGEPRESS_API_KEY: secret } });
  expect([(await blogs(next.secret)).code, (await blogs(key.secret)).code]).toEqual([0, 4]);
  await json(["keys", "revoke", next._id, "--yes"], operator);
  expect((await json<Key[]>(["keys", "list"], operator)).map(({ _id }) => _id)).not.toContain(next._id);
  const entries = await json<{ action: string }[]>(["audit", "--kind", "apikeys", "--limit", "4"], operator);
  const actions = ["apikeys.revoke", "apikeys.rotate", "apikeys.update", "apikeys.create"];
  expect(entries.map(({ action }) => action)).toEqual(actions);
  expect(await refused(["keys", "list"], { env: { EDGEPRESS_OPERATOR_TOKEN: "" } })).toMatchObject({ exit: 4 });
});

it("members are listed and invited, and contacts are listed, added and erased", async () => {
  const invited = await json<{ link: string }>(["members", "invite", "ada@example.com", "--role", "writer"], operator);
  expect(invited.link).toContain("/console/invitations/");
  expect(await json(["members", "list"], operator)).toBeInstanceOf(Array);
  const blog = await newBlog();
  const { _id } = await json<{ _id: string }>(["contacts", "create", "ada@example.com", "--blog", blog]);
  expect(await json(["contacts", "list", "--blog", blog])).toMatchObject([{ _id, email: "ada@example.com" }]);
  await json(["contacts", "erase", _id, "--yes"]);
  expect(await json(["contacts", "list", "--blog", blog])).toEqual([]);
});

it("api sends any request, and no other server gets it", async () => {
  const blog = await newBlog();
  const { _id: blogId } = await json<{ _id: string }>(["api", "get", `/blogs/${blog}`]);
  const fields = ["-f", `blogId=${blogId}`, "-f", "title=42", "-F", 'tags=["Ferries"]'];
  const made = await json<{ _id: string; title: string }>(["api", "POST", "/api/articles", ...fields]);
  expect(made.title).toBe("42");
  const input = JSON.stringify({ _id: made._id, title: "By file" });
  expect(await json(["api", "POST", "/api/articles", "--input", "-"], { input })).toMatchObject({ title: "By file" });
  await json(["api", "POST", "/api/articles", "-f", `blogId=${blogId}`, "-f", "title=Second"]);
  const list = ["api", "GET", "/api/articles", "-f", `blogId=${blogId}`, "-F", "limit=1"];
  expect(await json(list)).toHaveLength(1);
  expect(await json([...list, "--paginate"])).toHaveLength(2);
  expect(await json(["api", "GET", "/api/me", "--operator"], operator)).toMatchObject({ kind: "operator" });
  expect((await edgepress(["api", "GET", `/blogs/${blog}/feed.xml`])).stdout).toMatch(/^<\?xml/);
  for (const path of ["//example.com/x", "/\\example.com", "https://example.com", "api"]) {
    expect(await refused(["api", "GET", path])).toMatchObject({ code: "usage" });
  }
});
