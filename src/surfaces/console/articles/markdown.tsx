/** Shows Markdown on a page. The browser shows it in the same way while somebody writes (packages/browser/markdown-tools.ts). */
import type { FC } from "hono/jsx";
import { raw } from "hono/html";
import { attributesOf, previewOf } from "../../../../packages/markdown/reading.ts";

/** Renders a Markdown text in its language. `origin` is the service's own. */
export const Markdown: FC<{ text: string; locale: string; origin: string | null }> = ({ text, locale, origin }) => (
  <div class="prose" {...attributesOf(locale)}>
    {raw(previewOf(text, origin))}
  </div>
);
