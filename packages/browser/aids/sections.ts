/** The sections in the side column: search and social previews, advice, and related articles. */
import { type Appearing, toSocialCard, toSearchResult } from "../../../src/domain/appearance.ts";
import type { Advice } from "../../../src/ai/generation/advice.ts";
import { makeElement, makeButton } from "../../editor/dom.ts";
import { loadLanguage, loadReading } from "./load.ts";
import { aids, area, readArticle, getBlogId, insertAtCursor, jump, getLocale, onPause, getValue } from "./page.ts";

/** Adds the sections. Each is filled when it is opened, and after each pause while it is open. */
export function addSections(): void {
  section("Search and social preview", appearances, 200);
  section("Advice", advice, 800);
  section("Related articles", related, null);
}

type Fill = () => Node[] | Promise<Node[]>;

/** Adds a section. `pause` is the wait after a change, in milliseconds; null to fill it only when it is opened. */
function section(name: string, fill: Fill, pause: number | null): void {
  const body = makeElement("div", { class: "body", "aria-live": "polite" });
  const made = makeElement("details", { class: "aid" }, makeElement("summary", {}, name), body);
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

const hint = (text: string): HTMLElement => makeElement("p", { class: "hint" }, text);

function appearances(): Node[] {
  const now = readArticle();
  const appearing: Appearing = {
    ...now,
    slug: getValue("slug"),
    canonicalUrl: getValue("canonicalUrl").trim(),
    noindex: getValue("noindex") === "true",
    site: aids?.dataset["site"] ?? "",
  };
  const [result, card] = [toSearchResult(appearing), toSocialCard(appearing)];
  const picture =
    card.image === ""
      ? makeElement("p", { class: "picture none" }, "No image")
      : makeElement("img", { class: "picture", src: card.image, alt: "", referrerpolicy: "no-referrer" });
  return [
    makeElement(
      "div",
      { class: "search-result", lang: getLocale(), dir: "auto" },
      makeElement("p", { class: "address" }, result.address),
      makeElement("p", { class: "title" }, result.title),
      makeElement("p", { class: "description" }, result.description || "Search engines choose a passage of the text."),
    ),
    ...(result.isListed ? [] : [hint("Hidden from search engines.")]),
    makeElement(
      "div",
      { class: "shared-card", lang: getLocale(), dir: "auto" },
      picture,
      makeElement("p", { class: "address" }, card.host),
      makeElement("p", { class: "title" }, card.title),
      ...(card.description === "" ? [] : [makeElement("p", { class: "description" }, card.description)]),
    ),
  ];
}

async function advice(): Promise<Node[]> {
  const [{ giveAdvice }, { judgeLanguage }] = await Promise.all([loadReading(), loadLanguage()]);
  const found = giveAdvice(readArticle(), judgeLanguage);
  if (found.length === 0) return [hint("No advice.")];
  return [makeElement("ul", { class: "advice" }, ...found.map(adviceItem))];
}

function adviceItem({ text, why, at }: Advice): HTMLElement {
  const go = makeButton("Show", () => jump(at), "quiet small");
  go.ariaLabel = `Show: ${text}`;
  return makeElement(
    "li",
    {},
    makeElement("strong", {}, text),
    " ",
    makeElement("span", { class: "hint" }, why),
    " ",
    go,
  );
}

type Related = { readonly title: string; readonly address: string };

async function related(): Promise<Node[]> {
  const { parse, listHeadings, toLine } = await loadReading();
  const text = area?.value ?? "";
  const headings = listHeadings(parse(text).children).map((heading) => toLine(heading));
  const form = {
    _organization: getValue("_organization"),
    blogId: getBlogId(),
    articleId: aids?.dataset["article"] ?? "",
    locale: getLocale(),
    title: getValue("title"),
    tags: getValue("tags"),
    headings: headings.join("\n"),
  };
  const response = await fetch("/console/articles/related", { method: "POST", body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const found = ((await response.json()) as Related[]).filter(({ address }) => !text.includes(`](${address})`));
  if (found.length === 0) return [hint("No related articles.")];
  return [makeElement("ul", { class: "related" }, ...found.map(relatedItem))];
}

function relatedItem({ title, address }: Related): HTMLElement {
  const press = () => {
    insertAtCursor(`[${title.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${address})`);
    add.closest("li")?.remove();
  };
  const add = makeButton("Insert", press, "quiet small");
  add.ariaLabel = `Insert a link to ${title}`;
  return makeElement("li", {}, makeElement("span", {}, title), " ", add);
}
