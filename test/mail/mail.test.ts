/** What the texts of mails say to people who may never have heard of us. */
import { expect, it } from "vitest";
import {
  writeAlreadySubscribedMail,
  writeConfirmSubscriptionMail,
  writeInvitationMail,
  writeSubscribedMail,
} from "../../src/background/mail/mail.ts";

const LINK = "https://press.example.com/console/invitations/EXAMPLE";

/** The name of the organization, as the text of an invitation shows it. */
function shown(name: string): string {
  const { subject, text } = writeInvitationMail("ada@example.com", name, LINK);
  expect(subject).toBe(writeInvitationMail("ada@example.com", "Another", LINK).subject);
  expect(text).toContain(`\n${LINK}\n`);
  return /organization "(.*)" on Edgepress/.exec(text)?.[1] ?? "";
}

it.each([
  ["Harbour News", "Harbour News"],
  ["Müller & Söhne, Inc.", "Müller & Söhne, Inc."],
  ["St. Gallen: 日本語", "St. Gallen: 日本語"],
  ["Win at https://evil.example/now?a=b today", "Win at … today"],
  ["Win at HTTPS://EVIL.EXAMPLE", "Win at …"],
  ["Win at www.evil.example/now today", "Win at … today"],
  ["Win at evil.example today", "Win at … today"],
  ["Win at evil.example/now?a=b, today", "Win at … today"],
  ["(evil.example)", "(…"],
  ["evil。example", "…"],
  ["❤.example", "…"],
  ["bücher.example", "…"],
  ["evil\u034f.example", "…"],
  ["Call 192.0.2.1:8080/x", "Call …"],
  ["Write to prizes@evil.example!", "Write to …"],
  ["steam://run/1 intent://x", "… …"],
  ["evil\u200b.\u200bexample", "evil . example"],
  ['Acme" is not us: "', "Acme' is not us: '"],
  ["One\nTwo\u2028Three \u202eFour", "One Two Three Four"],
  ["x".repeat(60), "x".repeat(60)],
  ["😀".repeat(61), `${"😀".repeat(60)}…`],
])("an invitation shows the name %j without anything that could become a link: %j", (name, expected) => {
  expect(shown(name)).toBe(expected);
});

it("mails to readers can be ended with one click, and show no name of a blog as a link (contract 20.10)", () => {
  const leave = "https://press.example.com/blogs/a/unsubscribe/b";
  const newsletter = "A letter a month; more at evil.example";
  const who = { to: "ada@example.com", blog: "Win at https://evil.example\nnow", newsletter, link: LINK, leave };
  for (const write of [writeAlreadySubscribedMail, writeConfirmSubscriptionMail, writeSubscribedMail]) {
    for (const locale of ["en", "de-AT", "fr", "es", "pt-BR", "ja", "ar", "he", "it"]) {
      const mail = write({ ...who, locale });
      expect(mail.headers).toEqual({
        "List-Unsubscribe": `<${leave}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      });
      expect(mail.text, locale).toContain('"Win at … now"');
      expect(mail.text).not.toMatch(/[{}]/);
      expect(mail.text.includes('"A letter a month; more at …"')).toBe(write === writeConfirmSubscriptionMail);
      expect(mail.subject).not.toContain("Win");
      expect(mail.text).toContain(`\n${LINK}`);
      expect(mail.subject === write({ ...who, locale: "en" }).subject, locale).toBe(/^(?:en|it)$/.test(locale));
    }
  }
});
