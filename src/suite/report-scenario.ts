import type { Settler } from '../gate/settle-scenario.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { FailureDetail, FailureReport, LoadedScenarioReport } from '../types/scenario-report.ts';
import { foldScenario } from './fold.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import type { ScenarioCounts } from './run-counts.ts';
import { stopReport } from './stop-early.ts';
import { traceCommand } from './trace-command.ts';

/** A scenario's counts as its report, with its lowest failing trials and where it stopped. */
export function reportScenario(
  plan: ScenarioPlan,
  { info, tally }: ScenarioCounts,
  { settler, options }: { readonly settler: Settler | null | undefined; readonly options: ResolvedRunOptions },
): LoadedScenarioReport {
  const stopEarly = stopReport(settler, options, { counts: tally, planned: plan.trials });
  return foldScenario({
    plan,
    info,
    tally,
    failures: tally.shown.map(({ detail }) => failureReport(detail, plan, options)),
    requested: plan.trials,
    seed: options.seed,
    // A part of something else has no bar of its own.
    ...(plan.scenario.part === undefined && { floor: options.minPassRate }),
    ...(stopEarly !== undefined && { stopEarly }),
  });
}

function failureReport(detail: string, plan: ScenarioPlan, options: ResolvedRunOptions): FailureReport {
  // Written by `failureDetail` in the worker that ran the trial.
  const failure = JSON.parse(detail) as FailureDetail;
  return { ...failure, replay: traceCommand(plan, failure.trial, options) };
}
