/** What the environment asks of a local run; what the Worker would silently leave out is refused. */
import * as z from "zod";
import { FORUM_BASE_URLS } from "../../src/domain/topic-source.ts";
import { isWebUrl } from "../../src/lib/web-url.ts";
import { isWholeNumber } from "../../src/lib/whole-number.ts";
import { Failure } from "./failure.ts";
import { findOllama } from "./ollama.ts";

/** Settings by their names, none of them empty. */
export type Asked = Readonly<Record<string, string>>;

/** What may be set for a local run (docs/deploy.md, docs/generation.md). */
const SETTINGS = [
  "SIGN_UP",
  "MAIL_FROM",
  "MAIL_WEBHOOK_URL",
  "MAIL_WEBHOOK_TOKEN",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "AI_BASE_URL",
  "AI_MODEL",
  "AI_API_KEY",
  "AI_IMAGE_MODEL",
  "AI_TIMEOUT_SECONDS",
  "AI_GENERATIONS_PER_MINUTE",
  "AI_GENERATIONS_PER_DAY",
  "FORUM_BASE_URLS",
  "ORGANIZATION_ARTICLES",
  "ORGANIZATION_MEGABYTES",
  "ORGANIZATION_CONTACTS",
];

/**
 * The settings that are asked for; where they name no endpoint, with that of an Ollama that runs here. AI_MODEL is
 * there only where there is something that has it. A `Failure` for a setting that could not take effect.
 */
export async function settingsFrom(environment: NodeJS.ProcessEnv): Promise<Asked> {
  const asked: Asked = Object.fromEntries(
    SETTINGS.map((name) => [name, environment[name] ?? ""]).filter(([, value]) => value),
  );
  requireNumber(asked, "AI_TIMEOUT_SECONDS", 1);
  requireNumber(asked, "AI_GENERATIONS_PER_MINUTE", 0);
  requireNumber(asked, "AI_GENERATIONS_PER_DAY", 0);
  requireNumber(asked, "ORGANIZATION_ARTICLES", 0);
  requireNumber(asked, "ORGANIZATION_MEGABYTES", 0);
  requireNumber(asked, "ORGANIZATION_CONTACTS", 0);
  requireForums(asked);
  const issuer = asked["OIDC_ISSUER"];
  if (issuer !== undefined && !isWebUrl(issuer)) throw refusal("OIDC_ISSUER", issuer, "an http or https URL");
  return { ...asked, ...(await endpointOf(asked)) };
}

async function endpointOf({ AI_BASE_URL: url, AI_MODEL: model }: Asked): Promise<Asked> {
  if (url !== undefined) {
    if (!isWebUrl(url)) throw refusal("AI_BASE_URL", url, "an http or https URL, such as http://127.0.0.1:11434/v1");
    if (model === undefined) throw new Failure("AI_MODEL is not set; it has to name a model of AI_BASE_URL.");
    return {};
  }
  const ollama = await findOllama();
  if (model === undefined) return ollama ?? {};
  // Workers AI does not run locally, so nothing else could have it.
  if (ollama === null) throw new Failure(`AI_MODEL is "${model}", but AI_BASE_URL is not set; it has to say where.`);
  return { ...ollama, AI_MODEL: model };
}

/** Whole numbers of up to six digits: the Worker's own rule (src/env.ts). */
function requireNumber(asked: Asked, name: string, least: number): void {
  const text = asked[name];
  if (text === undefined || (isWholeNumber(text) && Number(text) >= least)) return;
  throw refusal(name, text, `a whole number from ${least} to 999999`);
}

const FORUMS = Object.keys(FORUM_BASE_URLS);

const forums = z.partialRecord(z.enum(FORUMS), z.string().refine(isWebUrl));

function requireForums({ FORUM_BASE_URLS: text }: Asked): void {
  if (text === undefined || forums.safeParse(parsed(text)).success) return;
  throw refusal("FORUM_BASE_URLS", text, `a JSON object of http or https URLs by forum (${FORUMS.join(", ")})`);
}

/** Undefined for anything that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In one line, whatever was set. */
const refusal = (name: string, text: string, wanted: string): Failure =>
  new Failure(`${name} is ${JSON.stringify(text)}; it has to be ${wanted}.`);
