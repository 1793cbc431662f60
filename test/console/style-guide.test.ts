/** The page of a blog's style guide in the console. */
import { expect, it } from "vitest";
import type { StyleGuide } from "../../src/domain/style-guide.ts";
import { unescaped } from "../helpers/console.ts";
import { errorAt, fieldOf } from "../helpers/console-articles.ts";
import { memberOf } from "../helpers/console-topics.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

it("takes a term a line as people write them, says which line is wrong, and shows members what holds", async () => {
  const tenant = await newTenant();
  const browser = await memberOf(tenant);
  const path = `/console/blogs/${tenant.blogId}/style`;
  const form = `/console/articles/generate?blog=${tenant.blogId}`;
  expect((await browser.get(form)).text).toContain(`<a href="${path}">Write a style guide</a>`);

  const wrong = `hype\nHype = x\n${"y".repeat(61)} → z`;
  const refused = await browser.submit(path, path, { text: "Plain words.", avoid: wrong });
  expect([refused.status, fieldOf(refused, "avoid"), fieldOf(refused, "text")]).toEqual([400, wrong, "Plain words."]);
  expect(errorAt(refused, "avoid")).toBe(
    `“${"y".repeat(20)}…” must have at most 60 characters; “Hype → x” is a duplicate`,
  );

  const avoid = "- utilize → use\n\n• leverage=use\nin order to -> to\nworld-class\na=b →";
  const saved = await browser.submit(path, path, { text: "Plain *words*.", avoid });
  expect(saved.headers.get("Location")).toBe(`${path}?done=saved`);
  const { styleGuide } = await sendJson<{ styleGuide: StyleGuide }>(200, `/api/blogs/${tenant.blogId}`, { as: tenant });
  expect(styleGuide).toEqual({
    text: "Plain *words*.",
    avoid: [
      { term: "utilize", use: "use" },
      { term: "leverage", use: "use" },
      { term: "in order to", use: "to" },
      { term: "world-class", use: "" },
      { term: "a=b", use: "" },
    ],
  });
  const shown = "utilize → use\nleverage → use\nin order to → to\nworld-class\na=b →";
  expect(fieldOf(await browser.get(path), "avoid").trim()).toBe(shown);
  expect(unescaped((await browser.get(form)).text)).toContain(`<a href="${path}">style guide of`);

  const reader = await (await memberOf(tenant, "writer")).get(path);
  expect(reader.text).toContain("Plain <em>words</em>.");
  expect(unescaped(reader.text)).toContain('<li dir="auto">utilize → use</li>');
  expect(reader.text).not.toContain("<textarea");
});
