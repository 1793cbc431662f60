/** Shows Markdown on a page. The browser shows it in the same way while somebody writes (src/browser/markdown-tools.ts). */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { Child, FC } from "hono/jsx";
import { Fragment, jsx, jsxs } from "hono/jsx/jsx-runtime";
import { ATTRIBUTES, attributesOf, cutOf, rendering } from "../../domain/markdown/reading.ts";

/** Renders a Markdown text in its language. `origin` is the service's own. If the text is too long or too complex, it renders only the beginning. */
export const Markdown: FC<{ text: string; locale: string; origin: string | null }> = ({ text, locale, origin }) => {
  const { shown, rendered, source } = rendering(
    text,
    origin,
    (tree) => toJsxRuntime(tree, { Fragment, jsx, jsxs, ...ATTRIBUTES }) as Child,
  );
  const cut = cutOf(shown, text.length);
  return (
    <>
      {cut !== "" && <p class="alert warn">{cut}</p>}
      <div class="prose" {...attributesOf(locale)}>
        {rendered ?? <pre tabindex={0}>{source}</pre>}
      </div>
    </>
  );
};
