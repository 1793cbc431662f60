/** The plugin's skills over MCP (SEP-2640): how to go about frequent tasks with the tools. `npm run plugins` writes them to skills.json. */
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { sha256 } from "../../lib/hash.ts";
import { utf8Length } from "../../lib/text.ts";
import served from "./skills.json" with { type: "json" };

export const SKILLS_EXTENSION = { "io.modelcontextprotocol/skills": {} } as const;

const FILES: ReadonlyMap<string, string> = new Map(
  served.skills.flatMap(({ frontmatter: { name }, text }) =>
    [{ path: "SKILL.md", text }, ...served.shared].map((file) => [`skill://${name}/${file.path}`, file.text] as const),
  ),
);

async function describe({ frontmatter }: (typeof served.skills)[number]) {
  const root = `skill://${frontmatter.name}/`;
  const own = [...FILES].filter(([uri]) => uri.startsWith(root));
  const resources = await Promise.all(
    own.map(async ([uri, text]) => ({ uri, digest: `sha256:${await sha256(text)}`, size: utf8Length(text) })),
  );
  return { uri: `${root}SKILL.md`, frontmatter, resources };
}

type Skill = Awaited<ReturnType<typeof describe>>;

let described: Promise<Skill[]> | undefined;

const listSkills = (): Promise<Skill[]> => (described ??= Promise.all(served.skills.map(describe)));

/** The same for everybody, until the next version of the service. */
const CACHE = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Adds the methods for skills to a server. */
export function serveSkills(server: Server): void {
  const isModern = () => (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
  const cache = () => (isModern() ? CACHE : {});
  server.setRequestHandler("skills/list", { params: z.looseObject({}) }, async () => ({
    skills: await listSkills(),
    ...cache(),
  }));
  server.setRequestHandler("skills/get", { params: z.looseObject({ uri: z.string() }) }, async ({ uri }) => {
    const skill = (await listSkills()).find((each) => each.uri === uri);
    if (skill === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri}.`);
    return { skill, ...cache() };
  });
}

/** Returns a file of a skill. Null if there is none at this URI. */
export function readSkillFile(uri: string): ReadResourceResult | null {
  const text = FILES.get(uri);
  return text === undefined ? null : { contents: [{ uri, mimeType: "text/markdown", text }] };
}
