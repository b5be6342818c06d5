import type { JudgeRuling, Preference } from '../../types/judges/judge.ts';
import type { TrialView } from '../check.ts';
import { type FaithfulWords, faithfulWords } from '../faithful/faithful-check.ts';
import { verifiedWords } from '../faithful/verified-check.ts';
import { preferenceIn, rulingOn, sawPreference, sawUnmet, unmetIn } from '../judge-check.ts';
import type { InvariantType, RuleOf, RuleTools } from './invariant-type.ts';
import type { Rule } from './rule.ts';

/** `judge`: a model has found every criterion of its rubric met, by the whole trial, answered or not. */
export const judged: InvariantType<RuleOf<'judge'>> = {
  kind: 'invariant',
  type: 'judge',
  summary: 'A judge of the configuration finds every criterion met.',
  create: ({ judge }) => judgeRule(judge),
};

/** `prefers`: a model has found the whole trial better than one that ends with another answer, in both orders. */
export const preferred: InvariantType<RuleOf<'prefers'>> = {
  kind: 'invariant',
  type: 'prefers',
  summary: 'A judge that compares prefers the answer to another, in both orders.',
  create: (rule) => prefersRule(rule),
};

/** `faithful`: contexts support what the subject said in the whole trial, as a judge finds or as their facts show. */
export const faithful: InvariantType<RuleOf<'faithful'>> = {
  kind: 'invariant',
  type: 'faithful',
  summary: 'Contexts support what the subject says; a heuristic, where no judge verifies it.',
  comparesFacts: true,
  create: (rule, tools) => faithfulRule(rule, tools),
};

function judgeRule(judge: string): Rule {
  const ruling = ({ trial }: { readonly trial: TrialView }): JudgeRuling => rulingOn(trial, judge);
  return {
    needsAnswer: false,
    onEnding: false,
    expected: true,
    wanted: `every criterion of judge "${judge}" to be met`,
    wantedNot: `a criterion of judge "${judge}" that is not met`,
    holds: (answer) => ruling(answer).met === true,
    got: (answer) => unmetIn(ruling(answer)).slice(),
    saw: (answer) => sawUnmet(ruling(answer)),
  };
}

function prefersRule({ judge }: Preference): Rule {
  return {
    needsAnswer: false,
    onEnding: false,
    expected: true,
    wanted: `judge "${judge}" to prefer the answer to the other`,
    wantedNot: `judge "${judge}" not to prefer the answer to the other`,
    holds: ({ trial }) => preferenceIn(trial, judge) === true,
    got: ({ trial }) => preferenceIn(trial, judge),
    saw: ({ trial }) => sawPreference(trial, judge),
  };
}

function faithfulRule({ type: _, ...expectation }: RuleOf<'faithful'>, tools: RuleTools): Rule {
  const { judge } = expectation;
  const words: FaithfulWords =
    judge === undefined ? faithfulWords(expectation, tools) : verifiedWords(judge, expectation);
  const by = judge === undefined ? ' (heuristic)' : `, as judge "${judge}" finds`;
  return {
    needsAnswer: judge === undefined,
    onEnding: false,
    expected: words.expected,
    wanted: `${words.wanted}${by}`,
    wantedNot: `a claim that no context supports${by}`,
    holds: ({ trial }) => words.holds(trial),
    got: ({ trial }) => words.got(trial),
    saw: ({ trial }) => words.saw(trial),
  };
}
