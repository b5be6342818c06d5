/** Attributes of OpenTelemetry spans that only passk writes and reads. */
export const PASSK_RUN_ID = 'passk.run.id';
export const PASSK_CASE_ID = 'passk.case.id';
export const PASSK_TRIAL_INDEX = 'passk.trial.index';
export const PASSK_TRIAL_VERDICT = 'passk.trial.verdict';
export const PASSK_COST = 'passk.cost.nano_usd';
export const PASSK_UNITS = 'passk.units';
/** Of log records about a release as a whole, and so about no trial. */
export const PASSK_ADVISORY = 'passk.release.advisory';

export const TRIAL_OUTCOMES = ['passed', 'failed', 'broken'] as const;
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];

/** The attribute with the number of trials that ended so. */
export function trialCountKey(outcome: TrialOutcome): string {
  return `passk.trials.${outcome}`;
}
