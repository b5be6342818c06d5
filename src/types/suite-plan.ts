import type { GateDescription } from './gate.ts';

/** The plan's shape as JSON; a change that breaks readers is a new number. */
export const SUITE_PLAN_SCHEMA = 'passk-plan/1';

/** What a run would run, and what its bars and gates could tell. */
export interface SuitePlan {
  readonly schema: typeof SUITE_PLAN_SCHEMA;
  /** Of all scenarios. */
  readonly trials: number;
  /** In the order of discovery; then each contract, whose bar is that of each of its cells. */
  readonly scenarios: readonly PlannedBar[];
  /** Each gate expression, in the order given. */
  readonly gates: readonly GateDescription[];
}

/** A scenario and its bar: the higher of its own and the floor, or that every trial passes. */
export interface PlannedBar {
  readonly name: string;
  readonly file: string;
  readonly trials: number;
  readonly bar: GateDescription;
}
