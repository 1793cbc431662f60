/** Contract 6.3: importing contacts, and what the columns of CSV files say. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parseContactRows } from "../../src/domain/contacts-csv.ts";
import { hiddenFields, sendFile, signedIn } from "../helpers/console.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Contact = {
  email: string;
  name: string;
  consentTime: string | null;
  unsubscribeTime: string | null;
  imported: { from: string; by: object } | null;
};
type Outcome = { outcome: string; code: string | null; detail: string | null };

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const bring = (contacts: readonly object[], more: object = {}) =>
  sendJson<Outcome[]>(200, "/api/contacts/import", {
    as,
    body: { blogId: tenant.blogId, from: "members.csv", contacts, ...more },
  });
const find = async (email: string) =>
  (await sendJson<Contact[]>(200, `/api/contacts?blogId=${tenant.blogId}&email=${email}`, { as }))[0];

describe("contract 6.3: an import", () => {
  it("keeps what it says of consent, with where it is from and by whom", async () => {
    const outcomes = await bring([
      { email: " Ann@exämple.de ", name: "Ann", state: "subscribed", time: "2021-03-04T05:06:07+01:00" },
      { email: "bob@example.com", state: "unsubscribed", time: "2022-01-01T00:00:00Z" },
      { email: "cy@example.com" },
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["created", "created", "created"]);
    const ann = await find("ann@xn--exmple-cua.de");
    expect(ann).toMatchObject({ name: "Ann", consentTime: "2021-03-04T04:06:07.000Z", unsubscribeTime: null });
    expect(ann?.imported).toMatchObject({ from: "members.csv", by: { kind: "key" } });
    expect(await find("bob@example.com")).toMatchObject({
      consentTime: null,
      unsubscribeTime: "2022-01-01T00:00:00.000Z",
    });
    expect(await find("cy@example.com")).toMatchObject({ consentTime: null, unsubscribeTime: null, imported: null });
    const events = await env.DB.prepare(
      "select count(*) as n from events where organization_id = ? and kind = 'contact.created'",
    )
      .bind(tenant.organizationId)
      .first("n");
    expect(events).toBe(0);
  });

  it("subscribes nobody again who has unsubscribed, here or in another line", async () => {
    await bring([{ email: "gone@example.com", state: "unsubscribed" }]);
    const [again] = await bring([{ email: "GONE@example.com", state: "subscribed" }]);
    expect(again).toMatchObject({ outcome: "unchanged", detail: expect.stringContaining("unsubscribed") });
    expect((await find("gone@example.com"))?.consentTime).toBeNull();
    await bring([
      { email: "two@example.com", name: "Two", state: "subscribed" },
      { email: "two@example.com", state: "unsubscribed" },
      { email: "two@example.com", state: "subscribed" },
    ]);
    expect(await find("two@example.com")).toMatchObject({ name: "Two", unsubscribeTime: expect.any(String) });
  });

  it("refuses what is no address or no time, and names the reason; all others are stored", async () => {
    const outcomes = await bring([
      { email: "no address" },
      { email: "dan@example.com", time: "2999-01-01T00:00:00Z", state: "subscribed" },
      { email: "eve@example.com", locale: "not a locale" },
      { email: "fay@example.com" },
    ]);
    expect(outcomes.map(({ code, outcome }) => code ?? outcome)).toEqual([
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "created",
    ]);
    expect(outcomes.map(({ detail }) => detail?.split(":")[0])).toEqual(["email", "time", "locale", undefined]);
  });

  it("stores nothing in a dry run, nor above the quota", async () => {
    expect(await bring([{ email: "dry@example.com" }], { dryRun: true })).toMatchObject([{ outcome: "created" }]);
    expect(await find("dry@example.com")).toBeUndefined();
    const bindings = { ORGANIZATION_CONTACTS: "1" } as object as Partial<Env>;
    const body = { blogId: tenant.blogId, from: "a", contacts: [{ email: "full@example.com" }] };
    const full = await send("/api/contacts/import", { as, body, bindings });
    expect(await full.json()).toMatchObject([{ outcome: "refused", code: "quota_exceeded" }]);
  });
});

describe("contract 6.3: a CSV file", () => {
  const rows = (text: string) =>
    parseContactRows(text).map((row) => {
      const members = Object.entries(row).filter(([name]) => name !== "line" && name !== "locale");
      return members.map(([, value]) => value as unknown);
    });

  it("of Ghost, Substack or Mailchimp, or without a header, says who wants emails", () => {
    const ghost = `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
1,a@example.com,"A, B",,true,false,,2021-03-04T05:06:07.000Z,,"x,y",
2,b@example.com,,,false,,,2021-03-04T05:06:07.000Z,,,
3,c@example.com,,,true,,,nonsense,2022-01-01T00:00:00.000Z,,`;
    expect(rows(ghost)).toEqual([
      ["a@example.com", "A, B", "subscribed", "2021-03-04T05:06:07.000Z", undefined],
      ["b@example.com", "", "unsubscribed", undefined, undefined],
      ["c@example.com", "", "subscribed", undefined, "was deleted where the file is from"],
    ]);
    expect(
      rows(
        "email,active_subscription,email_disabled,created_at\na@b.co,false,true,2021-01-01\nc@d.co,true,false,2021-01-01",
      ),
    ).toEqual([
      ["a@b.co", "", "unsubscribed", undefined, undefined],
      ["c@d.co", "", "subscribed", "2021-01-01T00:00:00.000Z", undefined],
    ]);
    const mailchimp =
      '"Email Address","First Name","Last Name",OPTIN_TIME,UNSUB_TIME\na@b.co,Ada,Byron,"2020-01-02 03:04:05",\nc@d.co,,,,"2021-01-02 03:04:05"';
    expect(rows(mailchimp)).toEqual([
      ["a@b.co", "Ada Byron", undefined, undefined, undefined],
      ["c@d.co", "", "unsubscribed", "2021-01-02T03:04:05.000Z", undefined],
    ]);
    expect(rows("a@b.co;Ada")).toEqual([["a@b.co", "Ada", undefined, undefined, undefined]]);
  });

  it("is imported in the console, which names each line that is refused", async () => {
    const { browser } = await signedIn(tenant.organizationId);
    const action = "/console/contacts/import";
    const hidden = hiddenFields((await browser.get(`/console/contacts?blog=${tenant.blogId}`)).text, action);
    const file = new TextEncoder().encode("email,name\nwrong,W\nfrom.console@example.com,C\n");
    const text = await (await sendFile(browser, action, { ...hidden, consented: "yes" }, file)).text();
    expect(text).toContain("1 added");
    expect(text).toMatch(/>2<[\s\S]*wrong[\s\S]*email:/);
    expect((await find("from.console@example.com"))?.consentTime).toEqual(expect.any(String));
  });
});
