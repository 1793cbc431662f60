/** Contract 20.9: pages and mails about a subscription speak the reader's language. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { getSubscribingWords } from "../../src/domain/subscribing-words.ts";
import { limited } from "../helpers/limiter.ts";
import { freshAddress, letSubscribe, mailedLink } from "../helpers/mails.ts";
import { outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let to: string;

beforeEach(async () => {
  tenant = await newTenant(`Walks ${crypto.randomUUID().slice(0, 8)}`);
  await letSubscribe(tenant);
  to = freshAddress();
});

const at = () => `/blogs/${tenant.blogId}/subscribe`;
const ask = (body: object = { email: to }) => send(at(), { body });
const mailsTo = async (address: string) =>
  (
    await env.DB.prepare("select subject, body from local_mails where recipient = ? order by id")
      .bind(address)
      .all<{ subject: string; body: string }>()
  ).results;

/** Returns the language and direction of a page, with its text. */
const read = async (response: Response | Promise<Response>) => {
  const text = await (await response).text();
  const [, lang, dir] = /<html lang="([^"]*)" dir="([^"]*)"/.exec(text) ?? [];
  return [`${lang} ${dir}`, text];
};
const speak = (...locales: string[]) =>
  sendJson(200, `/api/blogs/${tenant.blogId}`, { as: { apiKey: tenant.apiKey }, method: "PUT", body: { locales } });
const post = (path: string, body: string, more = {}) =>
  send(path, { body, type: "application/x-www-form-urlencoded", headers: { Accept: "text/html" }, ...more });
const form = (body: string, more = {}) => post(at(), body, more);

it("is what they asked for: of each page and each mail", async () => {
  await speak("de", "ar");
  expect(await read(send(at()))).toEqual(["de ltr", expect.stringContaining(">Abonnieren</button>")]);
  expect(await read(send(`${at()}?locale=ar`))).toEqual([
    "ar rtl",
    expect.stringMatching(/>اشترك<\/button>.*<input type="hidden" name="locale" value="ar"/s),
  ]);
  expect((await read(send(`${at()}?locale=not+one!`)))[0]).toBe("de ltr");
  expect(await read(form(`email=wrong&locale=ar`))).toEqual([
    "ar rtl",
    expect.stringMatching(/أدخل عنوانًا كاملًا.*<input type="hidden" name="locale" value="ar"/s),
  ]);
  expect(await read(form(`email=${to}&locale=ar`))).toEqual(["ar rtl", expect.stringContaining("تفقد بريدك")]);
  const link = await mailedLink(to);
  expect(await read(send(link))).toEqual([
    "ar rtl",
    expect.stringContaining(`<strong dir="ltr">${to}</strong>؟</p><form method="post" class="q"><button>تأكيد<`),
  ]);
  expect(await read(post(link, "", { bindings: { ORGANIZATION_CONTACTS: "0" } }))).toEqual([
    "ar rtl",
    expect.stringContaining("يبقى رابطك صالحًا"),
  ]);
  expect(await read(post(link, ""))).toEqual(["ar rtl", expect.stringContaining("تم اشتراك")]);
  const leave = await mailedLink(to);
  expect(await read(send(leave))).toEqual(["ar rtl", expect.stringContaining("إلغاء الاشتراك</button>")]);
  expect(await read(post(leave, ""))).toEqual(["ar rtl", expect.stringContaining("بعد الآن")]);
  expect((await mailsTo(to)).map(({ subject }) => subject)).toEqual(["أكد اشتراكك", "تم اشتراكك"]);
});

it("is the blog's where they named none, also of a link that has ended and of what is refused", async () => {
  await speak("fr-CA", "en");
  await ask();
  expect(await mailsTo(to)).toMatchObject([
    { subject: "Confirmez votre abonnement", body: expect.stringContaining("valable 24 heures") },
  ]);
  const gone = [404, ["fr-CA ltr", expect.stringContaining("Ce lien a déjà été utilisé")]];
  const ended = await send(`${at()}/epc_none`);
  expect([ended.status, await read(ended)]).toEqual(gone);
  const unsigned = await post(`/blogs/${tenant.blogId}/unsubscribe/${crypto.randomUUID()}.x`, "");
  expect([unsigned.status, await read(unsigned)]).toEqual(gone);
  const often = { bindings: limited({ mailRequests: 0 }) };
  expect(await read(form(`email=${to}`, often))).toEqual(["fr-CA ltr", expect.stringContaining("Trop de demandes")]);
  expect(await outcome(`${at()}/epc_none`, { headers: { Accept: "application/json" } })).toBe("404 not_found");
});

it("is the contact's where there is one, whatever is asked for", async () => {
  await speak("en", "de", "es");
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, "/api/contacts", { as, body: { blogId: tenant.blogId, email: to, locale: "es" } });
  expect((await read(form(`email=${to}&locale=de`)))[0]).toBe("de ltr");
  const link = await mailedLink(to);
  expect((await read(send(link)))[0]).toBe("es ltr");
  expect((await read(post(link, "")))[0]).toBe("es ltr");
  await env.DB.prepare("update contact_requests set creation_time = '2026-01-01T00:00:00.000Z'").run();
  await ask({ email: to, locale: "de" });
  const words = getSubscribingWords("es").words;
  expect((await mailsTo(to)).map(({ subject }) => subject)).toEqual([
    words.confirmSubject,
    words.doneSubject,
    words.knownSubject,
  ]);
});

it("is English where the words are in no language of theirs, or there is no blog", async () => {
  await speak("it");
  await ask({ email: to, locale: "sv" });
  const link = await mailedLink(to);
  expect(await read(send(link))).toEqual(["en ltr", expect.stringContaining("Confirm</button>")]);
  expect(await read(send("/blogs/no-such-blog/subscribe/epc_none"))).toEqual([
    "en ltr",
    expect.stringContaining("was already used"),
  ]);
  expect((await read(send("/blogs/no-such-blog/subscribe")))[0]).toBe("en ltr");
});

it.each(["de", "fr", "es", "pt", "ja", "ar", "he"])("the words in %s have the places of the English ones", (locale) => {
  const placesOf = (tag: string) =>
    Object.entries(getSubscribingWords(tag).words).map(([name, text]) => [name, text.match(/\{\w+\}/g)]);
  expect(placesOf(locale)).toEqual(placesOf("en"));
});
