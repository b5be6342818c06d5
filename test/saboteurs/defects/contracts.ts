import { defectsIn, type Saboteur } from '../saboteur.ts';

/** What must not go wrong in judging contracts, and in what breaks around their subjects. */
export const contractDefects: readonly Saboteur[] = [
  ...defectsIn('checks/invariants/invariant-checks.ts', [
    {
      name: 'invariants that are negated are not',
      find: 'return holds !== null && holds !== negate;',
      replace: 'return holds !== null && holds;',
    },
    {
      name: 'what cannot be seen is a rule that does not hold',
      find: 'if (rule.onAnswer && given.text === null) return false;',
      replace: 'if (rule.onAnswer) return false;',
    },
  ]),
];
