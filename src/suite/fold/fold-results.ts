import { availableParallelism, platform } from 'node:os';
import { liveReport } from '../../intelligence/live/live-counts.ts';
import { trialTotals } from '../../gate/read-scenario.ts';
import type { JudgedCell } from '../../gate/read-suite.ts';
import { type Issue, UNREAD_ATTACK } from '../../types/issue.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { SuiteResult } from '../../types/reports/report.ts';
import { isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import type { TimingReport } from '../../types/reports/timing-report.ts';
import { VERSION } from '../../version.ts';
import { foldSuite, type UnjudgedReport } from './fold-suite.ts';
import { givenUpNotice } from '../given-up-notice.ts';
import { declinedNotices } from '../counts/declined-part.ts';
import { oddAnswersNotices } from '../counts/odd-answers-notices.ts';
import { silentTrialsNotice } from '../counts/silent-trials-notice.ts';
import { idleRetriesNotice, retriedNotice } from '../counts/retried-notice.ts';
import { replayMissNotice } from '../production/replay-miss-notice.ts';
import { timedLadders } from '../ladders/timed-ladders.ts';
import { liveNotices } from '../live-notices.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { foldKinds, openKinds } from '../open-kinds.ts';
import { planWarnings } from '../plan/plan-warnings.ts';
import type { RunResult } from '../runner.ts';
import type { SeenParts } from '../see-trials.ts';
import { recordingNotices } from '../recordings/recording-notices.ts';
import { trajectoryNotices } from '../recordings/trajectory-notices.ts';
import { stopNotices } from '../stop-early.ts';
import type { FoldedScenarios, FoldRunInput } from './fold-scenarios.ts';

/** The result of a fold. */
export interface FoldedRun {
  readonly report: UnjudgedReport;
  /** Cells of matrices, which the report holds as parts of results, in plan order. Gates look at them as at scenarios. */
  readonly cells: readonly JudgedCell[];
}

/** What a run gave, made of its scenarios' reports and what was seen of their trials. Runs nothing, and reads no file. */
export async function foldResults(
  { input, plan, run, options }: FoldRunInput,
  { reports }: FoldedScenarios,
  { parts, notices: unseen }: SeenParts,
): Promise<FoldedRun> {
  const { kinds, suite, notRun } = input;
  for (const report of reports) if (report.verdict !== 'load_error') options.onProgress({ kind: 'scenario', report });
  const { definitions } = suite;
  const opened = await openKinds({ kinds, definitions, parts });
  const folded = foldKinds(opened, { agents: run.agents ?? {}, notRun });
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
    partial: run.partial || all.some(isCut),
    live,
    notices: [
      ...givenUpNotice(all.filter(isSampled)),
      ...replayMissNotice(all.filter(isSampled)),
      ...retriedNotice(all.filter(isSampled)),
      ...idleRetriesNotice(options),
      ...declinedNotices(all.filter(isSampled)),
      ...oddAnswersNotices(all.filter(isSampled)),
      ...silentTrialsNotice(all.filter(isSampled)),
      ...suite.issues.filter((issue) => issue.severity === 'warning' && concernsRun(issue, options)),
      ...planWarnings(plan, options),
      ...stopNotices(reports, options),
      ...recordingNotices(reports, options),
      ...trajectoryNotices(plan.scenarios.map(({ scenario }) => scenario)),
      ...opened.flatMap((kind) =>
        kind.parts.length === 0 ? [] : kind.verbs.notices(kind.definitions, options, kind.parts),
      ),
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

/** True: `bail` ended the run before all trials of a scenario. One that stops early has told what it was to tell. */
function isCut(report: ScenarioReport): boolean {
  if (report.verdict === 'load_error') return false;
  return (!isSampled(report) || report.stopEarly === undefined) && trialTotals(report).missing > 0;
}
