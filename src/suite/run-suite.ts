import { identifyPlan } from '../records/plan-digest.ts';
import type { SuiteReport } from '../types/report.ts';
import { withCassette } from '../host/with-cassette.ts';
import { foldRun } from './fold-run.ts';
import { hasNoScenario, judgeBaseline, saveBaseline } from './judge-baseline.ts';
import { makeBaseline } from './make-baseline.ts';
import { makeHistoryRun } from './make-history-run.ts';
import { openHistory } from './open-history.ts';
import { type ResolvedRunOptions, type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import { planWarnings } from './plan-warnings.ts';
import { prepareRun, totalTrials } from './plan.ts';
import { readBaselineFile } from './read-baseline-file.ts';
import { runJournaled } from './run-journaled.ts';
import { createRunner, type Runner } from './runner.ts';

/**
 * Loads scenarios, runs their trials and resolves to the report. Prints nothing, exits nothing, leaves no handle open,
 * and may run several times at once. Rejects with a `PasskError` when it cannot run at all; what subjects do wrong,
 * and the gate's verdict, are in the report.
 */
export async function runSuite(runOptions: RunSuiteOptions = {}): Promise<SuiteReport> {
  const options = resolveRunOptions(await withCassette(runOptions));
  const runner = createRunner(options);
  try {
    return await runOn(runner, options);
  } finally {
    await runner.close();
  }
}

/** The six verbs: load, plan, run, fold; the gate judges in the fold, and reports are made of what this returns. */
export async function runOn(runner: Runner, options: ResolvedRunOptions): Promise<SuiteReport> {
  const { input, plan, rowsOf } = await prepareRun(options);
  const { baseline, saveBaseline: file, history: folder, cwd, seed } = options;
  // Read before the run: a problem is reported at once, and the run may write to the same path later.
  const before = baseline === null ? null : await readBaselineFile(baseline, cwd);
  const history = folder === null ? null : openHistory(folder, { cwd });
  await history?.prepare();
  options.onProgress({
    kind: 'planned',
    scenarios: plan.scenarios.filter(({ scenario }) => scenario.part === undefined).length,
    trials: totalTrials(plan),
    workers: options.workers,
    issues: planWarnings(plan, options),
  });
  const run = await runJournaled(runner, plan, { ...options, rowsOf });
  const { report: folded, cells } = await foldRun({ input, plan, run, options });
  const isCompared = before !== null || file !== null || history !== null;
  const after = isCompared
    ? makeBaseline({
        plan,
        tallies: run.scenarios.map(({ tally }) => tally),
        seed,
        stopsEarly: options.stopEarly !== null,
        plugins: (await identifyPlan(plan, options)).plugins,
      })
    : null;
  const report = await judgeBaseline(folded, { before, after, options });
  options.onProgress({ kind: 'end', report });
  if (after === null || report.partial || hasNoScenario(report, after)) return report;
  if (file !== null) await saveBaseline(after, file, cwd);
  await history?.append(makeHistoryRun({ report, cells, baseline: after }));
  return report;
}
