/** Reads a local run's settings from the environment. Refuses values that the Worker would silently ignore. */
import * as z from "zod";
import { FORUM_BASE_URLS } from "../../src/domain/topic-source.ts";
import { NUMBERS, listWrongSettings } from "../../src/domain/settings.ts";
import { parseJson } from "../../src/lib/json.ts";
import { isWebUrl } from "../../src/lib/web-url.ts";
import { Failure } from "./failure.ts";
import { fetchAnswer } from "./ask.ts";

/** Settings by name. No value is empty. */
export type Asked = Readonly<Record<string, string>>;

/** The settings that a local run passes on to the Worker (docs/deploy.md, docs/generation.md). */
const SETTINGS = [
  ...Object.keys(NUMBERS),
  "SIGN_UP",
  "MAIL_FROM",
  "MAIL_WEBHOOK_URL",
  "MAIL_WEBHOOK_TOKEN",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "AI_API",
  "AI_BASE_URL",
  "AI_MODEL",
  "AI_API_KEY",
  "AI_IMAGE_MODEL",
  "AI_PRICES",
  "FORUM_BASE_URLS",
  "DNS_RESOLVER_URL",
  "MOVED_MEDIA_URL",
  "OEMBED_URL",
];

/**
 * Returns the settings in the environment. Without AI_BASE_URL, adds the endpoint of a running Ollama. Throws a `Failure`
 * for a setting that could not take effect.
 */
export async function readSettings(environment: NodeJS.ProcessEnv): Promise<Asked> {
  const asked: Asked = Object.fromEntries(
    SETTINGS.map((name) => [name, environment[name] ?? ""]).filter(([, value]) => value),
  );
  for (const { name, text, wanted } of listWrongSettings(asked)) throw makeSettingError(name, text, wanted);
  requireForums(asked);
  const mails = asked["MAIL_WEBHOOK_URL"];
  if (mails !== undefined && !isWebUrl(mails))
    throw makeSettingError("MAIL_WEBHOOK_URL", mails, "an http or https URL");
  const issuer = asked["OIDC_ISSUER"];
  if (issuer !== undefined && asked["OIDC_CLIENT_ID"] === undefined)
    throw new Failure("OIDC_CLIENT_ID is not set; it has to name this service at OIDC_ISSUER.");
  return { ...asked, ...(await findEndpoint(asked)) };
}

async function findEndpoint({ AI_BASE_URL: url, AI_MODEL: model }: Asked): Promise<Asked> {
  if (url !== undefined) {
    if (!isWebUrl(url))
      throw makeSettingError("AI_BASE_URL", url, "an http or https URL, such as http://127.0.0.1:11434/v1");
    if (model === undefined) throw new Failure("AI_MODEL is not set; it has to name a model of AI_BASE_URL.");
    return {};
  }
  const ollama = await findOllama();
  if (model === undefined) return ollama ?? {};
  // Without an endpoint, the Worker would use Workers AI, which does not run locally.
  if (ollama === null) throw new Failure(`AI_MODEL is "${model}", but AI_BASE_URL is not set; it has to say where.`);
  return { ...ollama, AI_MODEL: model };
}

const FORUMS = Object.keys(FORUM_BASE_URLS);

const forums = z.partialRecord(z.enum(FORUMS), z.string().refine(isWebUrl));

function requireForums({ FORUM_BASE_URLS: text }: Asked): void {
  if (text === undefined || forums.safeParse(parseJson(text)).success) return;
  throw makeSettingError(
    "FORUM_BASE_URLS",
    text,
    `a JSON object of http or https URLs by forum (${FORUMS.join(", ")})`,
  );
}

/** JSON.stringify keeps the message on one line. */
const makeSettingError = (name: string, text: string, wanted: string): Failure =>
  new Failure(`${name} is ${JSON.stringify(text)}; it has to be ${wanted}.`);

const ADDRESS = "http://127.0.0.1:11434";
/** Milliseconds. A running Ollama answers at once, and the start must not wait for one that is not running. */
const PATIENCE_MS = 300;

const tags = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Returns settings for Ollama with its first model that is not for embeddings, or null. Never throws. */
async function findOllama(): Promise<{ AI_BASE_URL: string; AI_MODEL: string } | null> {
  try {
    const { models } = tags.parse(JSON.parse((await fetchAnswer(`${ADDRESS}/api/tags`, PATIENCE_MS)).text));
    const model = models.find(({ name }) => !name.includes("embed"));
    return model === undefined ? null : { AI_BASE_URL: `${ADDRESS}/v1`, AI_MODEL: model.name };
  } catch {
    return null;
  }
}
