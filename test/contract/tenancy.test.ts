/**
 * Contract 1.1, 1.2, 1.4, 1.5, 5.7: every operation of the registry, tried
 * with another organization's identifiers, by a key that is pinned to another blog, and by nobody.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { isUuid, newId } from "../../src/lib/ids.ts";
import { registry } from "../../src/operations/registry.ts";
import {
  call,
  everyRoute,
  newWorld,
  reaching,
  type Input,
  type OperationName,
  type World,
} from "../helpers/operations.ts";
import { changes, quiet, refusalOf, tables } from "../helpers/refusals.ts";
import { cases, newVictim } from "../helpers/tenancy.ts";
import { MARK, type Attempt, type Attempts, type Outcome, type Victim } from "../helpers/tenancy-attempts.ts";
import type { Credential } from "../helpers/requests.ts";

const names = Object.keys(registry) as OperationName[];
const routesOf = (name: OperationName) => everyRoute.filter((each) => each.name === name).map(({ route }) => route);

let victim: Victim;
let attacker: World;
let selections: ReadonlyMap<string, string>;
/** The rows of the victim's organization before an attempt: those after the one before it. */
let untouched: readonly string[];
beforeAll(async () => {
  selections = await selectionsOfRows();
  victim = await newVictim();
  attacker = await newWorld("Attacker");
  await quiet();
  untouched = await victimRows();
  // It is worth attacking: there is something in each table that its owner writes to.
  expect(untouched.length).toBeGreaterThan(25);
});

/** Returns the query of the rows of an organization in each table. */
async function selectionsOfRows(): Promise<ReadonlyMap<string, string>> {
  const selections = new Map<string, string>();
  for (const table of await tables()) {
    // What belongs to people belongs to no organization (test/console/ tries those tables).
    if (table === "assertions" || table === "last_times" || OF_PEOPLE.has(table)) continue;
    // A purge is repeated a minute later, by itself. What a write asks to purge has an event, too.
    if (table === "purges") continue;
    // It has rows only while an organization moves (test/contract/moving.test.ts).
    if (table === "move_changes") continue;
    const { results } = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>();
    const owner = table === "organizations" ? "id" : "organization_id";
    const selection = SELECTIONS[table];
    if (selection === undefined && !results.some(({ name }) => name === owner))
      throw new Error(`${table} does not say whose its rows are: neither can this test`);
    selections.set(table, selection ?? `select * from "${table}" where "${owner}" = ? order by 1, 2`);
  }
  return selections;
}

/** Every row of the victim's organization, in every table, as text. */
async function victimRows(): Promise<string[]> {
  const names = [...selections.keys()];
  const queries = [...selections.values()].map((query) => env.DB.prepare(query).bind(victim.tenant.organizationId));
  const found = await env.DB.batch<Record<string, unknown>>(queries);
  // Its own pinned key calls: when it did so last is noted.
  return found.flatMap(({ results }, index) =>
    results.map((row) => `${names[index]} ${JSON.stringify({ ...row, last_used_time: null })}`),
  );
}

/** Queries of an organization's rows in tables that do not name it. */
const SELECTIONS: Readonly<Record<string, string>> = {
  // The terms of its rows in the full text index, which keeps no texts.
  article_text: `select * from article_text_terms
    where doc in (select search_id from articles where organization_id = ?) order by doc, col, offset, term`,
  imported_articles: `select * from imported_articles where import_id in (select id from imports where organization_id = ?) order by 1, 2`,
  imported_pictures: `select * from imported_pictures where import_id in (select id from imports where organization_id = ?) order by 1, 2`,
  slug_terms: `select * from slug_terms where blog_id in (select id from blogs where organization_id = ?) order by 1, 2, 3, 4`,
  term_articles: `select * from term_articles
    where article_id in (select id from articles where organization_id = ?) order by 1, 2, 3`,
};

const OF_PEOPLE = new Set(["users", "sessions", "accounts", "verifications", "local_mails", "oauth_records"]);

/** Runs attempts and checks that not a byte of the victim's organization has changed by them. */
async function leavingTheVictimAlone(work: () => Promise<void>): Promise<void> {
  const seen = await changes();
  await work();
  // Where nothing was written, nothing follows.
  if ((await changes()) === seen) return;
  await quiet();
  const before = untouched;
  // What one attempt has changed is no failure of the next one.
  untouched = await victimRows();
  if (untouched.join("\n") !== before.join("\n")) expect(untouched).toEqual(before);
}

const isRefusal = (outcome: Outcome): outcome is ErrorCode => outcome in ERRORS;

/** Makes an attempt over every route of its operation; checks what comes of it. */
async function attempt(name: OperationName, [input, outcome]: Attempt, as: Credential): Promise<void> {
  for (const route of routesOf(name)) {
    // What does not match anything must not tell whether there is something to match.
    const blind =
      route.operation.versioned &&
      (outcome === "not_found" || (outcome === "blog_forbidden" && (name === "updateBlog" || name === "updateSite")));
    // On what is created or has no version, If-Match is a refusal of its own (test/contract/conditional.test.ts).
    const existing = route.operation.versioned && (name !== "saveArticle" || "_id" in input);
    let first: object | undefined;
    for (const headers of [{}, ...(existing ? [{ "If-Match": "*" }] : []), ...(blind ? [{ "If-Match": '"x"' }] : [])]) {
      const label = `${name} ${JSON.stringify(input)} ${JSON.stringify(headers)}`;
      const response = await call(route, input, { as, headers });
      const text = await response.clone().text();
      if (text.includes(MARK)) expect(text, label).not.toContain(MARK);
      if (isRefusal(outcome)) {
        await refusalOf(response, outcome);
        if (first === undefined) await expectSameOfUnknown(name, [input, outcome], as, text);
        first ??= told(text);
        expect(told(text), label).toEqual(first);
      } else expectShown(outcome, response.status, text, label);
    }
  }
}

function expectShown(outcome: Exclude<Outcome, ErrorCode>, status: number, text: string, label: string): void {
  expect(status, `${label}: ${text}`).toBe(200);
  switch (outcome) {
    case "empty":
      expect(text, label).toBe("[]");
      break;
    case "published": {
      const items = JSON.parse(text) as { published: boolean }[];
      expect(items.length, label).toBeGreaterThan(0);
      for (const item of items) expect(item.published, label).toBe(true);
      break;
    }
    case "each_not_found":
      for (const item of JSON.parse(text) as object[]) {
        expect(item, label).toMatchObject({ outcome: "refused", code: "not_found" });
      }
      break;
    case "own":
      for (const id of identifiers()) expect(text, label).not.toContain(id);
      break;
    case "public":
      expect(JSON.parse(text), label).not.toHaveProperty("vanityId");
      break;
  }
}

/** What only the victim and those it told may know. */
function identifiers(): Set<string> {
  const { tenant, article, draft, contactId, subscriptionId, marked, vanityId } = victim;
  const { apiKeyId, accessTokenId, memberId, invitationId, topicId, refreshId, deadLetterId, previewId, trashedId } =
    victim;
  const { tagId, otherTagId, authorId, otherAuthorId, deliveredEventId, mediaId, redirectId } = victim;
  const { importId, doneImportId, failedImportId } = victim;
  const ids = [tenant.blogId, article._id, draft._id, contactId, subscriptionId, marked._id, victim.generationId];
  ids.push(apiKeyId, accessTokenId, memberId, invitationId, topicId, refreshId, deadLetterId, previewId, trashedId);
  ids.push(tagId, otherTagId, authorId, otherAuthorId, deliveredEventId, mediaId, redirectId);
  ids.push(importId, doneImportId, failedImportId);
  return new Set([...ids, article.slug, marked.slug, vanityId]);
}

/** What a refusal says, whatever request it answers. */
const told = (body: string): object => ({ ...(JSON.parse(body) as object), requestId: "" });

/** That a refusal reads the same for identifiers that nobody has: nothing can be probed by it. */
async function expectSameOfUnknown(name: OperationName, [input, outcome]: Attempt, as: Credential, text: string) {
  if (outcome === "vanity_id_taken") return;
  const known = identifiers();
  const other = (value: unknown) => (isUuid(String(value)) ? newId() : `unknown-${newId().slice(-12)}`);
  const unknown = Object.fromEntries(
    Object.entries(input).map(([member, value]) => [member, known.has(String(value)) ? other(value) : value]),
  );
  for (const route of routesOf(name)) {
    const response = await call(route, unknown, { as });
    const [ofUnknown, ofKnown] = [told(await response.text()), told(text)];
    if (JSON.stringify(ofUnknown) !== JSON.stringify(ofKnown))
      expect(ofUnknown, `${name} ${JSON.stringify(unknown)}`).toEqual(ofKnown);
  }
}

/** All but the deletion of the caller's own organization, which takes no identifier, and without which nobody could try the rest. */
const tried = names.filter((name) => name !== "deleteOrganization");

describe.each(tried)("%s", (name) => {
  const attempts = (): Attempts => cases[name](victim, attacker);

  it("gives another organization nothing, and changes nothing of its own", async () => {
    const { apiKey, operatorToken } = attacker.tenant;
    const isForOperators = routesOf(name).every((route) => "operatorToken" in reaching(route, attacker));
    await leavingTheVictimAlone(async () => {
      for (const each of attempts().foreign) {
        if (!isForOperators) await attempt(name, each, { apiKey });
        await attempt(name, each, { operatorToken });
      }
    });
  });

  it("keeps a key that is pinned to another blog away", async () => {
    await leavingTheVictimAlone(async () => {
      for (const each of attempts().pinned) await attempt(name, each, { apiKey: victim.pinnedKey });
    });
  });

  it("shows anonymous callers what is published at most", async () => {
    await leavingTheVictimAlone(async () => {
      for (const each of attempts().anonymous) await attempt(name, each, {});
    });
  });

  it("is tried with each identifier that it takes", () => {
    const { foreign } = attempts();
    expect(foreign.length).toBeGreaterThan(0);
    const known = new Set([...identifiers(), victim.tenant.organizationId]);
    const tried = foreign.flatMap(([input]) =>
      Object.entries(input).flatMap(([member, value]) => (known.has(String(value)) ? [member] : [])),
    );
    const taken = Object.keys(registry[name].input.shape).filter((member) => IDENTIFIER.test(member));
    for (const member of taken) expect(tried, `${name}: ${member}`).toContain(member);
  });
});

/** By their names: `_id`, `blogId`, `webhookSubscriptionId` and so on. */
const IDENTIFIER = /^_id$|Id$|^idOrSlug$|^organization$/;

describe("the registry", () => {
  it("has a case here for every operation, and a route", () => {
    expect(Object.keys(cases).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(routesOf(name).length, name).toBeGreaterThan(0);
  });

  it("has the tenant in no input: it is taken from the credential", () => {
    for (const name of names) {
      const members = Object.keys(registry[name].input.shape).filter((member) =>
        /organi[sz]ation|tenant/i.test(member),
      );
      // A subscription shows its organization; sent back, it has to be the same.
      expect(members, name).toEqual(name === "updateWebhookSubscription" ? ["organization"] : []);
    }
  });
});

describe("the victim itself", () => {
  it("sees what the others must not: the attempts were worth it", async () => {
    const input: Input = { idOrSlug: victim.marked._id };
    for (const route of routesOf("getArticle")) {
      const response = await call(route, input, { as: { apiKey: victim.tenant.apiKey } });
      expect(await response.text()).toContain(MARK);
    }
  });
});
