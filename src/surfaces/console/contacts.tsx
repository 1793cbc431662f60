/** The page of a blog's contacts: the list, a search for an address, a form, and a download. */
import { KnownLocales } from "./locales.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { DomainError } from "../../domain/errors.ts";
import { toCsv } from "../../lib/csv.ts";
import { LIMITS } from "../../domain/limits.ts";
import { registry } from "../../operations/registry.ts";
import { findChosenBlog, listBlogs, type Blog } from "./articles/found.ts";
import { ConfirmDelete } from "./confirm-delete.tsx";
import { BlogForm, NoBlog } from "./articles/shared.tsx";
import { ImportForm, importFile } from "./contacts-import.tsx";
import { param, type ConsoleContext, type ConsoleEnv } from "./env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { can, perform } from "./session.ts";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";
import { formatNumber } from "./words.ts";

type Contact = z.infer<typeof registry.listContacts.output>[number];

const PATH = "/console/contacts";
const PAGE = 50;
/** The most pages that a download reads: each is a query. */
const MOST_PAGES = 50;

export const contacts = new Hono<ConsoleEnv>();

contacts.get("/", (c) => show(c, newForm()));
// The form posts to this path, so a reload after a refusal is a GET.
contacts.get("/new", (c) => show(c, newForm()));

onSubmit(contacts, "/new", {
  again: (c, state, status, form) => show(c, state, status, form.text("blogId")),
  async work(c, form) {
    const blogId = form.text("blogId");
    const [name, locale] = [form.text("name").trim(), form.text("locale").trim()];
    const input = { blogId, email: form.text("email"), name, ...(locale && { locale }) };
    await perform(c, registry.createContact, input, form);
    return goTo(c, `${PATH}?blog=${blogId}`, "contact-created");
  },
});

contacts.get("/export", async (c) => {
  const blog = findChosenBlog(c, await listBlogs(c));
  if (blog === null) throw new DomainError("not_found", "There are no blogs yet.");
  const found: Contact[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages === 0 || (cursor !== undefined && pages < MOST_PAGES); pages += 1) {
    const { value, next } = await perform(c, registry.listContacts, { blogId: blog._id, cursor });
    found.push(...value);
    cursor = next;
  }
  const isJson = c.req.query("format") === "json";
  const [body, type] = isJson
    ? [JSON.stringify(found, null, 2), "application/json"]
    : [
        toCsv([COLUMNS.map(([head]) => head), ...found.map((each) => COLUMNS.map(([, cell]) => cell(each)))]),
        "text/csv",
      ];
  return c.body(body, 200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="contacts-${blog.vanityId}.${isJson ? "json" : "csv"}"`,
  });
});

// The form posts to this path, so a reload after a refusal is a GET.
contacts.get("/import", (c) => show(c, newForm()));

onSubmit(contacts, "/import", {
  again: (c, state, status, form) => show(c, state, status, form.text("blogId")),
  work: importFile,
  mostBytes: LIMITS.bodyBytes,
});

const COLUMNS: readonly (readonly [head: string, cell: (contact: Contact) => string])[] = [
  ["email", ({ email }) => email],
  ["name", ({ name }) => name],
  ["locale", ({ locale }) => locale],
  ["created", ({ creationTime }) => creationTime],
  ["consented", ({ consentTime }) => consentTime ?? ""],
  ["unsubscribed", ({ unsubscribeTime }) => unsubscribeTime ?? ""],
  ["unsubscribe", ({ unsubscribeUrl }) => unsubscribeUrl ?? ""],
];

contacts.get("/:contactId/erase", (c) => confirmErasure(c, newForm()));

onSubmit(contacts, "/:contactId/erase", {
  again: confirmErasure,
  async work(c, form) {
    const contactId = param(c, "contactId");
    await perform(c, registry.eraseContact, { contactId }, form);
    return goTo(c, `${PATH}?${new URLSearchParams({ blog: form.text("blogId") }).toString()}`, "contact-erased");
  },
});

async function confirmErasure(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const { value: contact } = await perform(c, registry.getContact, { contactId: c.req.param("contactId") });
  const back = `${PATH}?blog=${contact.blogId}`;
  return page(
    c,
    `Erase ${contact.email}?`,
    <ConfirmDelete
      action={`${PATH}/${contact._id}/erase`}
      submit="Erase contact"
      keep={{ path: back, text: "Cancel" }}
      state={state}
    >
      {/* After the erasure, nothing tells which blog the contact belonged to. */}
      <input type="hidden" name="blogId" value={contact.blogId} />
      <p>
        This deletes the contact, and removes the email address and name from stored events and deliveries. Pending
        deliveries are not sent. Webhooks keep what they have already received. This cannot be undone.
      </p>
    </ConfirmDelete>,
    status,
  );
}

async function show(c: ConsoleContext, state: FormState, status?: Status, of?: string): Promise<Response> {
  const blogs = await listBlogs(c);
  const blog = blogs.find(({ _id }) => _id === of) ?? findChosenBlog(c, blogs);
  if (blog === null) return page(c, "Contacts", <NoBlog mayCreate={can(c, "blogs:write")} />);
  const asked = c.req.query("email")?.trim() ?? "";
  const { value, next, problem } = await find(c, blog, asked);
  return page(
    c,
    "Contacts",
    <>
      <p>People who contacted a blog or signed up for it. Websites add them with the API, and webhooks are notified.</p>
      <Filters blogs={blogs} blog={blog} asked={asked} />
      {problem !== undefined && (
        <p class="alert bad" role="alert">
          {problem}
        </p>
      )}
      {value.length > 0 ? (
        <List contacts={value} blog={blog} mayErase={can(c, "contacts:write")} />
      ) : (
        problem === undefined && <Empty asked={asked} blog={blog} />
      )}
      <Next path={PATH} query={{ blog: blog._id }} cursor={next} />
      {value.length > 0 && asked === "" && (
        <p>
          <a href={`${PATH}/export?blog=${blog._id}`} download>
            Download CSV
          </a>{" "}
          <a href={`${PATH}/export?blog=${blog._id}&format=json`} download>
            Download JSON
          </a>{" "}
          <span class="hint">Up to {formatNumber(MOST_PAGES * LIMITS.page)} contacts, newest first.</span>
        </p>
      )}
      {can(c, "contacts:write") && <New blog={blog} state={state} />}
      {can(c, "contacts:write") && <ImportForm blogId={blog._id} />}
    </>,
    status,
  );
}

type Found = { readonly value: readonly Contact[]; readonly next?: string | undefined; readonly problem?: string };

async function find(c: ConsoleContext, blog: Blog, email: string): Promise<Found> {
  const cursor = c.req.query("cursor") || undefined;
  const query = { blogId: blog._id, limit: PAGE, cursor, ...(email !== "" && { email }) };
  try {
    return await perform(c, registry.listContacts, query);
  } catch (error) {
    const isEmail = error instanceof DomainError && error.details.errors?.some(({ path }) => path === "email");
    if (isEmail) return { value: [], problem: "Enter a full email address, such as ada@example.com." };
    throw error;
  }
}

const Filters: FC<{ blogs: readonly Blog[]; blog: Blog; asked: string }> = ({ blogs, blog, asked }) => (
  <BlogForm action={PATH} blogs={blogs} blog={blog} submit="Search" role="search">
    <div>
      <label for="find">Email address</label>
      <input id="find" name="email" type="search" value={asked} autocomplete="off" />
    </div>
  </BlogForm>
);

const Empty: FC<{ asked: string; blog: Blog }> = ({ asked, blog }) =>
  asked === "" ? (
    <p class="empty">
      No contacts yet. Add one below, or let a sign-up form on your website add them with{" "}
      <code>POST /api/contacts</code> (<a href="/docs">how</a>).
    </p>
  ) : (
    <p class="empty">
      {blog.name} has no contact with this email address. <a href={`${PATH}?blog=${blog._id}`}>Show all</a>
    </p>
  );

/** Shows since when a contact wants emails, or since when they have unsubscribed. */
const Consent: FC<{ of: Contact }> = ({ of: { consentTime, unsubscribeTime, imported } }) => {
  const from = imported && (
    <>
      {" "}
      <span class="badge" title={`Imported from ${imported.from}`}>
        Imported
      </span>
    </>
  );
  if (unsubscribeTime !== null) {
    return (
      <>
        Unsubscribed <Time at={unsubscribeTime} />
        {from}
      </>
    );
  }
  if (consentTime === null) return <>–</>;
  return (
    <>
      <Time at={consentTime} />
      {from}
    </>
  );
};

const List: FC<{ contacts: readonly Contact[]; blog: Blog; mayErase: boolean }> = ({
  contacts: all,
  blog,
  mayErase,
}) => (
  <Table
    label={`Contacts of ${blog.name}`}
    rows={all}
    columns={[
      { head: "Email address", cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a>, class: "url" },
      { head: "Name", cell: ({ name }) => name || "–" },
      { head: "Language", cell: ({ locale }) => locale },
      { head: "Added", cell: ({ creationTime }) => <Time at={creationTime} /> },
      { head: "Consent", cell: (contact) => <Consent of={contact} /> },
      ...(mayErase
        ? [
            {
              head: "Actions",
              cell: ({ _id, email }: Contact) => (
                <a href={`${PATH}/${_id}/erase`} aria-label={`Erase ${email}`}>
                  Erase
                </a>
              ),
            },
          ]
        : []),
    ]}
  />
);

const New: FC<{ blog: Blog; state: FormState }> = ({ blog, state }) => (
  <section aria-labelledby="new">
    <h2 id="new">New contact</h2>
    <Form action={`${PATH}/new`} state={state} submit="Add contact">
      <input type="hidden" name="blogId" value={blog._id} />
      <TextField state={state} name="email" label="Email address" type="email" required maxlength={LIMITS.email} />
      <TextField state={state} name="name" label="Name" maxlength={LIMITS.name} />
      <TextField
        state={state}
        name="locale"
        label="Language"
        list="contact-locales"
        hint={`A language tag, such as ${blog.locales.join(", ")}. Leave blank for ${blog.locales[0]}.`}
      />
      <KnownLocales id="contact-locales" locales={blog.locales} />
    </Form>
  </section>
);
