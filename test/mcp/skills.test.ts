/** Skills over MCP (SEP-2640), in both eras. */
import { expect, it } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import { utf8Length } from "../../src/lib/text.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { answer, ERAS, request } from "../helpers/mcp.ts";
import { newTenant } from "../helpers/tenant.ts";

type Skill = {
  uri: string;
  frontmatter: { name: string; description: string };
  resources: { uri: string; digest: string; size: number }[];
};

it.each(ERAS)("are listed with their files, which are what they say (%s)", async (era) => {
  const token = await connected(await newTenant(), { scopes: ["articles:read"] });
  const { skills, ...more } = await answer<{ skills: Skill[] }>("skills/list", {}, { token, era });
  expect("ttlMs" in more).toBe(era === "2026-07-28");
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toContain("translate-blog");
  for (const skill of skills) {
    expect(skill.uri).toBe(`skill://${skill.frontmatter.name}/SKILL.md`);
    expect((await answer<{ skill: Skill }>("skills/get", { uri: skill.uri }, { token, era })).skill).toEqual(skill);
    for (const { uri, digest, size } of skill.resources) {
      type Read = { contents: { text: string }[] };
      const { text = "" } = (await answer<Read>("resources/read", { uri }, { token, era })).contents[0] ?? {};
      expect([`sha256:${await sha256(text)}`, utf8Length(text)]).toEqual([digest, size]);
    }
  }
  for (const uri of ["skill://nope/SKILL.md", "skill://translate-blog/../x"])
    expect((await request("skills/get", { uri }, { token, era })).error?.code).toBe(-32602);
  expect((await request("resources/read", { uri: "skill://nope/SKILL.md" }, { token, era })).error).toBeDefined();
});
