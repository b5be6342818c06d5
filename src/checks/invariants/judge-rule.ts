import { rulingIn, sawUnmet, unmetIn } from '../judge-check.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import type { Rule } from './rule.ts';

/** `judge`: a model has found every criterion of its rubric met, by the whole trial, answered or not. */
export const judged: InvariantType<RuleOf<'judge'>> = {
  kind: 'invariant',
  type: 'judge',
  summary: 'A judge of the configuration finds every criterion met.',
  create: ({ judge }) => judgeRule(judge),
};

function judgeRule(judge: string): Rule {
  return {
    needsAnswer: false,
    onEnding: false,
    expected: true,
    wanted: `every criterion of judge "${judge}" to be met`,
    wantedNot: `a criterion of judge "${judge}" that is not met`,
    holds: ({ rulings }) => rulingIn(rulings, judge).met === true,
    got: ({ rulings }) => unmetIn(rulingIn(rulings, judge)).slice(),
    saw: ({ rulings }) => sawUnmet(rulingIn(rulings, judge)),
  };
}
