import type { Executor } from '../pool/executor.ts';
import { openJournal } from '../pool/journal.ts';
import { journaled } from '../pool/journaled.ts';
import { identifyPlan } from '../pool/plan-digest.ts';
import { stoppingEarly } from '../pool/stop-tracker.ts';
import type { RunPlan } from '../types/plan.ts';
import type { ShardId } from '../types/shard.ts';
import type { ResolvedRunOptions } from './options.ts';
import type { Runner, RunResult } from './runner.ts';
import { isSettledBy, settlersOf } from './stop-early.ts';

export interface RunJournaledOptions {
  /** The part that is run; null: all of it. */
  readonly shard?: ShardId | null;
  /** What stands between the runner and its executor. */
  readonly through?: (executor: Executor) => Executor;
}

/** Runs a plan; with a journal where the options name one, which then holds every result that the run counts. */
export async function runJournaled(
  runner: Runner,
  plan: RunPlan,
  options: ResolvedRunOptions,
  { shard = null, through = (executor) => executor }: RunJournaledOptions = {},
): Promise<RunResult> {
  // A part of a run cannot know where the whole stops: what merges the parts does.
  const ends = options.stopEarly !== null && shard === null;
  const ending = (executor: Executor): Executor =>
    ends ? stoppingEarly(executor, isSettledBy(settlersOf(plan, options))) : executor;
  if (options.journal === null) return runner.run(plan, options, (executor) => ending(through(executor)));
  const identity = await identifyPlan(plan, options);
  const journal = await openJournal({ ...options.journal, head: { identity, shard } });
  try {
    const run = await runner.run(plan, options, (executor) => ending(through(journaled(executor, journal))));
    await journal.close();
    return run;
  } catch (error) {
    // The first problem is the one to report.
    await journal.close().catch(() => undefined);
    throw error;
  }
}
