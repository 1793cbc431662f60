/** Forms that are large: how much of them is read, from whom, and before what is built of it. */
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { newBrowser, signedIn, type Browser } from "../helpers/console.ts";
import { NEW, idIn, stored } from "../helpers/console-articles.ts";
import { send, ORIGIN } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let nobody: Browser;
let reader: Browser;
let writer: Browser;
beforeAll(async () => {
  tenant = await newTenant("Large forms");
  nobody = newBrowser();
  ({ browser: reader } = await signedIn(tenant.organizationId, "reader"));
  ({ browser: writer } = await signedIn(tenant.organizationId, "writer"));
});

const FORM = "application/x-www-form-urlencoded";
const CHUNK = 64 * 1024;

/** Sends a form as it stands; `read` are the bytes of it that the service has asked for by the time it answers. */
async function sendForm(browser: Browser, path: string, form: string, headers: Record<string, string> = {}) {
  const bytes = new TextEncoder().encode(form);
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (read >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.slice(read, read + CHUNK));
        read += CHUNK;
      },
    },
    // Nothing is given before it is asked for.
    { highWaterMark: 0 },
  );
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const all = { Origin: ORIGIN, "Content-Type": FORM, ...(Cookie !== "" && { Cookie }), ...headers };
  const response = await send(path, { method: "POST", body, type: null, headers: all });
  const asked = read;
  return { status: response.status, headers: response.headers, text: await response.text(), read: asked };
}

const articleOf = (content: string): string =>
  new URLSearchParams({
    _organization: tenant.organizationId,
    blogId: tenant.blogId,
    title: "Long",
    content,
  }).toString();

const LARGE = "a&".repeat(3_600_000);
const withLength = { "Content-Length": String(LARGE.length) };

describe("a large form is not read", () => {
  it.each(["/console/articles/new", "/console/articles/preview", "/console/blogs/new"])(
    "from somebody who is not signed in: %s",
    async (path) => {
      for (const headers of [{}, withLength]) {
        const { status, read } = await sendForm(nobody, path, LARGE, headers);
        expect([status, read]).toEqual([401, 0]);
      }
    },
  );

  it.each(["/console/articles/new", "/console/articles/preview", "/console/blogs/new"])(
    "from somebody who may not write articles: %s",
    async (path) => {
      const { status, read } = await sendForm(reader, path, LARGE);
      expect(status).toBe(413);
      expect(read).toBeLessThanOrEqual(LIMITS.formBytes + CHUNK);
      expect(await sendForm(reader, path, LARGE, withLength)).toMatchObject({ status: 413, read: 0 });
    },
  );

  it("beyond what an article can take", async () => {
    const { status, read } = await sendForm(writer, NEW, "a".repeat(LIMITS.articleFormBytes + 10 * CHUNK));
    expect(status).toBe(413);
    expect(read).toBeLessThanOrEqual(LIMITS.articleFormBytes + CHUNK);
  });
});

describe("the fields of a form", () => {
  it("are counted before they are built", async () => {
    // Empty ones, of which none would be built.
    const { status, text } = await sendForm(nobody, "/console/sign-in", "&".repeat(LIMITS.formFields));
    expect(status).toBe(400);
    expect(text).toContain("The form has too many fields.");
    expect((await sendForm(writer, NEW, LARGE)).text).toContain("The form has too many fields.");
  });

  it("may be as many as the limit says", async () => {
    const form = `${articleOf("As many.")}${"&more=".repeat(LIMITS.formFields - 4)}`;
    expect((await sendForm(writer, NEW, form)).status).toBe(303);
    expect((await sendForm(writer, NEW, `${form}&more=`)).status).toBe(400);
  });

  it("are read as browsers send them", async () => {
    const form = `${articleOf("")}Caf%C3%A9+%26+th%C3%A9%0D%0Acr%C3%A8me`;
    const sent = await sendForm(writer, NEW, form, { "Content-Type": `${FORM}; charset=UTF-8` });
    expect((await stored(tenant, idIn(sent)))?.content).toBe("Café & thé\ncrème");
  });
});

describe("an article", () => {
  it("of the largest size is stored", async () => {
    const content = "é\r\n".repeat(LIMITS.contentBytes / 4) + "é".repeat(LIMITS.contentBytes / 8);
    expect((await sendForm(writer, NEW, articleOf(content))).status).toBe(303);
  });
});
