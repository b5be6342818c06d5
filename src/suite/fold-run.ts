import { availableParallelism, platform } from 'node:os';
import { PasskError } from '../errors.ts';
import { ThreadTurns } from '../pool/thread-turns.ts';
import { liveReport } from '../intelligence/live/live-counts.ts';
import { scenarioPositions } from '../scenario/scenario-positions.ts';
import { UNREAD_ATTACK } from '../suites/contract/check-attacks.ts';
import type { Issue } from '../types/issue.ts';
import type { RunPlan } from '../types/plan.ts';
import type { ScenarioReport, SuiteReport } from '../types/report.ts';
import type { TimingReport } from '../types/timing-report.ts';
import { VERSION } from '../version.ts';
import { contractNotices } from './contract-notices.ts';
import { failurePlace, type Positions } from './failure-place.ts';
import { foldParts } from './fold-parts.ts';
import { foldSuite } from './fold-suite.ts';
import { givenUpNotice } from './given-up-notice.ts';
import { liveNotices } from './live-notices.ts';
import type { LoadedSuite } from './load-suite.ts';
import { loadErrorReport } from './load-error-report.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { planWarnings } from './plan-warnings.ts';
import { reportScenario } from './report-scenario.ts';
import type { RunResult } from './runner.ts';
import { settlersOf, stopNotices } from './stop-early.ts';

export interface FoldRunInput {
  readonly input: {
    readonly suite: Pick<LoadedSuite, 'loaded' | 'issues' | 'contracts'>;
    readonly root: string;
    /** As in `SuiteInput`. */
    readonly seenRoot?: string;
    /** What contract files ask for that is not run. */
    readonly notRun: readonly string[];
  };
  readonly plan: RunPlan;
  readonly run: RunResult;
  readonly options: ResolvedRunOptions;
  /** Where the parts of a scenario's file stand; absent: the file is read again. */
  readonly positionsOf?: (file: string) => Positions;
}

/**
 * The whole report of a run: a row for each scenario and each file that did not load, in discovery order, and the
 * contracts. Disobeying trials of contracts are run again for their answers.
 */
export async function foldRun({ input, plan, run, options, positionsOf }: FoldRunInput): Promise<SuiteReport> {
  const positions = positionsOf ?? ((file: string) => scenarioPositions(file, { root: input.root }));
  const live = run.live === null ? null : liveReport(run.live);
  let next = 0;
  let placed = 0;
  const settlers = settlersOf(plan, options);
  const parts = new Map<number, ScenarioReport>();
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
    const report = reportScenario(planned, result, { settler: settlers[index], options });
    if (planned.scenario.part !== undefined) parts.set(index, report);
    else if (placed < MOST_PLACES && hasFailed(report)) {
      placed++;
      const at = failurePlace({
        report,
        expected: planned.scenario.expected,
        checks: result.info.checks,
        positions: positions(report.file),
      });
      reports.push(at === null ? report : { ...report, at });
    } else reports.push(report);
  }
  for (const report of reports) if (report.verdict !== 'load_error') options.onProgress({ kind: 'scenario', report });
  const { contracts, notices } = await foldParts({
    contracts: input.suite.contracts,
    notRun: input.notRun,
    plan,
    reports: parts,
    agents: run.agents ?? {},
    options,
  });
  for (const report of contracts?.contracts ?? []) options.onProgress({ kind: 'contract', report });
  return foldSuite({
    reports,
    contracts,
    seed: options.seed,
    partial: run.partial,
    live,
    notices: [
      ...givenUpNotice([...reports, ...parts.values()]),
      ...input.suite.issues.filter((issue) => issue.severity === 'warning' && concernsRun(issue, options)),
      ...planWarnings(plan, options),
      ...stopNotices(reports, options),
      ...(parts.size > 0 ? contractNotices(options, input.suite.contracts) : []),
      ...notices,
      ...run.notices,
      ...(live === null ? [] : liveNotices(live)),
    ],
    gate: { minPassRate: options.minPassRate, gates: options.gates, minScore: options.minScore },
    version: VERSION,
    timing: {
      ...(input.seenRoot !== undefined && { root: input.seenRoot }),
      ...timingOf(run, [...reports, ...parts.values()], plan, options),
    },
  });
}

/** A model that is asked reads what written turns do not. */
function concernsRun({ code }: Issue, { live }: ResolvedRunOptions): boolean {
  return !live || code !== UNREAD_ATTACK;
}

/** False for what has not run either. */
function hasFailed({ verdict, trials, exact }: ScenarioReport): boolean {
  return verdict === 'failed' && (trials.executed > 0 || exact !== undefined);
}

/** Finding a place reads its file a second time. */
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
  const isolates = scenarios.some(({ userCode, effects }) => userCode || effects !== undefined);
  return {
    startedAt: run.startedAt.toISOString(),
    durationMs,
    trialsPerSecond: durationMs > 0 ? (executed / durationMs) * 1000 : null,
    ...executorOf(run, options),
    ...(isolates && options.isolation === 'process' && { isolation: options.isolation }),
    ...(cassette !== null && { cassette: { mode: cassette.mode, name: cassette.name } }),
    host: { platform: platform(), cores: availableParallelism(), node: process.version },
  };
}
