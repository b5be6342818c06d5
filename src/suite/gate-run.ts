import type { ComparedRun } from '../baseline/compared-run.ts';
import { forecast } from '../baseline/forecast.ts';
import { describePlanned } from '../gate/describe-planned.ts';
import { judgesOf } from '../gate/read-judged.ts';
import { judgeSuite } from '../gate/judge-suite.ts';
import { worstVerdict } from '../gate/worst-verdict.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import type { Tally } from '../trial/tally/tally.ts';
import type { Baseline } from '../types/baseline.ts';
import type { DriftReport } from '../types/reports/drift.ts';
import type { RunPlan } from '../types/plan.ts';
import type { GateReport, SuiteReport } from '../types/reports/report.ts';
import { isSampled, type ScenarioReport, suiteOf } from '../types/reports/scenario-report.ts';
import type { FoldedRun } from './fold/fold-results.ts';

export interface GateRunOptions {
  /** What to compare with; null: nothing. */
  readonly before: ComparedRun | null;
  /** This run; null: neither compared nor kept. */
  readonly after: Baseline | null;
  /** What ran. */
  readonly ran: { readonly plan: RunPlan; readonly tallies: readonly Tally[] };
  readonly options: Pick<
    ResolvedRunOptions,
    'minPassRate' | 'gates' | 'minScore' | 'drift' | 'tokenTolerance' | 'driftMargin' | 'driftComparisons' | 'forecast'
  >;
}

/** The report of a run with its verdict: what its bars and gates say, and its drift from a baseline. */
export async function gateRun(
  folded: FoldedRun,
  { before, after, ran, options }: GateRunOptions,
): Promise<SuiteReport> {
  const { live, notices, timing, ...found } = folded.report;
  const bars = judgeBars(folded, options);
  const drift =
    before === null || after === null || saysNothing(folded.report, after)
      ? null
      : await driftOf(before, after, { ran, options });
  const gate =
    drift === null
      ? bars
      : {
          ...bars,
          verdict: worstVerdict([bars.verdict, drift.verdict]),
          reasons: [...bars.reasons, ...drift.reasons],
        };
  return {
    ...found,
    gate,
    ...(live !== undefined && { live }),
    notices,
    ...(drift !== null && { drift }),
    ...(options.forecast !== null && { forecast: forecast(found.scenarios, options.forecast) }),
    timing,
  };
}

/** True: the run says nothing of any scenario or cell, so there is nothing to compare, and nothing to keep for later runs. */
export function saysNothing(
  { scenarios, results }: Pick<SuiteReport, 'scenarios' | 'results'>,
  after: Baseline,
): boolean {
  return scenarios.length === 0 && after.scenarios.length === 0 && results.length > 0;
}

/** True: the run ended before its last trial, by a signal or by `bail`, so its numbers are not those of a whole one. */
export function isCutShort({ partial }: Pick<SuiteReport, 'partial'>, after: Baseline): boolean {
  return partial || after.scenarios.some(({ whole }) => !whole);
}

/** The verdict of bars and gates, with what each gate could tell of the planned trials. */
export function judgeBars(
  { report, cells }: FoldedRun,
  { minPassRate, gates, minScore }: Pick<ResolvedRunOptions, 'minPassRate' | 'gates' | 'minScore'>,
): GateReport {
  const verdict = judgeSuite({ ...report, cells }, { minPassRate, gates, minScore });
  const loaded = report.scenarios.filter(
    // What a gate can tell of tasks depends on how unlike they are, and of judged trials on how wrong the judge is.
    (scenario) =>
      scenario.verdict !== 'load_error' &&
      scenario.sampler !== 'exhaustive' &&
      !hasTasks(scenario) &&
      judgesOf(scenario) === null,
  );
  const planned = [
    ...loaded.map((scenario) => {
      const suite = suiteOf(scenario);
      return { name: scenario.name, trials: scenario.trials.requested, ...(suite !== undefined && { suite }) };
    }),
    ...cells.map((cell) => ({ name: cell.report.name, trials: cell.report.trials.requested, names: cell.names })),
  ];
  const expressions = verdict.expressions.map((judgement) => {
    const description = describePlanned(judgement.gate, planned, null);
    const tells = description !== null && description.characteristic.length > 0 ? description.sentences : [];
    return { ...judgement, tells };
  });
  return { ...verdict, expressions };
}

function hasTasks(scenario: ScenarioReport): boolean {
  return isSampled(scenario) && scenario.recording !== undefined;
}

async function driftOf(
  before: ComparedRun,
  after: Baseline,
  { ran, options }: Pick<GateRunOptions, 'ran' | 'options'>,
): Promise<DriftReport> {
  const { compareRuns } = await import('../baseline/compare-runs.ts');
  const { runOfBaseline } = await import('../baseline/read-baseline.ts');
  const { withFailedTrials } = await import('./history/failed-trials.ts');
  const { drift: rule, tokenTolerance, driftMargin: margin, driftComparisons: comparisons } = options;
  const compared = withFailedTrials(runOfBaseline(after, 'of this run'), ran);
  return compareRuns(before, compared, { rule, tokenTolerance, margin, comparisons });
}
