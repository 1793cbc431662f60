/** The page of an import: its state, what it contains and loses, and what can be done next. */
import type { Child, FC } from "hono/jsx";
import type { z } from "zod";
import { WORKING } from "../../domain/imports.ts";
import { addChoice, type Choice } from "../../../packages/import/choices.ts";
import { registry } from "../../operations/registry.ts";
import { State } from "./articles/shared.tsx";
import { ConfirmDelete } from "./confirm-delete.tsx";
import type { ConsoleContext } from "./env.ts";
import { Fact } from "./parts.tsx";
import { CheckField, Form, newForm } from "./forms.tsx";
import { page } from "./layout.tsx";
import { Next } from "./next.tsx";
import { can, perform } from "./session.ts";
import { Table } from "./table.tsx";
import { Time, Utc } from "./time.tsx";
import { formatCount, formatNumber } from "./words.ts";
import { capitalize } from "../../lib/text.ts";

type Import = z.infer<typeof registry.getImport.output>;
type Article = z.infer<typeof registry.listImportedArticles.output>[number];

/** How often the page of a running import reloads. */
const RELOAD_SECONDS = 3;
const PAGE = 50;

export const CHOICES: Readonly<Record<Choice, string>> = {
  publication: "Publish",
  pictures: "Images",
  pages: "Pages",
  renameDuplicates: "Slugs",
  siteUrl: "Address of the old site",
};

/** Returns a remark with the label of the field that would have changed it. */
const nameField = (said: string): string =>
  addChoice(said, (choice) => `see “${CHOICES[choice]}” when you upload the file`);

/** The lists of a report. The parameter `show` names one to show alone. */
const LISTS = {
  refused: { name: "Cannot be imported", input: { state: "refused" } },
  failed: { name: "Could not be imported", input: { state: "failed" } },
  kept: { name: "Kept", input: { state: "kept" } },
  lossy: { name: "With losses", input: { lossy: true } },
  created: { name: "Imported", input: { state: "created" } },
} as const;
type List = keyof typeof LISTS;

export async function report(c: ConsoleContext, shown: Import): Promise<Response> {
  const { state, counts, blogId, _id } = shown;
  const isWorking = state === "uploading" || WORKING.some((each) => each === state);
  if (isWorking) c.header("Refresh", String(RELOAD_SECONDS));
  const asked = c.req.query("show") as List | undefined;
  const lists = (Object.keys(LISTS) as List[]).filter((list) => counts[list] > 0 && (!asked || asked === list));
  const { value: blog } = await perform(c, registry.getBlog, { blogId });
  const sections = await Promise.all(
    lists.map(async (list) => {
      const cursor = asked ? c.req.query("cursor") || undefined : undefined;
      const input = { blogId, importId: _id, ...LISTS[list].input, limit: PAGE, cursor };
      const { value, next } = await perform(c, registry.listImportedArticles, input);
      return <Section of={shown} list={list} rows={value} next={next} />;
    }),
  );
  return page(
    c,
    `Import of ${shown.fileName || "a file"}`,
    <>
      <p>
        Into the blog “{blog.name}” · <a href={`/console/imports?blog=${blogId}`}>All its imports</a>
      </p>
      <p class={isWorking ? "alert" : state === "failed" ? "alert bad" : "alert good"} role="status">
        {describeImport(shown)}
      </p>
      {isWorking && <progress max={shown.total || 1} value={shown.position} aria-label="Progress"></progress>}
      {shown.total > 0 && <Numbers of={shown} />}
      {can(c, "articles:write") && <Begin of={shown} blog={blog.name} />}
      {shown.remarks.length > 0 && <Remarks of={shown} />}
      {sections}
      {can(c, "articles:write") && !isWorking && <Actions of={shown} />}
      <p class="hint">
        Uploaded <Time at={shown.creationTime} />
        {shown.finishTime !== null && (
          <>
            , finished <Time at={shown.finishTime} />
          </>
        )}
        <Utc />
      </p>
    </>,
  );
}

function describeImport({ state, total, position, counts, problem }: Import): string {
  const of = `${formatNumber(position)} of ${formatNumber(total)}`;
  switch (state) {
    case "uploading":
      return "The file is being uploaded.";
    case "checking":
      return `Checking: ${of} articles read. This page reloads until the check is done.`;
    case "checked":
      return counts.ready === 0
        ? "The file was checked. None of its articles can be imported."
        : `The file was checked. ${formatCount(counts.ready, "article")} can be imported.`;
    case "running":
      return `Importing: ${of} articles. You can close this page: the import goes on.`;
    case "done":
      return `${formatCount(counts.created, "article")} and ${formatCount(counts.pictures, "image")} imported.`;
    case "failed":
      return `The import has stopped. ${problem ?? ""}`;
    case "undoing":
      return `Undoing: ${formatCount(counts.deleted, "article")} deleted so far. You can close this page: it goes on.`;
    case "undone":
      return `The import was undone: ${formatCount(counts.deleted, "article")} deleted, ${counts.kept} kept.`;
  }
}

const Numbers: FC<{ of: Import }> = ({ of: { total, counts, format } }) => {
  const { ready, created, drafts, pictures, tags, authors, redirects } = counts;
  const facts: readonly (readonly [name: string, count: number, isShown?: boolean])[] = [
    [`Articles in the ${NAMES[format ?? "markdown"]}`, total, true],
    ["Can be imported", ready],
    ["Imported", created],
    ["Published among them", (created || ready) - drafts],
    ["Drafts among them", drafts],
    ["With losses", counts.lossy],
    ["Cannot be imported", counts.refused + counts.failed],
    ["Deleted again", counts.deleted],
    ["Kept", counts.kept],
    ["Images in the media library", pictures],
    ["Tags", tags],
    ["Authors", authors],
    ["Old addresses that redirect", redirects],
  ];
  return (
    <dl class="facts list">
      {facts.map(([name, count, isShown = count > 0]) => isShown && <Fact name={name}>{formatNumber(count)}</Fact>)}
    </dl>
  );
};

const NAMES = { ghost: "export of Ghost", wordpress: "export of WordPress", markdown: "folder of Markdown files" };

const Remarks: FC<{ of: Import }> = ({ of: { remarks } }) => (
  <section aria-labelledby="remarks">
    <h2 id="remarks">Left out or changed</h2>
    <ul>
      {remarks.map(({ what, times, names = [] }) => (
        <li>
          {capitalize(nameField(what))}: {formatNumber(times)}
          {names.length > 0 && (
            <p class="hint">
              {names.join(", ")}
              {names.length < times && ", …"}
            </p>
          )}
        </li>
      ))}
    </ul>
  </section>
);

type SectionProps = {
  readonly of: Import;
  readonly list: List;
  readonly rows: readonly Article[];
  readonly next: string | undefined;
};

const Section: FC<SectionProps> = ({ of: { blogId, _id }, list, rows, next }) => (
  <section aria-labelledby={list}>
    <h2 id={list}>{LISTS[list].name}</h2>
    <Table
      labelledby={list}
      rows={rows}
      columns={[{ head: "Article", cell: renderArticleCell, names: true, class: "clip" }, ...COLUMNS[list]]}
    />
    <Next path={`/console/imports/${blogId}/${_id}`} query={{ show: list }} cursor={next} label="More" />
  </section>
);

const REASON = [{ head: "Reason", cell: ({ problem }: Article) => nameField(problem ?? "") }];
const COLUMNS = {
  refused: REASON,
  failed: REASON,
  kept: REASON,
  lossy: [{ head: "What", cell: ({ losses }: Article) => losses.map((loss) => <div>{nameField(loss)}</div>) }],
  created: [
    { head: "State", cell: ({ published }: Article) => <State published={published} /> },
    {
      head: "Date",
      cell: ({ publishTime }: Article) => (publishTime === null ? "" : <Time at={publishTime} />),
    },
  ],
} as const;

function renderArticleCell({ articleId, title, name, state }: Article): Child {
  const isThere = articleId !== null && state !== "deleted";
  return isThere ? <a href={`/console/articles/${articleId}`}>{title || name}</a> : title || name;
}

const toImportPath = ({ _id, blogId }: Import): string => `/console/imports/${blogId}/${_id}`;

/** Above the lists, which can be long. */
const Begin: FC<{ of: Import; blog: string }> = ({ of: shown, blog }) => {
  const { state, counts, startTime } = shown;
  const isContinued = state === "failed" && startTime !== null;
  if (counts.ready === 0 || (state !== "checked" && !isContinued)) return <></>;
  const submit = isContinued ? "Continue" : `Import ${formatCount(counts.ready, "article")} into “${blog}”`;
  return <Form action={`${toImportPath(shown)}/start`} submit={submit} />;
};

const Actions: FC<{ of: Import }> = ({ of: shown }) => {
  const path = toImportPath(shown);
  return (
    <>
      {mayUndo(shown) && (
        <p>
          <a href={`${path}/undo`}>Undo this import …</a>
        </p>
      )}
      <Form action={`${path}/delete`} submit="Delete this report" tone="quiet" inline />
    </>
  );
};

const mayUndo = ({ state, counts, startTime }: Import): boolean =>
  ["done", "undone", "failed"].includes(state) && startTime !== null && counts.created + counts.kept > 0;

/** Returns the page that asks before an import is undone. */
export const confirmUndo = (c: ConsoleContext, shown: Import): Response | Promise<Response> => {
  const { counts, fileName } = shown;
  return page(
    c,
    `Undo the import of ${fileName || "a file"}?`,
    <ConfirmDelete
      action={`${toImportPath(shown)}/undo`}
      submit="Undo the import"
      keep={{ path: toImportPath(shown), text: "Cancel" }}
    >
      <p>
        This deletes the {formatCount(counts.created + counts.kept, "article")} of the import, but those that were
        changed since,{counts.redirects > 0 && ` ${formatCount(counts.redirects, "redirect")} to them,`} and images that
        nothing else shows. You can import the file again, but what is deleted cannot be restored.
      </p>
      <CheckField
        state={newForm()}
        name="force"
        label="Changed articles"
        choices={[{ value: "yes", label: "Also delete articles that were changed since" }]}
      />
    </ConfirmDelete>,
  );
};
