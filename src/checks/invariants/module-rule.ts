import type { AnswerCheck, CheckedAnswer } from '../../plugin/trial-check.ts';
import { loadedFunction } from '../loaded-function.ts';
import { problemsBy } from '../module-verdict.ts';
import { showText } from '../show-value.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';
import type { JudgedAnswer, Rule } from './rule.ts';

/** `module`: a function of the user finds the answer right. */
export const moduleRule: InvariantType<RuleOf<'module'>> = {
  kind: 'invariant',
  type: 'module',
  summary: 'A function of your own finds the answer right.',
  create: (rule, { modules, asked = null }) => {
    const check = loadedFunction(rule, modules) as AnswerCheck;
    return ruleOf(rule.file, (answer) => check({ ...shownTo(answer), prompt: answer.prompt ?? asked }));
  },
};

function ruleOf(file: string, check: (answer: JudgedAnswer) => unknown): Rule {
  const problemsOf = (answer: JudgedAnswer): readonly string[] => problemsBy(() => check(answer), file);
  return {
    needs: 'requests',
    needsAnswer: true,
    onEnding: false,
    expected: true,
    wanted: 'it to be right',
    wantedNot: 'it to be wrong',
    holds: (answer) => problemsOf(answer).length === 0,
    got: problemsOf,
    saw: (answer) => problemsOf(answer).map(showText).join('; ') || 'it right',
    says: (answer) => problemsOf(answer).join('; '),
  };
}

/** Calls are copied: they are used again for the next trial. */
function shownTo({ text, calls, latencyMs, tokens }: JudgedAnswer): Omit<CheckedAnswer, 'prompt'> {
  // Of a subject that gave no answer nothing is asked.
  return { text: text ?? '', calls: calls?.map((names) => [...names]) ?? null, latencyMs, tokens };
}
