import { startClock } from '../../pool/start-clock.ts';
import { buildProgram } from '../../trial/build-program.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { sourceOf } from '../../types/subjects.ts';
import type { TrialRow } from '../../types/rows/trial-row.ts';
import { resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import type { RECORDINGS } from '../../settings/rows/recordings.ts';
import { prepareRun } from '../run-suite.ts';
import { trialRow } from './trial-row.ts';

/** Options of `exportTrials()`. */
export interface ExportTrialsOptions
  extends Pick<
    RunSuiteOptions,
    Exclude<keyof typeof RECORDINGS, 'recordings' | 'errors'> | 'cwd' | 'plugins' | 'signal' | 'onProgress'
  > {
  /** Files and folders with recorded runs. */
  readonly recordings: readonly string[];
}

/**
 * Every recorded trial as a row, set by set, in the order of the source: judged as `score` judges it. Memory does not grow
 * with the number of trials. Rejects with `INPUT` where a source cannot be read.
 */
export async function* exportTrials(settings: ExportTrialsOptions): AsyncGenerator<TrialRow, void, undefined> {
  const options = resolveRunOptions(settings);
  const { plan } = await prepareRun(options);
  for (const scenario of plan.scenarios) yield* rowsOf(scenario, plan.plugins, options.signal);
}

async function* rowsOf(
  plan: ScenarioPlan,
  plugins: readonly string[],
  signal: AbortSignal | null,
): AsyncGenerator<TrialRow, void, undefined> {
  const { name, subject } = plan.scenario;
  const format = sourceOf(subject);
  const program = await buildProgram(plan, { plugins, callHost: null, startClock, effects: null });
  try {
    for (let trial = 0; trial < plan.trials && signal?.aborted !== true; trial++) {
      const { result, record } = program.inspectNow(trial, true);
      yield trialRow({ set: name, format, result, record });
    }
  } finally {
    await program.close();
  }
}
