import type { AnswerCheck, CheckedAnswer } from '../../plugin/trial-check.ts';
import type { JudgingCode } from '../../types/scenarios/code-check.ts';
import { codeName } from '../../types/scenarios/judging-code.ts';
import { problemsBy } from '../code-verdict.ts';
import { loadedFunction } from '../loaded-code.ts';
import { showText } from '../show-value.ts';
import type { InvariantType, RuleOf, RuleTools } from './invariant-type.ts';
import type { JudgedAnswer, Rule } from './rule.ts';

/** `module`: a function of the user finds the answer right. */
export const moduleRule: InvariantType<RuleOf<'module'>> = {
  kind: 'invariant',
  type: 'module',
  summary: 'A function of your own finds the answer right.',
  create: ruleOf,
};

/** `plugin`: a plug-in finds the answer right. */
export const pluginRule: InvariantType<RuleOf<'plugin'>> = {
  kind: 'invariant',
  type: 'plugin',
  summary: 'A plug-in that judges answers finds the answer right.',
  create: ruleOf,
};

/** `function`: a function of the program that made the contract finds the answer right. No file can name one. */
export const functionRule: InvariantType<RuleOf<'function'>> = {
  kind: 'invariant',
  type: 'function',
  summary: 'A function of the program that made the contract finds the answer right.',
  create: ruleOf,
};

function ruleOf(code: JudgingCode, { code: loaded, asked }: RuleTools): Rule {
  const check = loadedFunction(code, loaded) as AnswerCheck;
  const called = codeName(code);
  const problemsOf = (answer: JudgedAnswer): readonly string[] =>
    problemsBy(() => check({ ...shownTo(answer), prompt: answer.prompt ?? asked ?? null }), called);
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
