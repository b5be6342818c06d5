import type { FaithfulExpectation } from '../faithfulness/faithful-expectation.ts';
import type { InvariantRule } from '../invariant.ts';
import type { Expected } from '../scenarios/expected.ts';
import type { Preference } from './judge.ts';

/** Contexts that a judge verifies claims against. */
export type Verification = FaithfulExpectation & Required<Pick<FaithfulExpectation, 'judge'>>;

/** The judge that decides a rule; null: none does. */
export function judgeOfRule(rule: InvariantRule): string | null {
  if (rule.type === 'judge' || rule.type === 'prefers') return rule.judge;
  return rule.type === 'faithful' ? (rule.judge ?? null) : null;
}

/** The judges that rule on trials by a rubric, each once: those of `judges`, then those of invariants. */
export function namedJudges(expected: Expected): readonly string[] {
  const ofRules = rulesOf(expected).flatMap((rule) => (rule.type === 'judge' ? [rule.judge] : []));
  return [...new Set([...(expected.judges ?? []), ...ofRules])];
}

/** What is compared with: by `prefers`, then by invariants. */
export function preferencesOf(expected: Expected): readonly Preference[] {
  const ofRules = rulesOf(expected).flatMap((rule) => {
    if (rule.type !== 'prefers') return [];
    const { type: _, ...preference } = rule;
    return [preference];
  });
  return distinct([...(expected.prefers ?? []), ...ofRules]);
}

/** What judges verify: by `faithful`, then by invariants. */
export function verificationsOf(expected: Expected): readonly Verification[] {
  const ofRules = rulesOf(expected).flatMap((rule) => {
    if (rule.type !== 'faithful') return [];
    const { type: _, ...faithful } = rule;
    return [faithful];
  });
  const all = [...(expected.faithful === undefined ? [] : [expected.faithful]), ...ofRules];
  return distinct(all.flatMap((one) => (one.judge === undefined ? [] : [{ ...one, judge: one.judge }])));
}

/** True: a model judges trials, by a rubric, by comparison or claim by claim. */
export function isJudged(expected: Expected): boolean {
  return [namedJudges, preferencesOf, verificationsOf].some((listOf) => listOf(expected).length > 0);
}

/** True: trials are judged by the support check, which compares facts and no meanings. */
export function isHeuristic(expected: Expected): boolean {
  const { faithful } = expected;
  const isGuessed = (one: { readonly judge?: string }): boolean => one.judge === undefined;
  return (
    (faithful !== undefined && isGuessed(faithful)) ||
    rulesOf(expected).some((rule) => rule.type === 'faithful' && isGuessed(rule))
  );
}

/** What is left of it where no model is asked. */
export function withoutJudges({ judges: _, prefers: __, faithful, invariants, ...others }: Expected): Expected {
  return {
    ...others,
    ...(faithful !== undefined && faithful.judge === undefined && { faithful }),
    ...(invariants !== undefined && {
      invariants: { ...invariants, list: invariants.list.filter(({ rule }) => judgeOfRule(rule) === null) },
    }),
  };
}

/** The expectation with the share of claims that the judge asks for, wherever it verifies. */
export function withMinScore(expected: Expected, judge: string, minScore: number): Expected {
  const { faithful, invariants } = expected;
  return {
    ...expected,
    ...(faithful?.judge === judge && { faithful: { ...faithful, minScore } }),
    ...(invariants !== undefined && {
      invariants: {
        ...invariants,
        list: invariants.list.map((one) =>
          one.rule.type === 'faithful' && one.rule.judge === judge ? { ...one, rule: { ...one.rule, minScore } } : one,
        ),
      },
    }),
  };
}

function rulesOf({ invariants }: Expected): readonly InvariantRule[] {
  return (invariants?.list ?? []).map(({ rule }) => rule);
}

/** Each once. All were read from tables with the same keys, in the same order. */
function distinct<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}
