/** What the settings page says of the deployment is what the deployment does. */
import { beforeAll, expect, it } from "vitest";
import { newBrowser, signedIn } from "../helpers/console.ts";
import { newTenant } from "../helpers/tenant.ts";

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
  ["none without an endpoint", { AI_BASE_URL: "", AI_MODEL: "small" }, "None is configured."],
])("a model is the one that is asked: %s", async (_, bindings, name) => {
  expect(await settingsWith(bindings)).toContain(`Model for generation ${name}`);
});

it("mails are sent where there is a way to send them", async () => {
  const production = { ENVIRONMENT: "production", BASE_URL: "https://edgepress.test" };
  const webhook = {
    MAIL_WEBHOOK_URL: "https://mails.example.com",
    MAIL_WEBHOOK_TOKEN: "t",
    MAIL_FROM: "a@example.com",
  };
  expect(await settingsWith({})).toContain("A local run sends none");
  expect(await settingsWith({ ...production, ...webhook })).toContain("Mails They are sent.");
  expect(await settingsWith(production)).toContain("Mails They are not sent");
});
