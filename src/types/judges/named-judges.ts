import type { Expected } from '../scenario.ts';

/** The judges that rule on trials by a rubric, each once: those of `judges`, then those of invariants. */
export function namedJudges({ judges = [], invariants }: Expected): readonly string[] {
  const ofRules = (invariants?.list ?? []).flatMap(({ rule }) => (rule.type === 'judge' ? [rule.judge] : []));
  return [...new Set([...judges, ...ofRules])];
}

/** True: a model judges trials, by a rubric or by comparison. */
export function isJudged(expected: Expected): boolean {
  return namedJudges(expected).length > 0 || expected.prefers !== undefined;
}

/** What is left of it where no model is asked. */
export function withoutJudges({ judges: _, prefers: __, invariants, ...others }: Expected): Expected {
  if (invariants === undefined) return others;
  return {
    ...others,
    invariants: { ...invariants, list: invariants.list.filter(({ rule }) => rule.type !== 'judge') },
  };
}
