import type { Traits } from '../../src/types/plan.ts';

/** Those of a built-in scenario whose answers all come from the plan. */
export const SYNC: Traits = { sync: true, repeatable: true, place: 'here', orderGroup: null, longestMs: 30_000 };

/** Those of one whose trials wait for the outside world. */
export const WAITING: Traits = { ...SYNC, sync: false, repeatable: false, place: 'worker' };
