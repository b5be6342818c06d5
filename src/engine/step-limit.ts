/** Steps of one walk before it is stopped: visits, retries and repeated requests. */
export const MAX_STEPS = 10_000;
/** Steps of all walks of one trial together: a bound on nested maps, far above what a real workflow does. */
export const MAX_TRIAL_STEPS = 1_000_000;

/** What a step takes besides looking at its values, as `countWork` counts. */
export const STEP_WORK = 32;

/** Why a walk with so many visits and repeats is stopped. */
export function stepLimitText(visits: number, repeats: number): string {
  if (visits + repeats < MAX_STEPS) return `${MAX_TRIAL_STEPS} steps in one trial`;
  if (repeats === 0) return `engine walked ${MAX_STEPS} nodes without reaching a terminal outcome`;
  return `${MAX_STEPS} steps in one walk, of which ${repeats} are retries or repeated requests`;
}
