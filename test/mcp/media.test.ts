/** What `upload_media` says of its own arguments. */
import { expect, it } from "vitest";
import { toListedTool, tools } from "../../src/surfaces/mcp/tools.ts";
import { connected, fail } from "../helpers/mcp-connected.ts";
import { newTenant } from "../helpers/tenant.ts";

it("names what is missing or wrong as the tool calls it", async () => {
  const token = await connected(await newTenant());
  const refused = async (input: object) => (await fail(token, "upload_media", input)).errors;
  expect(await refused({})).toEqual([{ path: "data", message: "is required, unless you send a `url`" }]);
  expect(await refused({ data: "data:image/png;base64,iVBORw0KGgo=" })).toEqual([
    { path: "data", message: "must be base64, without a `data:` prefix" },
  ]);
  expect(await refused({ data: "iVBORw0KGgo=", url: "https://a.example/b.png" })).toMatchObject([{ path: "url" }]);
});

it("describes no argument by one that it does not have", () => {
  const upload = tools.find(({ name }) => name === "upload_media");
  expect(JSON.stringify(upload && toListedTool(upload).inputSchema)).not.toContain("`file`");
});
