/** Articles that are generated from sources. */
import { newId } from "../../src/lib/ids.ts";
import { askedOf, generated, script, SHORT } from "./generating.ts";
import type { Tenant } from "./tenant.ts";

export type Claim = { kind: string; text: string; backedBy: string; source: string | null };

/** The sources, the text of the first section, and what else is asked for. */
export type Written = [sources: readonly string[], content: string, more?: object];

/** Generates an article from sources. */
export async function writeFromSources(tenant: Tenant, ...[sources, content, more = {}]: Written) {
  const name = newId();
  await script(name, [{ match: "Write the lead as well", answer: { lead: "About walks.", content } }]);
  const { article, metadata } = await generated(tenant, { name, body: { ...SHORT, sources, ...more } });
  const asked = (await askedOf(name)).map(({ body }) => JSON.parse(body) as { messages: { content: string }[] });
  const prompts = asked.map(({ messages }) => messages.map((message) => message.content).join("\n"));
  const {
    claims = [],
    checks,
    degradations,
  } = metadata as unknown as {
    claims?: Claim[];
    checks: { name: string; passed: boolean; detail: string }[];
    degradations: string[];
  };
  return { article, claims, check: checks.find((each) => each.name === "sources"), degradations, prompts };
}
