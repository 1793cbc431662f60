import { expect, test } from "vitest";
import { send } from "../helpers/requests.ts";

test("the start page runs nothing and names no other host", async () => {
  const response = await send("https://blog.example.org/");
  const text = await response.text();
  expect(response.headers.get("Content-Security-Policy")).toContain(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src",
  );
  expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(text).not.toMatch(/<style|style="|<script|\son\w+="/);
  expect(text.match(/(?:src|href)="(?:https?:)?\/\/[^"]*/g)).toBeNull();
});

test("the start page shows the host that was asked, as text", async () => {
  const text = await (await send("https://blog.example.org/")).text();
  expect(text).toContain("https://blog.example.org/api/articles");
});
