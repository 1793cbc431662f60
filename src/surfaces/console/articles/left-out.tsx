/** Warns before publication about parts of the text that readers would not see as intended. */
import type { FC, PropsWithChildren } from "hono/jsx";
import { listRefused, listTemplates } from "../../../../packages/markdown/reading.ts";
import { shorten } from "../../../lib/text.ts";

export const LeftOut: FC<{ content: string }> = ({ content }) => {
  const { html, addresses } = listRefused(content);
  return (
    <>
      <Listed what={[...html].map((tag) => `${tag}>`)}>
        Readers see this HTML as text, because it is not allowed:
      </Listed>
      <Listed what={[...listTemplates(content)]}>Readers see these templates or shortcodes as text:</Listed>
      <Listed what={[...addresses]}>
        Readers do not get these links and pictures, because their addresses are not allowed:
      </Listed>
    </>
  );
};

const MOST_NAMED = 10;

const Listed: FC<PropsWithChildren<{ what: readonly string[] }>> = ({ what, children }) =>
  what.length === 0 ? (
    <></>
  ) : (
    <p class="alert warn">
      {children}{" "}
      {what.slice(0, MOST_NAMED).map((each, index) => (
        <>
          {index > 0 && ", "}
          <code>{shorten(each, 60)}</code>
        </>
      ))}
      {what.length > MOST_NAMED && ` and ${what.length - MOST_NAMED} more`}.
    </p>
  );
