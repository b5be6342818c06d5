import { PasskError } from '../errors.ts';
import { barGate, describeGate } from '../gate/describe-gate.ts';
import { describePlanned } from '../gate/describe-planned.ts';
import type { WantedErrors } from '../stats/trials-needed.ts';
import type { GateDescription } from '../types/gate.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { type PlannedBar, SUITE_PLAN_SCHEMA, type SuitePlan } from '../types/suite-plan.ts';
import { type RunSuiteOptions, resolveRunOptions } from './options.ts';
import { prepareRun, totalTrials } from './prepare-run.ts';

/** As for a run, with the errors that the number of trials is to keep. */
export interface PlanSuiteOptions extends RunSuiteOptions {
  /** Highest chance that a workflow which should not pass does; default 0.05. */
  readonly falsePass?: number;
  /** Highest chance that a workflow which should pass does not; default 0.05. */
  readonly falseFail?: number;
}

type Wanted = Partial<Pick<WantedErrors, 'falsePass' | 'falseFail'>>;

/**
 * Loads scenarios and says, without running anything, what each bar and gate could tell of the planned trials and how
 * many trials the wanted errors need. Rejects as `runSuite` does.
 */
export async function planSuite(given: PlanSuiteOptions = {}): Promise<SuitePlan> {
  const { falsePass, falseFail, ...runOptions } = given;
  const wanted = wantedErrors({ falsePass, falseFail });
  const options = resolveRunOptions(runOptions);
  const { plan } = await prepareRun(options);
  const sampled = plan.scenarios.filter(({ sampler }) => sampler !== 'exhaustive');
  const planned = sampled.map(({ scenario: { name }, trials }) => ({ name, trials }));
  return {
    schema: SUITE_PLAN_SCHEMA,
    trials: totalTrials({ ...plan, scenarios: sampled }),
    scenarios: plannedBars(plan.scenarios, options.minPassRate, wanted),
    gates: options.gates.flatMap((gate) => describePlanned(gate, planned, wanted) ?? []),
  };
}

function plannedBars(plans: readonly ScenarioPlan[], floor: number | null, wanted: Wanted): readonly PlannedBar[] {
  // Many scenarios share bar and trials, and the trials needed take a while to find.
  const known = new Map<string, GateDescription>();
  return plans.map(({ scenario: { name, file, minPassRate: own }, trials, sampler }) => {
    const bar = own === null ? null : Math.max(own, floor ?? 0);
    if (sampler === 'exhaustive') return exactBar(name, file, bar);
    const key = `${bar} ${trials}`;
    // Its own bar is a matter of one scenario, whatever the others do.
    const gate = { ...barGate(bar), scope: { kind: 'scenario', name } } as const;
    const description = known.get(key) ?? describeGate(gate, { trials }, wanted);
    known.set(key, description);
    return { name, file, trials, bar: { ...description, gate } };
  });
}

/** Nothing is left to chance where answers are enumerated. */
function exactBar(name: string, file: string, bar: number | null): PlannedBar {
  const gate = { ...barGate(bar), metric: 'exact.pass_rate', scope: { kind: 'scenario', name } } as const;
  const sentences = [`${gate.text}: answers are enumerated, so the pass rate is exact and the verdict without error.`];
  const bars = { gate, trials: 0, scenarios: 1, passing: null, characteristic: [], needed: null, sentences };
  return { name, file, trials: 0, bar: bars };
}

function wantedErrors(given: { readonly [error in keyof Wanted]: number | undefined }): Wanted {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const bad = entries.filter(([, value]) => !(typeof value === 'number' && value > 0 && value < 1));
  if (bad.length === 0) return Object.fromEntries(entries);
  const message = bad.map(([name, value]) => `\`${name}\` must be between 0 and 1, got ${String(value)}.`).join(' ');
  throw new PasskError('USAGE', message, { hint: 'Give the highest chance of that error, such as 0.05.' });
}
