import { showText } from '../show-value.ts';
import type { Rule } from './rule.ts';
import type { InvariantType, RuleOf } from './invariant-type.ts';

/** `completes`: there is an answer, empty or not. Negated: there is none, whatever the reason. */
export const completes: InvariantType<RuleOf<'completes'>> = {
  kind: 'invariant',
  type: 'completes',
  summary: 'There is an answer, empty or not.',
  create: () => COMPLETES,
};

const COMPLETES: Rule = {
  needsAnswer: false,
  onEnding: true,
  expected: true,
  wanted: 'an answer',
  wantedNot: 'no answer',
  holds: ({ text }) => text !== null,
  got: ({ text, problem }) => text ?? problem,
  saw: ({ text, problem }) => (text === null ? `no answer: ${problem ?? 'nothing was said'}` : showText(text)),
};

const NO_POLICY = 'only workflows and sessions have a policy';
const NO_WORKFLOW = 'only workflows have an ending';

/** `policy_denied`: the subject's policy refused something, with `target` as a part of what it said. */
export const policyDenied: InvariantType<RuleOf<'policy_denied'>> = {
  kind: 'invariant',
  type: 'policy_denied',
  summary: 'The policy of the workflow or session denied something.',
  undecided: NO_POLICY,
  create: ({ target }) => policyDeniedRule(target),
};

function policyDeniedRule(target: string | undefined): Rule {
  const part = target ?? '';
  const what = target === undefined ? 'denial by policy' : `denial by policy that names ${showText(part)}`;
  return {
    needs: 'requests',
    needsAnswer: false,
    onEnding: false,
    expected: target ?? true,
    wanted: `a ${what}`,
    wantedNot: `no ${what}`,
    holds: ({ denials }) => denials?.some(({ message }) => message.includes(part)) ?? null,
    got: ({ denials }) => denials?.map(({ message }) => message) ?? null,
    saw: ({ denials }) => {
      if (denials === null) return 'no policy: only workflows and sessions are under one';
      const shown = denials.find(({ message }) => message.includes(part)) ?? denials.at(-1);
      return shown === undefined ? 'no denial' : showText(shown.message);
    },
  };
}

/** `stopped_by`: what made the run end where it did. */
export const stoppedBy: InvariantType<RuleOf<'stopped_by'>> = {
  kind: 'invariant',
  type: 'stopped_by',
  summary: 'This is what ended the workflow.',
  undecided: NO_WORKFLOW,
  create: ({ stop }) => stoppedByRule(stop),
};

function stoppedByRule(stop: string): Rule {
  return {
    needsAnswer: false,
    onEnding: true,
    expected: stop,
    wanted: `a run that ended by ${stop}`,
    wantedNot: `a run that ended by anything but ${stop}`,
    holds: ({ stoppedBy }) => (stoppedBy === null ? null : stoppedBy === stop),
    got: ({ stoppedBy }) => stoppedBy,
    saw: ({ stoppedBy }) => stoppedBy ?? 'no ending: only runs of workflows have one',
  };
}
