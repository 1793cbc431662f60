/** The pages of the reference: they are complete, small, and lead to each other. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { toApi, listErrorCodes, type Api } from "../../scripts/docs/document.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { GROUPS } from "../../src/surfaces/console/navigation.ts";
import { NODE, ROOT } from "../e2e/local-run.ts";
import { readPages, type Page } from "./pages.ts";

/** A page loads at once over a slow line: compressed, these are a tenth. Each example is there in four languages. */
const MOST_BYTES = 70_000;

let pages: Page[];
let api: Api;
beforeAll(async () => {
  pages = await readPages();
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-document-"));
  const file = path.join(folder, "openapi.json");
  execFileSync(NODE, ["scripts/openapi-document.ts", file], { cwd: ROOT });
  api = toApi(JSON.parse(readFileSync(file, "utf8")));
  rmSync(folder, { recursive: true });
});

const idsOf = ({ elements }: Page): string[] => elements.flatMap(({ attributes }) => attributes["id"] ?? []);
const elementsById = () =>
  new Map(pages.flatMap(({ elements }) => elements.map((element) => [element.attributes["id"], element] as const)));
const pageAt = (path: string): Page | undefined => pages.find((page) => page.path === path);

it("has a section for every operation and event, once", () => {
  const sections = pages.flatMap(({ elements }) => elements.filter(({ name }) => name === "section"));
  const ids = sections.map(({ attributes }) => attributes["id"]);
  for (const { id } of [...api.operations, ...api.events]) expect(ids.filter((each) => each === id)).toEqual([id]);
});

it("says the method, the path and the summary of an operation, and lists it on the start page", () => {
  const text = (page: Page | undefined) => page?.elements[0]?.text.replaceAll(/\s+/g, " ") ?? "";
  const [sections, start] = [elementsById(), text(pageAt("/docs"))];
  for (const { id, method, path: address, summary } of api.operations) {
    expect(sections.get(id)?.text).toContain(`${method} ${address}`);
    expect(sections.get(id)?.text).toContain(summary);
    expect(start).toContain(`${method} ${address} ${summary}`);
  }
});

it("names every parameter, member and error of an operation in its section", () => {
  const sections = elementsById();
  for (const operation of api.operations) {
    const section = sections.get(operation.id);
    const members = Object.keys((operation.body && api.resolve(operation.body).properties) ?? {});
    const names = [
      ...operation.parameters.map(({ name }) => name),
      ...members,
      ...operation.responses.flatMap(listErrorCodes),
    ];
    for (const name of names) expect(section?.text, operation.id).toContain(name);
  }
});

it("has a place for every code of an error, which the `type` of a problem links to", () => {
  const errors = pageAt("/docs/errors");
  expect(errors && idsOf(errors)).toEqual(expect.arrayContaining(Object.keys(ERRORS)));
});

it("links only to what is there", () => {
  const elsewhere = new Set(["/console", "/console/keys", "/openapi.json"]);
  const broken = pages.flatMap((page) =>
    page.elements.flatMap(({ name, attributes: { href = "" } }) => {
      if (name !== "a" || elsewhere.has(href) || href.startsWith("https:")) return [];
      const [target = "", anchor] = href.split("#");
      const found = target === "" ? page : pageAt(target);
      const isThere = found !== undefined && (anchor === undefined || idsOf(found).includes(anchor));
      return isThere ? [] : [`${page.path}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

it("calls the pages of the console as its navigation does", () => {
  const known = GROUPS.flatMap(({ places }) => places.map(({ name }) => name));
  const texts = globSync("docs/**/*.md", { cwd: ROOT }).map((file) => readFileSync(path.join(ROOT, file), "utf8"));
  const named = texts.flatMap((text) => Array.from(text.matchAll(/\bunder [_“"]([^_”"]+)[_”"]/g), ([, name]) => name));
  const links = pages.flatMap(({ elements }) =>
    elements.flatMap(({ attributes: { href }, text }) => (href?.startsWith("/console/") ? [text] : [])),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(links.length).toBeGreaterThan(1);
  expect([...known, "Your account"]).toEqual(expect.arrayContaining([...named, ...links]));
});

it("finds by its search only what is there", () => {
  const index = JSON.parse(readFileSync(path.join(ROOT, "public/docs/search.json"), "utf8")) as [
    string,
    string,
    string,
  ][];
  const addresses = index.map(([, , address]) => address);
  for (const { id } of api.operations) expect(addresses.some((address) => address.endsWith(`#${id}`))).toBe(true);
  for (const address of addresses) {
    const [target = "", anchor] = address.split("#");
    const page = pageAt(target);
    expect(page && (anchor === undefined || idsOf(page).includes(anchor)), address).toBe(true);
  }
});

it("has ids that occur once in a page, one h1, a title, and code that can be scrolled by keyboard", () => {
  for (const page of pages) {
    const ids = idsOf(page);
    expect(new Set(ids).size, page.path).toBe(ids.length);
    expect(page.elements.filter(({ name }) => name === "h1")).toHaveLength(1);
    expect(page.elements.find(({ name }) => name === "title")?.text).toMatch(/^\S.* · Edgepress$/);
    const blocks = page.elements.filter(({ name }) => name === "pre");
    expect(blocks.filter(({ attributes }) => attributes["tabindex"] !== "0")).toEqual([]);
  }
});

it("runs nothing inline, and loads nothing of other hosts", () => {
  for (const { path: address, html } of pages) {
    expect(html, address).not.toMatch(/<style|style="|<script>|\son\w+="/);
    expect(html.match(/(?:src|<link[^>]* href)="(?:https?:)?\/\/[^"]*/g), address).toBeNull();
  }
});

it("has small pages", () => {
  const sizes = pages.map(({ path: address, html }) => [address, Buffer.byteLength(html)] as const);
  expect(sizes.filter(([, bytes]) => bytes > MOST_BYTES)).toEqual([]);
});

it("shows a text as text", () => {
  for (const page of pages) expect(page.html).not.toContain("[object ");
});
