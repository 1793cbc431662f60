/** Settings of `npm start` that could not take effect. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseEnv, promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { readSettings } from "../../scripts/lib/settings.ts";
import { openState } from "../../scripts/lib/state.ts";
import { sample } from "../helpers/sample.ts";
import { cleanUp, newState, NODE, ROOT, start } from "./local-run.ts";

afterAll(cleanUp);

const ENDPOINT = { AI_BASE_URL: "http://127.0.0.1:9/v1", AI_MODEL: "any" };

it.each([
  ["AI_BASE_URL", "an http or https URL", { ...ENDPOINT, AI_BASE_URL: "127.0.0.1:9720/v1" }],
  ["AI_BASE_URL", "an http or https URL", { ...ENDPOINT, AI_BASE_URL: "localhost:9720/v1" }],
  ["AI_MODEL", "a model of AI_BASE_URL", { ...ENDPOINT, AI_MODEL: "" }],
  ["AI_MODEL", "AI_BASE_URL is not set", { AI_MODEL: "foo" }],
  ["AI_API", "chat, responses or anthropic", { ...ENDPOINT, AI_API: "Anthropic" }],
  ["AI_TIMEOUT_SECONDS", "a whole number from 1", { ...ENDPOINT, AI_TIMEOUT_SECONDS: "abc" }],
  ["AI_TIMEOUT_SECONDS", "a whole number from 1", { ...ENDPOINT, AI_TIMEOUT_SECONDS: "0" }],
  ["AI_GENERATIONS_PER_MINUTE", "a whole number from 0", { AI_GENERATIONS_PER_MINUTE: "-1" }],
  ["AI_GENERATIONS_PER_DAY", "a whole number from 0", { AI_GENERATIONS_PER_DAY: "1e3" }],
  ["ORGANIZATION_ARTICLES", "a whole number from 0", { ORGANIZATION_ARTICLES: "many" }],
  ["ORGANIZATION_MEGABYTES", "a whole number from 0", { ORGANIZATION_MEGABYTES: "1.5" }],
  ["ORGANIZATION_CONTACTS", "a whole number from 0", { ORGANIZATION_CONTACTS: "-1" }],
  ["ORGANIZATION_EVENTS_PER_DAY", "a whole number from 1 to 999999999", { ORGANIZATION_EVENTS_PER_DAY: "0" }],
  ["KEPT_AUDIT_DAYS", "a whole number from 1", { KEPT_AUDIT_DAYS: "0" }],
  ["SIGN_UP", "open, invitation or closed", { SIGN_UP: "Closed" }],
  ["MAIL_WEBHOOK_URL", "an http or https URL", { MAIL_WEBHOOK_URL: "mails.example.com" }],
  ["OIDC_CLIENT_ID", "name this service", { OIDC_ISSUER: "https://accounts.example.com" }],
  ["OIDC_ISSUER", "an http or https URL", { OIDC_ISSUER: "accounts.example.com", OIDC_CLIENT_ID: "edgepress" }],
  ["AI_PRICES", "JSON such as", { AI_PRICES: "0.25" }],
  ["AI_PRICES", "JSON such as", { AI_PRICES: '{"any": {"input": 0.25, "output": -2}}' }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: "not\nJSON" }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '["https://a.example.com"]' }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '{"reddit": "a.example.com"}' }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '{"redit": "https://a.example.com"}' }],
])("refuses %s in one line that says what is wrong, %s: %o", async (name, wanted, settings) => {
  const message = expect.stringMatching(new RegExp(`^${name} is [^\\n]*${wanted}[^\\n]*$`));
  await expect(readSettings(settings)).rejects.toMatchObject({ exitCode: 1, message });
});

it("passes the prices of models on", async () => {
  const given = { ...ENDPOINT, AI_PRICES: '{"any": {"input": 0.25, "output": 2}}' };
  expect(await readSettings(given)).toEqual(given);
});

it.each(["plain", "", " # ", "a'b", 'a"b', `a'b"c`, 'a`b"c', "a'b`c", "a\nb\n", String.raw`a'b\nc\d\\`, "$A ${B}"])(
  "writes the value %j so that the Worker gets it unaltered",
  (value) => {
    const file = openState(newState()).settingsFile({ BEFORE: value, VALUE: value, AFTER: "'" });
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ BEFORE: value, VALUE: value, AFTER: "'" });
  },
);

it.each([`a'b"c\`d`, "a\r\nb", String.raw`a'b\`c\n`])("refuses the value %j, which would arrive altered", (VALUE) => {
  expect(() => openState(newState()).settingsFile({ VALUE })).toThrow(/^VALUE has /);
});

it("starts nothing with such a setting, and says nothing else", async () => {
  const run = await start(newState(), undefined, { ORGANIZATION_ARTICLES: "many" });
  expect(await run.exited).toBe(1);
  expect(run.output()).toMatch(/^ORGANIZATION_ARTICLES is [^\n]*a whole number from 0[^\n]*\n$/);
});

const ARGUMENTS = [
  ["--help", 0],
  ["--port=9000", 2],
  ["--reload=all", 2],
] as const;

it.each(sample(ARGUMENTS, 0, 1))(
  "starts nothing with the argument %s, and says where settings come from",
  async (argument, code) => {
    const started = promisify(execFile)(NODE, ["scripts/start.ts", argument], { cwd: ROOT });
    const { stderr, ...ended } = await started.then(
      (outcome) => ({ ...outcome, code: 0 }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(ended.code).toBe(code);
    expect(stderr).toMatch(new RegExp(`${argument}[^]*PORT=`));
  },
);
