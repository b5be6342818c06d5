import type { ComparedRun } from '../../baseline/compared-run.ts';
import { identifyPlan } from '../../records/plan-digest.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import type { Baseline } from '../../types/baseline.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { RunResult } from '../runner.ts';
import { type KeepRunInput, keepRun } from './keep-run.ts';
import { makeBaseline } from './make-baseline.ts';
import { openHistory } from './open-history.ts';
import { readBaselineFile } from './read-baseline-file.ts';

/** Other runs of a suite, from the side of one that begins. */
export interface OtherRuns {
  /** The run to compare with; null: none. */
  readonly before: ComparedRun | null;
  /** What ran, in the form in which runs are compared and kept. */
  baselineOf(plan: RunPlan, run: Pick<RunResult, 'scenarios' | 'live'>): Promise<Baseline>;
  /** Keeps the run for later ones, where the options say so. Resolves to why it was not kept, or null. */
  keep(run: KeepRunInput): Promise<string | null>;
}

/**
 * Reads the baseline and makes the folder of the history: a problem is reported before anything runs, and the run may write
 * to the same path later. Rejects with `INPUT` or `OUTPUT`.
 */
export async function openOtherRuns(options: ResolvedRunOptions): Promise<OtherRuns> {
  const { baseline, saveBaseline, cwd, seed } = options;
  const before = baseline === null ? null : await readBaselineFile(baseline, cwd);
  const history = options.history === null ? null : openHistory(options.history, { cwd });
  await history?.prepare();
  return {
    before,
    async baselineOf(plan, { scenarios }) {
      const tallies = scenarios.map(({ tally }) => tally);
      const { plugins } = await identifyPlan(plan, options);
      return makeBaseline({ plan, tallies, seed, stopsEarly: options.stopEarly !== null, plugins });
    },
    keep: (run) => keepRun(run, { saveBaseline, history, cwd }),
  };
}
