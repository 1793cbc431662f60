/** The page of contacts: the list, a search for an address, adding one, and the download. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { hiddenFields, signedIn, unescaped } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const PATH = "/console/contacts";

const add = (tenant: Tenant, contact: object) =>
  sendJson(200, "/api/contacts", { as: { apiKey: tenant.apiKey }, body: { blogId: tenant.blogId, ...contact } });

test("contacts are listed, found by their address, and added", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  expect((await browser.get(PATH)).text).toContain("No contacts yet.");
  await add(tenant, { email: "ada@example.com", name: "Ada <b>" });
  const added = await browser.submit(PATH, `${PATH}/new`, {
    email: " Grace@example.com ",
    name: "Grace",
    locale: "pt-br",
  });
  expect(added.headers.get("Location")).toBe(`${PATH}?blog=${tenant.blogId}&done=contact-created`);
  const { text } = await browser.get(PATH);
  expect(text).toContain("Ada &lt;b&gt;");
  expect(text).toMatch(/grace@example\.com[\s\S]*<td[^>]*>pt-BR<\/td>[\s\S]*ada@example\.com/);
  const found = (await browser.get(`${PATH}?email=ADA@example.com`)).text;
  expect(found).toContain("ada@example.com<");
  expect(found).not.toContain("grace@example.com<");
  expect((await browser.get(`${PATH}?email=nobody@example.com`)).text).toContain(
    "has no contact with this email address",
  );
  expect((await browser.get(`${PATH}?email=ada`)).text).toContain("Enter a full email address");
});

test("the download is CSV that a spreadsheet does not run", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  await add(tenant, { email: "ada@example.com", name: 'Ada, "the first"' });
  const { _id: left } = await add(tenant, { email: "eve@example.com", name: "=1+1" });
  await env.DB.prepare("update contacts set consent_time = '2026-01-02', unsubscribe_time = '2026-03-04' where id = ?")
    .bind(left)
    .run();
  const { text, headers } = await browser.get(`${PATH}/export?blog=${tenant.blogId}`);
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="contacts-[a-z0-9-]+\.csv"$/);
  const [head, eve, ada, ...rest] = unescaped(text).split("\r\n");
  expect(head?.replace("\ufeff", "")).toBe("email,name,locale,created,consented,unsubscribed,unsubscribe");
  expect(eve).toMatch(/^eve@example\.com,'=1\+1,en,\d{4}-[^,]+,2026-01-02,2026-03-04,http/);
  expect(ada).toMatch(/^ada@example\.com,"Ada, ""the first""",en,/);
  expect(rest).toEqual([""]);
});

test("a contact is erased from its own page, and the list says when somebody has consented", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const { _id } = await add(tenant, { email: "ada@example.com", name: "Ada" });
  const { text: json } = await browser.get(`${PATH}/export?blog=${tenant.blogId}&format=json`);
  expect(JSON.parse(unescaped(json))).toMatchObject([{ _id, email: "ada@example.com", consentTime: null }]);
  const time = "2026-03-04T05:06:07.000Z";
  await env.DB.prepare("update contacts set consent_time = ? where id = ?").bind(time, _id).run();
  const listed = (await browser.get(PATH)).text;
  expect(listed).toContain(`datetime="${time}"`);
  const page = `${PATH}/${String(_id)}/erase`;
  expect(listed).toContain(`href="${page}"`);
  expect((await browser.get(page)).text).toContain("Erase ada@example.com?");
  // By two clicks, too.
  const sent = hiddenFields((await browser.get(page)).text, page);
  for (const erased of [await browser.post(page, sent), await browser.post(page, sent)]) {
    expect(erased.headers.get("Location")).toBe(`${PATH}?blog=${tenant.blogId}&done=contact-erased`);
  }
  expect((await browser.get(PATH)).text).toContain("No contacts yet.");
  expect((await browser.get(page)).status).toBe(404);
});
