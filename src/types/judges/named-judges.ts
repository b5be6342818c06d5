import type { Expected } from '../scenario.ts';

/** The judges that rule on trials by a rubric, each once: those of `judges`, then those of invariants. */
export function namedJudges({ judges = [], invariants }: Expected): readonly string[] {
  const ofRules = (invariants?.list ?? []).flatMap(({ rule }) => (rule.type === 'judge' ? [rule.judge] : []));
  return [...new Set([...judges, ...ofRules])];
}

/** True: a model judges trials, by a rubric, by comparison or claim by claim. */
export function isJudged(expected: Expected): boolean {
  const { prefers, faithful } = expected;
  return namedJudges(expected).length > 0 || prefers !== undefined || faithful?.judge !== undefined;
}

/** What is left of it where no model is asked. */
export function withoutJudges({ judges: _, prefers: __, faithful, invariants, ...others }: Expected): Expected {
  return {
    ...others,
    ...(faithful !== undefined && faithful.judge === undefined && { faithful }),
    ...(invariants !== undefined && {
      invariants: { ...invariants, list: invariants.list.filter(({ rule }) => rule.type !== 'judge') },
    }),
  };
}
