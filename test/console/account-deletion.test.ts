/** Contract 10.15: deleting one's own account. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newBrowser, openSession, PASSWORD, signedIn } from "../helpers/console.ts";
import { tablesWith } from "../helpers/grep.ts";
import { newMember } from "../helpers/people.ts";
import { newTenant } from "../helpers/tenant.ts";

const PATH = "/console/account/delete";

it("needs the password, and somebody else who owns the organization; then nothing of the person is left", async () => {
  const { organizationId } = await newTenant("Harbour & Sons");
  const { browser, email, userId } = await signedIn(organizationId);
  const copy = newBrowser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  const submit = (password: string) => browser.submit(PATH, PATH, { password });
  expect((await browser.get("/console/account")).text).toContain(`href="${PATH}"`);
  const wrong = await submit("wrong horse battery");
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("is incorrect")]);
  const only = await submit(PASSWORD);
  expect([only.status, only.text]).toEqual([409, expect.stringContaining("only owner of “Harbour &amp; Sons”")]);
  await newMember(organizationId, "owner");
  const done = await submit(PASSWORD);
  expect(done.headers.get("Location")).toBe("/console/sign-in?done=account-deleted");
  expect((await copy.get("/console/account")).status).toBe(303);
  // The address of a test has the id in it.
  expect(await tablesWith(userId)).toEqual(["audit", "local_mails"]);
  expect(await tablesWith(email)).toEqual(["local_mails"]);
  const mail = await env.DB.prepare("select subject from local_mails where recipient = ?").bind(email).first("subject");
  expect(mail).toBe("Your Edgepress account was deleted");
});

it("without a password, needs a session that has just begun", async () => {
  const { userId } = await newMember(null, "owner");
  const browser = newBrowser();
  await openSession(browser, userId, null);
  await env.DB.prepare("update sessions set creation_time = ? where user_id = ?")
    .bind(new Date(Date.now() - 11 * 60_000).toISOString(), userId)
    .run();
  const late = await browser.submit(PATH, PATH);
  expect([late.status, late.text]).toEqual([403, expect.stringContaining("sign in with your provider")]);
  await openSession(browser, userId, null);
  expect((await browser.submit(PATH, PATH)).headers.get("Location")).toBe("/console/sign-in?done=account-deleted");
  expect(await tablesWith(userId)).toEqual(["local_mails"]);
});
