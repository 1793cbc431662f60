import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/errors.ts";
import { send } from "../helpers/requests.ts";

describe("the pages", () => {
  test.each(["/", "/docs", "/docs/errors"])("%s runs nothing inline and names no other host", async (path) => {
    const response = await send(`https://blog.example.org${path}`);
    const text = await response.text();
    expect(response.headers.get("Content-Security-Policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(text).not.toMatch(/<style|style="|<script>|\son\w+="/);
    expect(text.match(/(?:src|href)="(?:https?:)?\/\/[^"]*/g)).toBeNull();
  });

  test("the start page shows the host that was asked, as text", async () => {
    const text = await (await send("https://blog.example.org/")).text();
    expect(text).toContain("https://blog.example.org/api/articles");
  });

  test("the page of errors has a place for every code", async () => {
    const text = await (await send("/docs/errors")).text();
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`id="${code}"`);
  });

  test("the reference leads those without scripts to the document", async () => {
    const text = await (await send("/docs")).text();
    expect(text).toMatch(/<noscript>[\s\S]*\/openapi\.json[\s\S]*<\/noscript>/);
  });
});
