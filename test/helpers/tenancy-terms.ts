/** The attempts on tags and authors, for tenancy.ts. */
import { all, member, type Attempt, type Attempts, type Cases, type Victim } from "./tenancy-attempts.ts";
import type { World } from "./operations.ts";

export const termCases = {
  ...casesOf("Tag", ({ tagId, otherTagId }) => [tagId, otherTagId]),
  ...casesOf("Author", ({ authorId, otherAuthorId }) => [authorId, otherAuthorId]),
} as Pick<
  Cases,
  `${"list" | "get" | "create" | "update" | "delete" | "merge"}${"Tag" | "Author"}${"" | "s"}` & keyof Cases
>;

function casesOf(kind: "Tag" | "Author", idsOf: (world: World) => readonly [string, string]) {
  const idMember = `${kind.toLowerCase()}Id`;
  const missing = (attempts: readonly object[]): Attempts => {
    const each = attempts.map((input): Attempt => [input as Attempt[0], "not_found"]);
    return member(each, each);
  };
  return {
    [`list${kind}s`]({ tenant: { blogId } }: Victim): Attempts {
      const empty: Attempt[] = [[{ blogId }, "empty"]];
      return { foreign: empty, pinned: all(empty, "blog_forbidden"), anonymous: empty };
    },
    [`get${kind}`]: (victim: Victim) => missing([{ [idMember]: idsOf(victim)[0] }]),
    [`create${kind}`]({ tenant: { blogId } }: Victim): Attempts {
      const attempts: Attempt[] = [[{ blogId, name: "x" }, "blog_forbidden"]];
      return member(attempts, attempts);
    },
    [`update${kind}`](victim: Victim, attacker: World): Attempts {
      const [[mine], [theirs], { blogId }] = [idsOf(attacker), idsOf(victim), victim.tenant];
      const { foreign, pinned } = missing([
        { [idMember]: theirs, name: "x" },
        { [idMember]: theirs, _id: theirs, name: "x" },
        { [idMember]: theirs, _id: mine, name: "x" },
      ]);
      const ofBlog: Attempt[0] = { [idMember]: theirs, blogId, name: "x" };
      const own: Attempt[] = [
        [{ [idMember]: mine, _id: theirs, name: "x" }, "immutable_field"],
        [{ [idMember]: mine, blogId, name: "x" }, "immutable_field"],
      ];
      return member([...foreign, [ofBlog, "not_found"], ...own], [...pinned, [ofBlog, "blog_forbidden"]]);
    },
    [`delete${kind}`]: (victim: Victim) => missing([{ [idMember]: idsOf(victim)[0] }]),
    [`merge${kind}`](victim: Victim, attacker: World): Attempts {
      const [mine, other] = idsOf(attacker);
      const [theirs, another] = idsOf(victim);
      const foreign: Attempt[] = [
        [{ [idMember]: theirs, into: another }, "not_found"],
        [{ [idMember]: theirs, into: mine }, "not_found"],
        [{ [idMember]: mine, into: theirs }, "invalid_request"],
      ];
      const pinned: Attempt[] = [[{ [idMember]: theirs, into: other }, "not_found"]];
      return member(foreign, pinned);
    },
  };
}
