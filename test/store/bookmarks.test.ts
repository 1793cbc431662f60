/** Databases that note bookmarks: where each query goes, and which bookmark is given out. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { ANY_STATE, isBookmark, primaryDatabase, replicaDatabase } from "../../src/store/core/bookmarks.ts";
import { rows, transaction } from "../../src/store/core/sql.ts";

/** What a session of the double does with its queries; the bookmark that it has reached then. */
type Session = { readonly fails?: true; readonly hangs?: true; readonly reaches: string };

/** The real database, whose sessions are these, in this order. `begun` lists where each began. */
function withThese(...sessions: readonly Session[]) {
  const begun: string[] = [];
  const left = [...sessions];
  const withSession = (from: string) => {
    begun.push(from);
    const { fails, hangs, reaches } = left.shift() ?? { reaches: "none is left" };
    const real = env.DB.withSession("first-primary");
    let bookmark: string | null = null;
    const ask = async <T>(query: () => Promise<T>): Promise<T> => {
      if (hangs) await new Promise(() => undefined);
      if (fails) throw new Error("D1_ERROR: no such bookmark");
      bookmark = reaches;
      return query();
    };
    const statement = (prepared: D1PreparedStatement) => ({
      prepared,
      bind: (...values: unknown[]): unknown => statement(prepared.bind(...values)),
      all: () => ask(() => prepared.all()),
    });
    return {
      prepare: (text: string) => statement(real.prepare(text)),
      batch: (all: readonly { readonly prepared: D1PreparedStatement }[]) =>
        ask(() => real.batch(all.map(({ prepared }) => prepared))),
      getBookmark: () => bookmark,
    };
  };
  return { db: { withSession } as unknown as D1Database, begun };
}

const one = sql<{ n: number }>`select 1 as "n"`;

describe("reads with a bookmark", () => {
  it("begin at it, and each later one where the one before it ended", async () => {
    const { db, begun } = withThese({ reaches: "a1-01" }, { reaches: "a1-00" }, { reaches: "a1-02" });
    const reads = replicaDatabase(db, "a0-00");
    expect(reads.bookmark()).toBe("a0-00");
    expect(await rows(reads, one)).toEqual([{ n: 1 }]);
    expect(await transaction(reads, { one, list: [one] })).toMatchObject({ one: [{ n: 1 }] });
    await rows(reads, one);
    expect(begun).toEqual(["a0-00", "a1-01", "a1-01"]);
    expect(reads.bookmark()).toBe("a1-02");
  });

  it("begin anywhere, if any state will do", async () => {
    const { db, begun } = withThese({ reaches: "a1-01" }, { reaches: "a1-01" });
    const reads = replicaDatabase(db, ANY_STATE);
    expect(reads.bookmark()).toBeNull();
    await rows(reads, one);
    await rows(reads, one);
    expect(begun).toEqual(["first-unconstrained", "a1-01"]);
  });

  it.each(["fails", "hangs"])("go on at the primary once a session %s, and give out its bookmark", async (how) => {
    const { db, begun } = withThese({ reaches: "", [how]: true }, { reaches: "a1-00" }, { reaches: "a1-01" });
    // Nobody has given out this bookmark: it is newer than the primary.
    const reads = replicaDatabase(db, "ff-ff");
    expect(await rows(reads, one)).toEqual([{ n: 1 }]);
    expect(reads.bookmark()).toBe("a1-00");
    await rows(reads, one);
    expect(begun).toEqual(["ff-ff", "first-primary", "first-primary"]);
    expect(reads.bookmark()).toBe("a1-01");
  });

  it("fail where the primary does, too", async () => {
    const { db } = withThese({ reaches: "", fails: true }, { reaches: "", fails: true });
    const reads = replicaDatabase(db, "a0-00");
    await expect(rows(reads, one)).rejects.toThrow("no such bookmark");
    expect(reads.bookmark()).toBeNull();
  });
});

describe("writes", () => {
  it("all go to the primary, and give out the newest bookmark", async () => {
    const { db, begun } = withThese({ reaches: "a1-01" }, { reaches: "a1-00" }, { reaches: "a1-02", fails: true });
    const writes = primaryDatabase(db);
    expect(writes.bookmark()).toBeNull();
    await transaction(writes, { one });
    await rows(writes, one);
    await expect(rows(writes, one)).rejects.toThrow("no such bookmark");
    expect(begun).toEqual(Array.from({ length: 3 }, () => "first-primary"));
    expect(writes.bookmark()).toBe("a1-01");
  });

  it("give out no bookmark that would be refused when it comes back", async () => {
    const writes = primaryDatabase(withThese({ reaches: "a bookmark of another form" }).db);
    await rows(writes, one);
    expect(writes.bookmark()).toBeNull();
  });
});

describe("the form of a bookmark", () => {
  it("is that of D1's, here and deployed", async () => {
    const session = env.DB.withSession("first-primary");
    await session.prepare("select 1").run();
    expect(isBookmark(session.getBookmark() ?? "")).toBe(true);
    const documented = "00000085-0000024c-00004c6d-8e611177d83f7fb2f0396d0847be2cc62eaa94debb2f65eae0a58c44c4cf6a74";
    expect(isBookmark(documented)).toBe(true);
  });

  it("is not that of a word which means something else to D1", () => {
    expect(["first-primary", "first-unconstrained", "", " ", "0", "any"].filter(isBookmark)).toEqual([]);
  });
});
