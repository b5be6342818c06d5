import { PasskError } from '../../errors.ts';
import { ThreadTurns } from '../../pool/thread-turns.ts';
import type { Settler } from '../../gate/settle-scenario.ts';
import type { PartResult, SuiteKind } from '../../suites/suite-kind.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import { mostFailed } from '../../report/words/scenario-outcome.ts';
import {
  failuresOf,
  type JudgedScenario,
  type LoadedScenarioReport,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { FailureDetail, FailureReport } from '../../types/scenarios/failure-report.ts';
import { traceContext } from '../../values/trace-context.ts';
import { foldScenario } from './fold.ts';
import type { CheckPlaces, Place } from '../../types/check-places.ts';
import { standsAlone } from '../gate-targets.ts';
import type { JudgeStandings } from '../judges/fold-judges.ts';
import type { LoadedSuite, SuiteInput } from '../load-suite.ts';
import { loadErrorReport } from '../load-error-report.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { ScenarioCounts } from '../counts/count-checks.ts';
import type { RunResult } from '../runner.ts';
import { recordedTrial } from '../see-trials.ts';
import { settlersOf, stopReport } from '../stop-early.ts';
import { traceCommand } from '../trace-command.ts';

export interface FoldRunInput {
  readonly input: {
    readonly suite: Pick<LoadedSuite, 'loaded' | 'issues' | 'definitions'>;
    readonly kinds: readonly SuiteKind[];
    /** As in `SuiteInput`. */
    readonly seenRoot?: string;
    /** What files ask for that is not run. */
    readonly notRun: readonly string[];
    readonly placesOf: SuiteInput['placesOf'];
  };
  readonly plan: RunPlan;
  readonly run: RunResult;
  readonly options: ResolvedRunOptions;
  /** Whether judges may decide; absent: nobody has calibrated one. */
  readonly standings?: JudgeStandings;
}

/** The reports of the scenarios of a run. */
export interface FoldedScenarios {
  /** A row for each scenario and each file that did not load, in discovery order. */
  readonly reports: readonly ScenarioReport[];
  /** Of the scenarios that are run for definitions, in plan order. */
  readonly parts: readonly PartResult[];
}

/** Finding a place parses its file a second time. */
const MOST_PLACES = 100;

/** The report of each scenario. Looks at nothing but its arguments; lets others have the thread now and then. */
export async function foldScenarios({
  input,
  plan,
  run,
  options,
  standings = new Map(),
}: FoldRunInput): Promise<FoldedScenarios> {
  let next = 0;
  let placed = 0;
  const settlers = settlersOf(plan, options);
  const parts: PartResult[] = [];
  const reports: ScenarioReport[] = [];
  const turns = new ThreadTurns();
  for (const loaded of input.suite.loaded) {
    if (turns.isOver()) await turns.next();
    if (!loaded.ok) {
      reports.push(loadErrorReport(loaded, options));
      continue;
    }
    const index = next++;
    const planned = plan.scenarios[index];
    const result = run.scenarios[index];
    if (planned === undefined || result === undefined) throw new PasskError('INTERNAL', 'A scenario was not planned.');
    const report = reportScenario(planned, result, { settler: settlers[index], options, standings });
    if (planned.scenario.part !== undefined) parts.push(partResult(planned, report, options));
    else if (placed < MOST_PLACES && (report.verdict === 'failed' || report.verdict === 'insufficient')) {
      placed++;
      const at = placeOf(report, input.placesOf(planned));
      reports.push(at === null ? report : { ...report, at });
    } else reports.push(report);
  }
  return { reports, parts };
}

/** Where the file asks for what failed most often, or what broken trials tried; null: nobody knows. */
function placeOf(report: JudgedScenario, places: CheckPlaces | null): Place | null {
  if (places === null) return null;
  const check = mostFailed(report);
  return check === undefined ? places.subject : (places.checks[check] ?? places.subject);
}

/** A scenario's counts as its report, with its lowest failing trials and where it stopped. */
function reportScenario(
  plan: ScenarioPlan,
  { info, tally }: ScenarioCounts,
  {
    settler,
    options,
    standings,
  }: { readonly settler: Settler | null | undefined } & Required<Pick<FoldRunInput, 'options' | 'standings'>>,
): LoadedScenarioReport {
  const stopEarly = stopReport(settler, options, { counts: tally, planned: plan.trials });
  return foldScenario({
    plan,
    info,
    tally,
    failures: tally.shown.map(({ detail }) => failureReport(detail, plan, options)),
    requested: plan.trials,
    seed: options.seed,
    standings,
    // What does not stand alone has no bar of its own.
    ...(standsAlone(plan.scenario) && { floor: options.minPassRate, gates: options.gates }),
    ...(stopEarly !== undefined && { stopEarly }),
  });
}

function failureReport(detail: string, plan: ScenarioPlan, options: ResolvedRunOptions): FailureReport {
  // Written by `failureDetail` in the worker that ran the trial.
  const failure = JSON.parse(detail) as FailureDetail;
  const replay = traceCommand(plan, failure.trial, options);
  const { traceContext: run, cassette } = options;
  if (run === null || plan.traits.repeatable || cassette?.mode === 'replay') return { ...failure, replay };
  return { ...failure, replay, traceContext: traceContext(run, plan.scenario.name, failure.trial) };
}

function partResult(plan: ScenarioPlan, report: LoadedScenarioReport, options: ResolvedRunOptions): PartResult {
  return {
    plan,
    report,
    seen: failuresOf(report).map((failure) => recordedTrial(plan, failure)),
    replay: (trial) => traceCommand(plan, trial, options),
  };
}
