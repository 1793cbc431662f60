/** Settings of `npm start` that could not take effect. */
import { afterAll, expect, it } from "vitest";
import { cleanUp, newState, start } from "./local-run.ts";

afterAll(cleanUp);

const ENDPOINT = { AI_BASE_URL: "http://127.0.0.1:9/v1", AI_MODEL: "any" };

it.each([
  ["AI_BASE_URL", "an http or https URL", { ...ENDPOINT, AI_BASE_URL: "127.0.0.1:9720/v1" }],
  ["AI_BASE_URL", "an http or https URL", { ...ENDPOINT, AI_BASE_URL: "localhost:9720/v1" }],
  ["AI_MODEL", "a model of AI_BASE_URL", { ...ENDPOINT, AI_MODEL: "" }],
  ["AI_MODEL", "AI_BASE_URL is not set", { AI_MODEL: "foo" }],
  ["AI_TIMEOUT_SECONDS", "a whole number from 1", { ...ENDPOINT, AI_TIMEOUT_SECONDS: "abc" }],
  ["AI_TIMEOUT_SECONDS", "a whole number from 1", { ...ENDPOINT, AI_TIMEOUT_SECONDS: "0" }],
  ["AI_GENERATIONS_PER_MINUTE", "a whole number from 0", { AI_GENERATIONS_PER_MINUTE: "-1" }],
  ["AI_GENERATIONS_PER_DAY", "a whole number from 0", { AI_GENERATIONS_PER_DAY: "1e3" }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: "not\nJSON" }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '["https://a.example.com"]' }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '{"reddit": "a.example.com"}' }],
  ["FORUM_BASE_URLS", "a JSON object of http or https URLs", { FORUM_BASE_URLS: '{"redit": "https://a.example.com"}' }],
])("refuses %s in one line that says what is wrong, %s: %o", async (name, wanted, settings) => {
  const run = await start(newState(), undefined, settings);
  expect(await run.exited).toBe(1);
  expect(run.output()).toMatch(new RegExp(`^${name} is [^\\n]*${wanted}[^\\n]*\\n$`));
});
