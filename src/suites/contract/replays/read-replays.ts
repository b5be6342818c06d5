import { takesBaseline } from '../../../checks/invariants/builtin.ts';
import type { Contract } from '../../../types/contract.ts';
import type { ReplayedSession } from '../../../types/replays/replayed-session.ts';
import { groupBy } from '../../../values/group-by.ts';
import { NO_CHAOS } from '../read-chaos.ts';
import type { Reading } from '../reading.ts';
import type { LoadedSession } from './loaded-session.ts';

/**
 * The contracts of recorded sessions: for each contract that they are held to one, with a column for each session. Rules that
 * ask probes of their own are left out, and those that compare with an answer of today. `own`: the contract of the file.
 */
export function readReplays(
  sessions: readonly LoadedSession[],
  { own, name: ownName }: { readonly own: Contract; readonly name: string },
  { report }: Reading,
): readonly Contract[] {
  const groups = groupBy(sessions, ({ rules }) => rules?.name ?? ownName);
  return [...groups].map(([name, group]): Contract => {
    const rules = group[0]?.rules?.invariants ?? own.invariants;
    const invariants = rules.filter(({ probes, rule }) => probes.length === 0 && !takesBaseline(rule));
    if (invariants.length === 0) {
      report({
        code: 'asserts_nothing',
        message: `The contract "${name}" has no invariant that can be judged on a recorded session.`,
        at: ['replays'],
        part: 'key',
        hint: 'Rules with probes and those that compare with an answer of today are not.',
      });
    }
    const { mutations: _, description: __, ...shared } = own;
    return {
      ...shared,
      name: `${name} (replay)`,
      phase: 'replay',
      invariants,
      matrix: group.map(({ id, recorded }) => ({ name: id, ...NO_CHAOS, ...(recorded !== null && { recorded }) })),
      prompts: group.map(({ input }) => input),
      minScore: null,
      sessions: group.map(plain),
    };
  });
}

function plain({ id, name, source, input, expectedFailure }: LoadedSession): ReplayedSession {
  return { id, name, source, input, expectedFailure };
}
