import { formatCount, plural } from '../text/format-number.ts';
import type { WantedErrors } from '../stats/trials-needed.ts';
import type { SuiteName } from '../types/release/origin.ts';
import type { CellNames, Gate, GateDescription, GateScope } from '../types/reports/gate.ts';
import { describeGate } from './describe-gate.ts';
import { asksWhole, isCellOf } from './gate-scope.ts';
import { dependsOnPasses } from './passing-counts.ts';

/** A scenario or a cell of a run, as far as planning goes. */
export interface PlannedScenario {
  readonly name: string;
  readonly trials: number;
  /** Absent: it is no cell. */
  readonly names?: CellNames;
  /** The part of the test material that it belongs to; absent: its file does not say. */
  readonly suite?: SuiteName;
}

/**
 * As `describeGate`, over the scenarios of a run. Where they differ in trials, a gate on every scenario is described for
 * the fewest, and a gate on the suite's passes cannot be; null without a scenario that it is asked of.
 */
export function describePlanned(
  gate: Gate,
  planned: readonly PlannedScenario[],
  wanted: Partial<WantedErrors> | null = {},
): GateDescription | null {
  const { scope } = gate;
  const scenarios = planned.filter((one) => isAsked(scope, one));
  const [first] = scenarios;
  if (first === undefined) return null;
  const [fewest, most] = scenarios.reduce(
    ([low, high], { trials }) => [Math.min(low, trials), Math.max(high, trials)] as const,
    [first.trials, first.trials] as const,
  );
  if (fewest !== most && asksWhole(scope) && dependsOnPasses(gate)) {
    const why = 'scenarios differ in trials, so no chance to pass follows from the pass rate alone';
    const sentences = [`${gate.text}: ${why}.`];
    const unknown = { passing: null, characteristic: [], needed: null };
    return { gate, trials: fewest, scenarios: scenarios.length, ...unknown, sentences };
  }
  const description = describeGate(gate, { trials: fewest, scenarios: scenarios.length }, wanted);
  if (fewest === most || description.characteristic.length === 0) return description;
  const range = `Scenarios have ${formatCount(fewest)} to ${plural(most, 'trial')}; this is for the fewest.`;
  return { ...description, sentences: [...description.sentences, range] };
}

/** True: the gate is asked of the scenario or cell, alone or among others. */
export function isAsked(
  scope: GateScope,
  { name, names, suite }: Pick<PlannedScenario, 'name' | 'names' | 'suite'>,
): boolean {
  if (scope.kind === 'scenario') return scope.name === name;
  if (scope.kind === 'partition') return scope.name === suite;
  return scope.kind !== 'cells' || (names !== undefined && isCellOf(names, scope.names));
}
