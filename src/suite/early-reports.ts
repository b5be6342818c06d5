import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { ScenarioReport } from '../types/report.ts';
import type { ResolvedRunOptions } from './options.ts';
import { reportScenario } from './report-scenario.ts';
import type { ScenarioCounts } from './run-counts.ts';
import { settlersOf } from './stop-early.ts';

/**
 * Reports of scenarios that passed all their trials, made while a run goes on: what they are made of is still at hand
 * then, and a report takes less room than its counts. Of all others more is told in the end than their counts.
 */
export class EarlyReports {
  private readonly plan: RunPlan;
  private readonly options: ResolvedRunOptions;
  private readonly settlers: ReturnType<typeof settlersOf>;
  private readonly reports: (ScenarioReport | undefined)[];

  constructor(plan: RunPlan, options: ResolvedRunOptions) {
    this.plan = plan;
    this.options = options;
    this.settlers = settlersOf(plan, options);
    this.reports = new Array<ScenarioReport | undefined>(plan.scenarios.length);
  }

  /** True: the scenario is reported. */
  take(scenario: number, counts: ScenarioCounts): boolean {
    const planned = this.plan.scenarios[scenario] as ScenarioPlan;
    if (planned.scenario.contract !== undefined || counts.tally.passed !== planned.trials) return false;
    this.reports[scenario] = reportScenario(planned, counts, {
      settler: this.settlers[scenario],
      options: this.options,
    });
    return true;
  }

  /** Undefined: it was not made. */
  of(scenario: number): ScenarioReport | undefined {
    return this.reports[scenario];
  }
}
