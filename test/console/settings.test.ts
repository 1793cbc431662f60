/** What the settings page says of the deployment is what the deployment does. */
import { beforeAll, expect, it } from "vitest";
import { pathOf } from "../helpers/console-articles.ts";
import { newBrowser, signedIn } from "../helpers/console.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

let cookies: ReadonlyMap<string, string>;
beforeAll(async () => {
  cookies = (await signedIn((await newTenant()).organizationId)).browser.cookies;
});

/** Returns the text of the page in a deployment with these bindings. */
async function settingsWith(bindings: object): Promise<string> {
  const browser = newBrowser(bindings as Partial<Env>);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  const { text } = await browser.get("/console/settings");
  return text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

it.each([
  ["the binding's own", { AI: {}, AI_BASE_URL: "", AI_MODEL: "" }, "@cf/meta/llama-3.3-70b-instruct-fp8-fast"],
  ["one of an endpoint", { AI_BASE_URL: "https://models.example.com/v1", AI_MODEL: "small" }, "small"],
  ["none without an endpoint", { AI_BASE_URL: "", AI_MODEL: "small" }, "Not set up."],
])("a model is the one that is asked: %s", async (_, bindings, name) => {
  expect(await settingsWith(bindings)).toContain(`AI model ${name}`);
});

it("the zone of times is said so that the script, which shows them in the reader's, can take it back", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const article = await newArticle(tenant);
  const previews = `${pathOf(article)}/previews`;
  await browser.submit(previews, previews, { expiresInSeconds: "3600" });
  for (const path of ["/console/settings", "/console/account", previews]) {
    const { text } = await browser.get(path);
    expect(text, path).toMatch(/<span data-utc/);
    expect(text.replaceAll(/<span data-utc="?[^>]*>[^<]*<\/span>/g, ""), path).not.toMatch(/\(UTC\)|Times are UTC/);
  }
});

it("mails are sent where there is a way to send them", async () => {
  const production = { ENVIRONMENT: "production", BASE_URL: "https://edgepress.test" };
  const webhook = {
    MAIL_WEBHOOK_URL: "https://mails.example.com",
    MAIL_WEBHOOK_TOKEN: "t",
    MAIL_FROM: "a@example.com",
  };
  expect(await settingsWith({})).toContain("Not sent in local runs.");
  const browser = newBrowser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  expect((await browser.get("/console/settings")).text).toContain('<a href="/console/mail">View them</a>');
  expect(await settingsWith({ ...production, ...webhook })).toContain("Emails Sent.");
  expect(await settingsWith(production)).toContain("Emails Not sent");
});
