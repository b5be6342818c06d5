import type { SuiteReport } from '../types/report.ts';
import { foldRun } from './fold-run.ts';
import { type ResolvedRunOptions, type RunSuiteOptions, resolveRunOptions } from './options.ts';
import { prepareRun, totalTrials } from './prepare-run.ts';
import { runJournaled } from './run-journaled.ts';
import { createRunner, type Runner } from './runner.ts';

/**
 * Loads scenarios, runs their trials and resolves to the report. Prints nothing, exits nothing, leaves no handle open,
 * and may run several times at once. Rejects with a `PasskError` when it cannot run at all; what subjects do wrong,
 * and the gate's verdict, are in the report.
 */
export async function runSuite(given: RunSuiteOptions = {}): Promise<SuiteReport> {
  const options = resolveRunOptions(given);
  const runner = createRunner(options);
  try {
    return await runOn(runner, options);
  } finally {
    await runner.close();
  }
}

/** The six verbs: load, plan, run, fold; the gate judges in the fold, and reports are made of what this returns. */
export async function runOn(runner: Runner, options: ResolvedRunOptions): Promise<SuiteReport> {
  const { input, plan } = await prepareRun(options);
  options.onProgress({
    kind: 'planned',
    scenarios: plan.scenarios.length,
    trials: totalTrials(plan),
    workers: options.workers,
  });
  const run = await runJournaled(runner, plan, options);
  const report = foldRun({ input, plan, run, options });
  options.onProgress({ kind: 'end', report });
  return report;
}
