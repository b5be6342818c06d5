import { defectsIn, type Saboteur } from '../saboteur.ts';

/** What must not go wrong in judging contracts, and in what breaks around their subjects. */
export const contractDefects: readonly Saboteur[] = [
  ...defectsIn('checks/invariants/invariant-checks.ts', [
    {
      name: 'invariants that are negated are not',
      find: 'if (holds !== negate) return RULING.judged | struck;',
      replace: 'if (holds) return RULING.judged | struck;',
    },
    {
      name: 'every answer counts as none',
      find: 'rule.needsAnswer && answer.text === null;',
      replace: 'rule.needsAnswer;',
    },
    {
      name: 'rules about faults are judged where no fault struck',
      find: 'if (!answer.isAsked || (kinds !== 0 && (answer.struck & kinds) === 0)) return 0;',
      replace: 'if (!answer.isAsked) return 0;',
    },
  ]),
];
