import { PasskError } from '../../errors.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import { MAX_TALLY_ROWS } from '../../types/rows/tally-row.ts';
import { totalTrials } from '../plan/plan.ts';

/**
 * The plan with a row kept of each trial, where answers are not enumerated. Throws `USAGE` for more trials than rows can be kept of, and for trials that are
 * counted without being run.
 */
export function withTallyRows(
  plan: RunPlan,
  { dedupe, ledger }: Pick<ResolvedRunOptions, 'dedupe' | 'ledger'>,
  { firstRecords }: { readonly firstRecords?: true } = {},
): RunPlan {
  const trials = totalTrials(plan);
  if (trials > MAX_TALLY_ROWS) {
    throw new PasskError('USAGE', `${trials} trials are more than the ${MAX_TALLY_ROWS} of which a row can be kept.`, {
      hint: 'Run fewer trials of each scenario, or fewer scenarios at a time.',
    });
  }
  if (dedupe) {
    const why = 'a trial that is counted without being run has no row of its own.';
    const what = ledger ? '`ledger` and `dedupe` do not go together' : '`dedupe` leaves out rows that are needed here';
    throw new PasskError('USAGE', `${what}: ${why}`, { hint: `Leave out --dedupe${ledger ? ', or --ledger' : ''}.` });
  }
  return { ...plan, scenarios: plan.scenarios.map((scenario) => withRows(scenario, ledger, firstRecords)) };
}

/** An enumeration has no trials. */
function withRows(scenario: ScenarioPlan, ledger: boolean, firstRecords: true | undefined): ScenarioPlan {
  if (scenario.sampler === 'exhaustive') return scenario;
  return { ...scenario, rows: true, ...(ledger && { ledger: true }), ...(firstRecords === true && { firstRecords }) };
}
