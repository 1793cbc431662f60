/** Contract 6.1, 6.2: contacts. */
import { describe, expect, it } from "vitest";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { sendJson, type Credential } from "../helpers/requests.ts";
import { newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

type Contact = {
  _id: string;
  blogId: string;
  email: string;
  name: string;
  locale: string;
  creationTime: string;
  unsubscribeUrl?: string;
};

const create = (as: Credential, body: object) => sendJson<Contact>(200, "/api/contacts", { as, body });

/** Lists the contacts of a blog, without what only lists have. */
const list = async (tenant: Tenant, as: Credential = tenant) => {
  const found = await sendJson<Contact[]>(200, `/api/contacts?blogId=${tenant.blogId}`, { as });
  for (const contact of found) delete contact.unsubscribeUrl;
  return found;
};

describe("a contact", () => {
  it("has _id, blogId, email, name, locale, creationTime, and the times of its consent", async () => {
    const tenant = await newTenant();
    const body = { blogId: tenant.blogId, email: "ada@example.com", name: "Ada", locale: "en-GB" };
    const contact = await create(tenant, body);
    const times = { creationTime: expect.any(String), consentTime: null, unsubscribeTime: null, imported: null };
    expect(contact).toEqual({ ...body, _id: expect.any(String), ...times });
    expect(new Date(contact.creationTime).toISOString()).toBe(contact.creationTime);
    expect(await list(tenant)).toEqual([contact]);
  });

  it("needs an e-mail address only: name is empty, the blog the only one, the locale its default", async () => {
    const tenant = await newTenant();
    const put = { as: tenant, method: "PUT", body: { locales: ["pt", "en"] } };
    await sendJson(200, `/api/blogs/${tenant.blogId}`, put);
    expect(await create(tenant, { email: "ada@example.com" })).toMatchObject({
      blogId: tenant.blogId,
      name: "",
      locale: "pt",
    });
    expect(await wrongFields("/api/contacts", { as: tenant, body: {} })).toEqual(["email"]);
  });

  it("has its address as it is stored, however it was written", async () => {
    const tenant = await newTenant();
    const stored = {
      " Ann@Example.com\n": "ann@example.com",
      "ann@EXÄMPLE.de": "ann@xn--exmple-cua.de",
      "ann@пример.рф": "ann@xn--e1afmkfd.xn--p1ai",
    };
    for (const [email, as] of Object.entries(stored)) {
      expect((await create(tenant, { email })).email).toBe(as);
      expect(await outcome("/api/contacts", { as: tenant, body: { email: as } })).toBe("409 contact_exists");
      const path = `/api/contacts?blogId=${tenant.blogId}&email=${encodeURIComponent(email)}`;
      expect(await sendJson(200, path, { as: tenant })).toMatchObject([{ email: as }]);
    }
    for (const email of ["ann@exämple", "ann@exämple.de/x", "ann@ex ämple.de", "änn@example.com", "exämple.de"]) {
      expect(await wrongFields("/api/contacts", { as: tenant, body: { email } }), email).toEqual(["email"]);
    }
  });

  it("with several blogs has to name one; a pinned key means its own", async () => {
    const tenant = await newTenant();
    await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    const body = { email: "ada@example.com" };
    expect(await outcome("/api/contacts", { as: tenant, body })).toBe("400 blog_required");
    const operator = { operatorToken: tenant.operatorToken };
    const as = { apiKey: await newKey(operator, ["contacts:write"], { blogId: tenant.blogId }) };
    expect(await create(as, body)).toMatchObject({ blogId: tenant.blogId });
  });

  it.each(["", "ada", "ada@", "@example.com", "a b@example.com", `${"a".repeat(250)}@example.com`])(
    "has no e-mail address like %j",
    async (email) => {
      const { apiKey } = await newTenant();
      expect(await wrongFields("/api/contacts", { as: { apiKey }, body: { email } })).toEqual(["email"]);
    },
  );

  it("is a contact of a blog once, whatever the case of its address", async () => {
    const tenant = await newTenant();
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
    const { blogId } = tenant;
    expect(await create(tenant, { blogId, email: "Ada@Example.com" })).toMatchObject({ email: "ada@example.com" });
    const again = { blogId, email: "ADA@example.com" };
    expect(await outcome("/api/contacts", { as: tenant, body: again })).toBe("409 contact_exists");
    expect(await create(tenant, { blogId: other._id, email: "ada@example.com" })).toMatchObject({ blogId: other._id });
  });
});
