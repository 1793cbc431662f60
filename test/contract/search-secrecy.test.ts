/** Contract 1.5, 9.1: a credential that is pinned to one blog can touch only that blog, by search, too. */
import { expect, it } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import { issueKey, sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

/** The titles that a key of one blog finds for two words, of which another blog's drafts may use one. */
async function found({ isUsedElsewhere }: { readonly isUsedElsewhere: boolean }): Promise<string[]> {
  const { operatorToken, blogId } = await newTenant();
  const as = { operatorToken };
  const { _id: otherId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Other" } });
  const [word, control] = ["merger", "lantern"];
  const elsewhere = isUsedElsewhere ? word : "nothing";
  // Plain ones, too: what most texts have counts for nothing anyway.
  for (const content of [...Array<string>(4).fill(`The ${elsewhere} is secret`), ...Array<string>(20).fill("Plain")]) {
    await sendJson(200, "/api/articles", { as, body: { blogId: otherId, title: "Draft", content } });
  }
  const { secret } = await issueKey(as, SCOPES, { blogId });
  const write = (title: string, content: string) =>
    sendJson(200, "/api/articles", { as: { apiKey: secret }, body: { blogId, title, content } });
  await write("Control", `${control} ${control} ${control} ${word}`);
  await write("Word", `${word} ${word} ${word} ${control}`);
  const path = `/api/search?query=${word}%20${control}`;
  return (await sendJson<{ title: string }[]>(200, path, { as: { apiKey: secret } })).map(({ title }) => title);
}

it("the order of what a pinned key finds does not depend on other blogs", async () => {
  expect(await found({ isUsedElsewhere: true })).toEqual(await found({ isUsedElsewhere: false }));
});
