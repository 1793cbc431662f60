/** The page of who wrote which lines of an article. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { PassageValue } from "../../../operations/passages.ts";
import { registry } from "../../../operations/registry.ts";
import { capitalize } from "../../../lib/text.ts";
import type { ConsoleEnv } from "../env.ts";
import { page } from "../layout.tsx";
import { perform } from "../session.ts";
import { Table } from "../table.tsx";
import { Time } from "../time.tsx";
import { findArticle, getTitle } from "./found.ts";
import { loadActorNames } from "./makers.ts";
import { About } from "./reading.tsx";

export const passages = new Hono<ConsoleEnv>();

passages.get("/:id/passages", async (c) => {
  const id = c.req.param("id");
  const { value } = await perform(c, registry.listPassages, { articleId: id });
  const found = await findArticle(c, id);
  const runs = value.passages ?? [];
  const nameActor = await loadActorNames(
    c,
    runs.flatMap(({ by }) => by ?? []),
  );
  const tellWriter: TellWriter = ({ by, model, application }) =>
    model ?? application ?? (by === null ? "Unknown" : capitalize(nameActor(by)));
  return page(
    c,
    `Who wrote “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      <p>
        Each passage of the current content, and who last wrote it, as far back as versions are kept.{" "}
        <a href={`/console/articles/${id}/history`}>Version history</a>
      </p>
      {value.passages === null ? (
        <p>The content has too many lines.</p>
      ) : (
        <Passages runs={runs} lines={found.article.content.split("\n")} tellWriter={tellWriter} />
      )}
    </>,
  );
});

type TellWriter = (passage: PassageValue) => string;

type Props = {
  readonly runs: readonly PassageValue[];
  readonly lines: readonly string[];
  readonly tellWriter: TellWriter;
};

const Passages: FC<Props> = ({ runs, lines, tellWriter }) => (
  <Table
    label="Passages, in order"
    rows={runs}
    columns={[
      {
        head: "By",
        names: true,
        cell: (run) => (
          <>
            {tellWriter(run)} {run.byModel && <span class="badge">AI</span>}
          </>
        ),
      },
      { head: "When", cell: ({ time }) => (time === null ? "–" : <Time at={time} />) },
      {
        head: "Text",
        cell: ({ firstLine, lines: count }) => (
          <div class="passage">{lines.slice(firstLine - 1, firstLine - 1 + count).join("\n")}</div>
        ),
      },
    ]}
  />
);
