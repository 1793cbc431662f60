/** The sections in the side column: search and social previews, advice, and related articles. */
import { type Appearing, cardOf, searchResultOf } from "../../../src/domain/appearance.ts";
import type { Advice } from "../../../src/ai/generation/advice.ts";
import { element, makeButton } from "../../editor/dom.ts";
import { loadLanguage, loadReading } from "./load.ts";
import { aids, area, articleNow, blogId, insert, jump, locale, onPause, valueOf } from "./page.ts";

/** Adds the sections. Each is filled when it is opened, and after each pause while it is open. */
export function addSections(): void {
  section("Search and social preview", appearances, 200);
  section("Advice", advice, 800);
  section("Related articles", related, null);
}

type Fill = () => Node[] | Promise<Node[]>;

/** Adds a section. `pause` is the wait after a change, in milliseconds; null to fill it only when it is opened. */
function section(name: string, fill: Fill, pause: number | null): void {
  const body = element("div", { class: "body", "aria-live": "polite" });
  const made = element("details", { class: "aid" }, element("summary", {}, name), body);
  let last = 0;
  const update = async () => {
    if (!made.open) return;
    const now = ++last;
    const nodes = await Promise.resolve(fill()).catch(() => [
      hint("This could not be loaded. Close it and open it again."),
    ]);
    if (now === last) body.replaceChildren(...nodes);
  };
  made.addEventListener("toggle", () => void update());
  if (pause !== null) onPause(update, () => pause);
  aids?.append(made);
}

const hint = (text: string): HTMLElement => element("p", { class: "hint" }, text);

function appearances(): Node[] {
  const now = articleNow();
  const appearing: Appearing = {
    ...now,
    slug: valueOf("slug"),
    canonicalUrl: valueOf("canonicalUrl").trim(),
    noindex: valueOf("noindex") === "true",
    site: aids?.dataset["site"] ?? "",
  };
  const [result, card] = [searchResultOf(appearing), cardOf(appearing)];
  const picture =
    card.image === ""
      ? element("p", { class: "picture none" }, "No image")
      : element("img", { class: "picture", src: card.image, alt: "", referrerpolicy: "no-referrer" });
  return [
    element(
      "div",
      { class: "search-result", lang: locale(), dir: "auto" },
      element("p", { class: "address" }, result.address),
      element("p", { class: "title" }, result.title),
      element("p", { class: "description" }, result.description || "Search engines choose a passage of the text."),
    ),
    ...(result.isListed ? [] : [hint("Hidden from search engines.")]),
    element(
      "div",
      { class: "shared-card", lang: locale(), dir: "auto" },
      picture,
      element("p", { class: "address" }, card.host),
      element("p", { class: "title" }, card.title),
      ...(card.description === "" ? [] : [element("p", { class: "description" }, card.description)]),
    ),
  ];
}

async function advice(): Promise<Node[]> {
  const [{ adviceOn }, { judgeLanguage }] = await Promise.all([loadReading(), loadLanguage()]);
  const found = adviceOn(articleNow(), judgeLanguage);
  if (found.length === 0) return [hint("No advice.")];
  return [element("ul", { class: "advice" }, ...found.map(adviceItem))];
}

function adviceItem({ text, why, at }: Advice): HTMLElement {
  const go = makeButton("Show", () => jump(at), "quiet small");
  go.ariaLabel = `Show: ${text}`;
  return element("li", {}, element("strong", {}, text), " ", element("span", { class: "hint" }, why), " ", go);
}

type Related = { readonly title: string; readonly address: string };

async function related(): Promise<Node[]> {
  const { parse, headingsOf, lineOf } = await loadReading();
  const text = area?.value ?? "";
  const headings = headingsOf(parse(text).children).map((heading) => lineOf(heading));
  const form = {
    _organization: valueOf("_organization"),
    blogId: blogId(),
    articleId: aids?.dataset["article"] ?? "",
    locale: locale(),
    title: valueOf("title"),
    tags: valueOf("tags"),
    headings: headings.join("\n"),
  };
  const response = await fetch("/console/articles/related", { method: "POST", body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const found = ((await response.json()) as Related[]).filter(({ address }) => !text.includes(`](${address})`));
  if (found.length === 0) return [hint("No related articles.")];
  return [element("ul", { class: "related" }, ...found.map(relatedItem))];
}

function relatedItem({ title, address }: Related): HTMLElement {
  const press = () => {
    insert(`[${title.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${address})`);
    add.closest("li")?.remove();
  };
  const add = makeButton("Insert", press, "quiet small");
  add.ariaLabel = `Insert a link to ${title}`;
  return element("li", {}, element("span", {}, title), " ", add);
}
