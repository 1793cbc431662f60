/** Decides what adding redirects does: which are new, which change the target of others, and which are refused. */
import { isOwnPage, REDIRECT_LIMITS, type Goal } from "../../domain/redirects.ts";
import { DomainError, invalidField } from "../../domain/errors.ts";

export type Wanted = { readonly source: string; readonly goal: Goal };

export type Stored = Wanted & { readonly id: string; readonly creationTime: string };

/** `overridden`: the site has an article or page at its path, which readers see instead. */
export type Outcome =
  | { readonly kind: "created" | "unchanged"; readonly redirect: Stored; readonly overridden: boolean }
  | { readonly kind: "refused"; readonly error: DomainError };

/** What a plan needs to know. `stored` has the blog's redirects that begin at a source or target of a wanted one. */
export type Known = {
  readonly stored: readonly Stored[];
  readonly articles: ReadonlySet<string>;
  /** Returns the published article that has this path, or had it before. */
  readonly findArticleAt: (key: string) => { readonly id: string; readonly former: boolean } | undefined;
  readonly isPage: (key: string) => boolean;
  readonly used: number;
  readonly now: string;
  readonly newId: () => string;
};

export type Plan = {
  readonly outcomes: readonly Outcome[];
  readonly added: readonly Stored[];
};

/**
 * Returns what adding redirects does, in their order. A redirect to the source of another one gets that one's target,
 * and redirects to the source of a new one get the new one's target. So no redirect leads to the source of another.
 */
export function planRedirects(wanted: readonly (Wanted | DomainError)[], known: Known): Plan {
  const all = new Map(known.stored.map((each) => [each.source, each]));
  const added = new Set<string>();
  const add = ({ source, goal: given }: Wanted): Outcome => {
    const goal = resolveGoal(given, known, all);
    if (goal instanceof DomainError) return { kind: "refused", error: goal };
    if (given.key === source || goal.key === source)
      return { kind: "refused", error: new DomainError("redirect_loop") };
    const found = all.get(source);
    const at = known.findArticleAt(source);
    const overridden = known.isPage(source) || at?.former === false;
    if (found !== undefined) {
      if (isSame(found.goal, goal)) return { kind: "unchanged", redirect: found, overridden };
      return { kind: "refused", error: new DomainError("redirect_exists") };
    }
    if (known.used + added.size >= REDIRECT_LIMITS.redirects) {
      return { kind: "refused", error: new DomainError("redirect_limit") };
    }
    const redirect = { id: known.newId(), source, goal, creationTime: known.now };
    for (const each of all.values()) if (each.goal.key === source) all.set(each.source, { ...each, goal });
    all.set(source, redirect);
    added.add(source);
    return { kind: "created", redirect, overridden };
  };
  const outcomes = wanted.map((each) =>
    each instanceof DomainError ? ({ kind: "refused", error: each } as const) : add(each),
  );
  // A later redirect may have changed the target of an earlier one.
  const toFinalOutcome = (outcome: Outcome): Outcome =>
    outcome.kind === "refused"
      ? outcome
      : { ...outcome, redirect: all.get(outcome.redirect.source) ?? outcome.redirect };
  return { outcomes: outcomes.map(toFinalOutcome), added: [...added].flatMap((source) => all.get(source) ?? []) };
}

/** Returns the final target of a redirect: through another redirect, and to the article that has or had a path. */
function resolveGoal(goal: Goal, known: Known, all: ReadonlyMap<string, Stored>): Goal | DomainError {
  if (goal.articleId !== null) {
    return known.articles.has(goal.articleId)
      ? goal
      : invalidField("articleId", "is no article of the blog", "not_found");
  }
  if (goal.key === null) return goal;
  if (isOwnPage(goal.key)) return { ...goal, key: null };
  const next = all.get(goal.key);
  const article = known.findArticleAt(goal.key);
  // The current article at the path wins over a redirect, which wins over a former article.
  if (article?.former === false || (next === undefined && article !== undefined)) {
    return { articleId: article.id, to: null, key: null };
  }
  return next?.goal ?? goal;
}

const isSame = (one: Goal, other: Goal): boolean => one.articleId === other.articleId && one.to === other.to;
