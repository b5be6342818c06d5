import { hasChaos } from '../../../faults/chaos/fault-labels.ts';
import type { Contract } from '../../../types/contract.ts';
import type { Reading } from '../reading.ts';

/**
 * The contracts of a file with recorded sessions, without those whose agent is asked nothing: where a file has no prompts,
 * its rules are there for its sessions.
 */
export function askedContracts(
  contracts: readonly Contract[],
  replays: readonly Contract[],
  { report }: Reading,
): readonly Contract[] {
  if (replays.length === 0) return contracts;
  const isAsked = ({ subject, prompts, invariants }: Contract): boolean =>
    subject.kind !== 'agent' || prompts.length > 0 || invariants.some(({ probes }) => probes.length > 0);
  const unasked = contracts.filter((contract) => !isAsked(contract));
  if (unasked.some(({ matrix }) => matrix.some(hasChaos))) {
    report({
      code: 'ignored_key',
      severity: 'warning',
      message:
        'Nothing is broken: without golden_prompts the agent is asked its recorded sessions alone, without chaos.',
      at: ['replays'],
      part: 'key',
      hint: 'List in golden_prompts what it is asked while something breaks.',
    });
  }
  return [...contracts.filter(isAsked), ...replays];
}
