import type { TrialRecord } from '../../types/record.ts';

/** Labels of the declared faults that fired in a trial. */
export function firedFaults({ struck }: TrialRecord): readonly string[] {
  return (struck ?? []).flatMap(({ fault, fired }) => (fired > 0 ? [fault] : []));
}
