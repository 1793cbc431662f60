/** The pages of a request for approval, with what it would publish. They work without scripts. */
import { Hono } from "hono";
import type { FC, PropsWithChildren } from "hono/jsx";
import { nullIfMissing } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import type { ApprovalValue } from "../../../operations/approvals.ts";
import { capitalize } from "../../../lib/text.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { Form, getValue, newForm, onSubmit, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { Fact } from "../parts.tsx";
import type { FormValues } from "../submission.ts";
import { Time } from "../time.tsx";
import { atVersion } from "../version.tsx";
import { Differences, listDifferences } from "./conflict.tsx";
import { findEdited, getArticleValues, getEditedValues, type Edited } from "./edited.ts";
import { getTitle, requireContributor, requireWriter } from "./found.ts";
import { LeftOut } from "./left-out.tsx";
import { loadActorNames } from "./makers.ts";
import { Overwrite } from "./publish.tsx";
import { APPROVALS_PATH, Wish } from "./approvals.tsx";
import { About, Reading } from "./reading.tsx";

/** Returns the request about an article, with its version; null if there is none. */
const findRequest = (c: ConsoleContext, articleId: string) =>
  perform(c, registry.getApproval, { articleId }).catch(nullIfMissing);

/** The pages of one request. */
export const approval = new Hono<ConsoleEnv>();

approval.get("/:id/approval", (c) => show(c, c.req.param("id"), newForm()));

onSubmit(approval, "/:id/approval", {
  first: requireContributor,
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await perform(c, registry.requestApproval, { articleId, note: form.text("note").trim() }, atVersion(form));
    return goTo(c, `/console/articles/${articleId}`, "approval-requested");
  },
});

onSubmit(approval, "/:id/approval/approve", {
  first: requireWriter,
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    const overwrite = form.text("overwrite") === "yes";
    const { value } = await perform(
      c,
      registry.approve,
      { articleId, action: form.text("action"), overwrite },
      atVersion(form),
    );
    return value.action === "delete"
      ? goTo(c, "/console/articles", "approved")
      : goTo(c, `/console/articles/${articleId}`, "approved");
  },
});

onSubmit(approval, "/:id/approval/decline", {
  first: requireWriter,
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await perform(c, registry.declineApproval, { articleId, reason: form.text("reason").trim() }, atVersion(form));
    return goTo(c, APPROVALS_PATH, "approval-declined");
  },
});

onSubmit(approval, "/:id/approval/withdraw", {
  first: requireContributor,
  again: (c, state, status) => show(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await perform(c, registry.withdrawApproval, { articleId }, form);
    return goTo(c, `/console/articles/${articleId}`, "approval-withdrawn");
  },
});

/** Shows what would be approved. Each form has the version of what is shown. */
async function show(c: ConsoleContext, id: string, state: FormState, status?: Status): Promise<Response> {
  // The request first: what is read after it and differs from it is refused when it is approved.
  const found = await findRequest(c, id);
  const edited = await findEdited(c, id);
  const isLate = state.problem?.code === "precondition_failed";
  const shown = isLate ? { ...state, problem: null } : state;
  return page(
    c,
    found === null ? `Ask to publish “${getTitle(edited.article)}”` : `Approve “${getTitle(edited.article)}”?`,
    <>
      <About found={edited} />
      {isLate && (
        <p class="alert warn" role="alert">
          <strong>Nothing was published.</strong> The article or the request has changed since you opened this page.
          What it is now is below.
        </p>
      )}
      {found === null ? (
        <Ask edited={edited} state={shown} />
      ) : (
        <Request
          approval={found.value}
          version={found.version ?? ""}
          by={capitalize((await loadActorNames(c, [found.value.requestedBy]))(found.value.requestedBy))}
          mayApprove={can(c, "articles:write")}
          isBehind={edited.copy?.articleChanged ?? false}
          state={shown}
        >
          <Content edited={edited} values={await readValues(edited)} />
        </Request>
      )}
      <p>
        <a href={`/console/articles/${id}`}>Back to article</a> · <a href={APPROVALS_PATH}>All requests</a>
      </p>
    </>,
    status,
  );
}

const readValues = async (edited: Edited) => ({
  live: await getArticleValues(edited.article),
  next: await getEditedValues(edited),
});

const Ask: FC<{ edited: Edited; state: FormState }> = ({ edited: { article, copy, current }, state }) =>
  article.published && copy === null ? (
    <p>The article is published, and has no unpublished changes. There is nothing to ask for.</p>
  ) : (
    <Form action={`/console/articles/${article._id}/approval`} state={state} submit="Ask to publish">
      <input type="hidden" name="version" value={current} />
      <TextField
        state={state}
        name="note"
        label="Note"
        maxlength={LIMITS.approvalNote}
        hint="For whoever approves it. You can leave it blank."
      />
    </Form>
  );

type RequestProps = {
  readonly approval: ApprovalValue;
  readonly version: string;
  readonly by: string;
  readonly mayApprove: boolean;
  /** Whether the article has changed since its working copy was begun. */
  readonly isBehind: boolean;
  readonly state: FormState;
};

/** The children are what would be approved. */
const Request: FC<PropsWithChildren<RequestProps>> = ({
  approval: of,
  version,
  by,
  mayApprove,
  isBehind,
  state,
  children,
}) => {
  const path = `/console/articles/${of.articleId}/approval`;
  return (
    <>
      <p class="alert" role="status">
        {by} asked <Time at={of.creationTime} /> to <Wish of={of} />.{of.note !== "" && <> “{of.note}”</>}
        {of.changed && " The article has changed since. You approve what you see here."}
      </p>
      {of.declined !== null && <Declined of={of.declined} />}
      {children}
      {mayApprove && of.state === "waiting" && (
        <>
          <Form action={`${path}/approve`} state={state} submit={LABELS[of.action](of)}>
            <input type="hidden" name="version" value={version} />
            <input type="hidden" name="action" value={of.action} />
            {isBehind && <Overwrite ticked={getValue(state, "overwrite") === "yes"} />}
            <p class="hint">
              It happens in your name. If a model wrote the text, you confirm that you have reviewed it.
            </p>
          </Form>
          <details>
            <summary>Decline…</summary>
            <Form action={`${path}/decline`} state={state} submit="Decline" tone="quiet">
              <input type="hidden" name="version" value={version} />
              <TextField
                state={state}
                name="reason"
                label="Reason"
                maxlength={LIMITS.approvalNote}
                hint="For whoever asked. You can leave it blank."
              />
            </Form>
          </details>
        </>
      )}
      {!mayApprove && <Form action={`${path}/withdraw`} submit="Withdraw the request" tone="quiet" inline />}
    </>
  );
};

const LABELS: Readonly<Record<ApprovalValue["action"], (of: ApprovalValue) => string>> = {
  publish: ({ publishTime }) => (publishTime === null ? "Approve and publish" : "Approve and schedule"),
  unpublish: ({ unpublishTime }) => (unpublishTime === null ? "Approve and unpublish" : "Approve and schedule"),
  delete: () => "Approve and delete",
};

const Declined: FC<{ of: NonNullable<ApprovalValue["declined"]> }> = ({ of: { reason, time } }) => (
  <p class="alert warn" role="status">
    <strong>Declined</strong> <Time at={time} />
    {reason === "" ? "." : `: ${reason}`}
  </p>
);

type Values = Awaited<ReturnType<typeof readValues>>;

/** The whole text of a draft, or what differs of a published article; and what its readers and search engines get beside it. */
const Content: FC<{ edited: Edited; values: Values }> = ({ edited: { article, copy }, values: { live, next } }) => (
  <>
    <LeftOut content={(copy ?? article).content} />
    <Beside next={next} seo={copy?.seo ?? article.seo} />
    {article.published && copy !== null && (
      <Differences of={listDifferences(live, next)} heads={["Published", "New"]} />
    )}
    {(!article.published || copy === null) && <Reading article={article} origin={null} title="Text" />}
  </>
);

const Beside: FC<{ next: FormValues; seo: Edited["article"]["seo"] }> = ({ next, seo }) => {
  const facts = [
    ["Language", getValue({ values: next }, "locale")],
    ["Slug", getValue({ values: next }, "slug")],
    ["Tags", getValue({ values: next }, "tags")],
    ["Authors", getValue({ values: next }, "authors")],
    ["Cover image", getValue({ values: next }, "coverUrl")],
    ["Title for search engines", seo.title],
    ["Description for search engines", seo.description],
    ["Canonical URL", seo.canonicalUrl],
    ["Image for search engines", seo.image],
    ["Search engines", seo.noindex ? "are told to leave it out" : ""],
  ].filter(([, value]) => value !== "");
  return (
    <dl class="facts">
      {facts.map(([name = "", value]) => (
        <Fact name={name}>{value}</Fact>
      ))}
    </dl>
  );
};

/** On the page of an article: what somebody asks, or that it was declined. Renders nothing without a request. */
export async function Asked({ c, id }: { readonly c: ConsoleContext; readonly id: string }) {
  const found = await findRequest(c, id);
  if (found === null) return <></>;
  const { requestedBy, declined } = found.value;
  const by = capitalize((await loadActorNames(c, [requestedBy]))(requestedBy));
  const path = `/console/articles/${id}/approval`;
  return declined === null ? (
    <p class="alert" role="status">
      {by} asks to <Wish of={found.value} />. <a href={path}>Review the request</a>
    </p>
  ) : (
    <p class="alert warn" role="status">
      The request to <Wish of={found.value} /> was declined. <a href={path}>See why</a>
    </p>
  );
}
