import { availableParallelism, platform } from 'node:os';
import { PasskError } from '../../errors.ts';
import { ThreadTurns } from '../../pool/thread-turns.ts';
import { liveReport } from '../../intelligence/live/live-counts.ts';
import type { JudgedCell } from '../../gate/read-suite.ts';
import type { Settler } from '../../gate/settle-scenario.ts';
import type { PartResult, SuiteKind } from '../../suites/suite-kind.ts';
import { type Issue, UNREAD_ATTACK } from '../../types/issue.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import type { SuiteResult } from '../../types/reports/report.ts';
import {
  failuresOf,
  isSampled,
  type LoadedScenarioReport,
  type ScenarioReport,
} from '../../types/reports/scenario-report.ts';
import type { FailureDetail, FailureReport } from '../../types/scenarios/failure-report.ts';
import type { TimingReport } from '../../types/reports/timing-report.ts';
import { traceContext } from '../../values/trace-context.ts';
import { VERSION } from '../../version.ts';
import { failurePlace, type Positions } from './failure-place.ts';
import { foldScenario } from './fold.ts';
import { foldSuite, type UnjudgedReport } from './fold-suite.ts';
import { standsAlone } from '../gate-targets.ts';
import { givenUpNotice } from '../given-up-notice.ts';
import { declinedNotices } from '../counts/declined-part.ts';
import { idleRetriesNotice, retriedNotice } from '../counts/retried-notice.ts';
import { replayMissNotice } from '../production/replay-miss-notice.ts';
import type { JudgeStandings } from '../judges/fold-judges.ts';
import { timedLadders } from '../ladders/timed-ladders.ts';
import { liveNotices } from '../live-notices.ts';
import type { LoadedSuite } from '../load-suite.ts';
import { loadErrorReport } from '../load-error-report.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { foldKinds, openKinds, withParts } from '../open-kinds.ts';
import { planWarnings } from '../plan/plan-warnings.ts';
import type { ScenarioCounts } from '../counts/count-checks.ts';
import type { RunResult } from '../runner.ts';
import { recordedTrial, seeTrials } from '../see-trials.ts';
import { recordingNotices } from '../recordings/recording-notices.ts';
import { trajectoryNotices } from '../recordings/trajectory-notices.ts';
import { settlersOf, stopNotices, stopReport } from '../stop-early.ts';
import { traceCommand } from '../trace-command.ts';

export interface FoldRunInput {
  readonly input: {
    readonly suite: Pick<LoadedSuite, 'loaded' | 'issues' | 'definitions'>;
    readonly kinds: readonly SuiteKind[];
    /** As in `SuiteInput`. */
    readonly seenRoot?: string;
    /** What files ask for that is not run. */
    readonly notRun: readonly string[];
    readonly positionsOf: (file: string) => Positions;
  };
  readonly plan: RunPlan;
  readonly run: RunResult;
  readonly options: ResolvedRunOptions;
  /** Whether judges may decide; absent: nobody has calibrated one. */
  readonly standings?: JudgeStandings;
}

/** The reports of the scenarios of a run. */
interface FoldedScenarios {
  /** A row for each scenario and each file that did not load, in discovery order. */
  readonly reports: readonly ScenarioReport[];
  /** Of the scenarios that are run for definitions, in plan order. */
  readonly parts: readonly PartResult[];
}

/** The report of each scenario. Looks at nothing but its arguments; lets others have the thread now and then. */
async function foldScenarios({
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
    else if (placed < MOST_PLACES && report.verdict === 'failed') {
      placed++;
      const at = failurePlace({
        report,
        expected: planned.scenario.expected,
        checks: result.info.checks,
        positions: input.positionsOf(report.file),
      });
      reports.push(at === null ? report : { ...report, at });
    } else reports.push(report);
  }
  return { reports, parts };
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

/** The result of a fold. */
export interface FoldedRun {
  readonly report: UnjudgedReport;
  /** Cells of matrices, which the report holds as parts of results, in plan order. Gates look at them as at scenarios. */
  readonly cells: readonly JudgedCell[];
}

/**
 * What a run gave. Before it is folded, trials that definitions want to see are run again: this is the only step
 * that runs anything.
 */
export async function foldRun(outcome: FoldRunInput): Promise<FoldedRun> {
  const { input, plan, run, options } = outcome;
  const { kinds, suite, notRun } = input;
  const { reports, parts: blind } = await foldScenarios(outcome);
  for (const report of reports) if (report.verdict !== 'load_error') options.onProgress({ kind: 'scenario', report });
  const { definitions } = suite;
  const opened = await openKinds({ kinds, definitions, parts: blind });
  const requests = opened.flatMap((kind) => kind.verbs.wants(kind.definitions, kind.parts));
  const { parts, notices: unseen } = await seeTrials(blind, requests, options);
  const folded = foldKinds(withParts(opened, parts), { agents: run.agents ?? {}, notRun });
  // Every kind in the list has its results in that type.
  const results = folded.results as readonly SuiteResult[];
  for (const report of results) options.onProgress({ kind: 'result', report });
  const live = run.live === null ? null : liveReport(run.live);
  const all = [...reports, ...parts.map(({ report }) => report)];
  const cells = parts.flatMap(({ plan: { scenario }, report }) => {
    const names = scenario.part?.names;
    return names === undefined ? [] : [{ report, names }];
  });
  const report = foldSuite({
    reports,
    results,
    ...(folded.overall !== undefined && { overall: folded.overall }),
    generated: definitions.filter((one) => one.kind === 'generated'),
    seed: options.seed,
    partial: run.partial,
    live,
    notices: [
      ...givenUpNotice(all.filter(isSampled)),
      ...replayMissNotice(all.filter(isSampled)),
      ...retriedNotice(all.filter(isSampled)),
      ...idleRetriesNotice(options),
      ...declinedNotices(all.filter(isSampled)),
      ...suite.issues.filter((issue) => issue.severity === 'warning' && concernsRun(issue, options)),
      ...planWarnings(plan, options),
      ...stopNotices(reports, options),
      ...recordingNotices(reports, options),
      ...trajectoryNotices(plan.scenarios.map(({ scenario }) => scenario)),
      ...opened.flatMap((kind) => (kind.parts.length === 0 ? [] : kind.verbs.notices(kind.definitions, options))),
      ...unseen,
      ...run.notices,
      ...(live === null ? [] : liveNotices(live)),
    ],
    version: VERSION,
    timing: {
      ...(input.seenRoot !== undefined && { root: input.seenRoot }),
      ...timingOf(run, all, plan, options),
    },
  });
  return { report, cells };
}

/** A model that is asked reads what written turns do not. */
function concernsRun({ code }: Issue, { live }: ResolvedRunOptions): boolean {
  return !live || code !== UNREAD_ATTACK;
}

/** Finding a place parses its file a second time. */
const MOST_PLACES = 100;

function executorOf(
  { usedWorkers, queue }: RunResult,
  options: ResolvedRunOptions,
): Pick<TimingReport, 'workers' | 'executor' | 'queue'> {
  if (queue !== null) {
    return { workers: queue.reduce((sum, { workers }) => sum + Math.max(1, workers), 0), executor: 'queue', queue };
  }
  return usedWorkers
    ? { workers: Math.max(1, options.workers), executor: 'workers' }
    : { workers: 0, executor: 'inline' };
}

function timingOf(
  run: RunResult,
  reports: readonly ScenarioReport[],
  { scenarios }: RunPlan,
  options: ResolvedRunOptions,
): TimingReport {
  const executed = reports.reduce((sum, report) => sum + report.trials.executed, 0);
  const { durationMs } = run;
  const { cassette } = options;
  const ladders = timedLadders(scenarios, { reports, spans: run.spans ?? new Map() });
  const isolates = scenarios.some(({ userCode, effects }) => userCode || effects !== undefined);
  return {
    startedAt: run.startedAt.toISOString(),
    durationMs,
    trialsPerSecond: durationMs > 0 ? (executed / durationMs) * 1000 : null,
    ...executorOf(run, options),
    ...(isolates && options.isolation === 'process' && { isolation: options.isolation }),
    ...(cassette !== null && { cassette: { mode: cassette.mode, name: cassette.name } }),
    ...(ladders.length > 0 && { ladders }),
    host: { platform: platform(), cores: availableParallelism(), node: process.version },
  };
}
