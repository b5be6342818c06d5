import { liveSince, sumLive } from '../intelligence/live/live-counts.ts';
import type { Executor } from '../pool/executor.ts';
import type { Journal } from '../records/journal.ts';
import { identifyPlan } from '../records/plan-digest.ts';
import { stoppingEarly } from '../pool/blocks/stop-tracker.ts';
import type { LiveCounts, LiveRow } from '../types/live-counts.ts';
import type { RunPlan } from '../types/plan.ts';
import type { ShardId } from '../types/shard.ts';
import type { Runner, RunnerOptions, RunResult } from './runner.ts';
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
  options: RunnerOptions,
  { shard = null, through = (executor) => executor }: RunJournaledOptions = {},
): Promise<RunResult> {
  // A shard cannot know where the whole run stops; merging finds out.
  const ends = options.stopEarly !== null && shard === null;
  const ending = (executor: Executor): Executor =>
    ends ? stoppingEarly(executor, isSettledBy(settlersOf(plan, options))) : executor;
  if (options.journal === null) return runner.run(plan, options, (executor) => ending(through(executor)));
  const identity = await identifyPlan(plan, options);
  // A cassette gives the same answers each time.
  const isRepeatable = plan.scenarios.every(({ traits, cassette }) => traits.repeatable || cassette !== undefined);
  const [{ openJournal }, { journaled }] = await Promise.all([
    import('../records/journal.ts'),
    import('../pool/results/journaled.ts'),
  ]);
  const journal = await openJournal({ ...options.journal, head: { identity, shard }, isRepeatable });
  try {
    const noted = new LiveNotes();
    const run = await runner.run(plan, options, (executor, live) =>
      ending(
        through(
          journaled(executor, journal, {
            before: (rows) => live.charge(rows),
            sinceLast: () => noted.next(live.counts()),
          }),
        ),
      ),
    );
    // Calls whose trials did not end are paid for too.
    await journal.appendLive(noted.next(run.live));
    await journal.close();
    return withEarlier(run, journal);
  } catch (error) {
    // The first problem is the one to report.
    await journal.close().catch(() => undefined);
    throw error;
  }
}

/** Returns what has been counted since the last call. */
class LiveNotes {
  private before: readonly LiveRow[] = [];

  next(counts: LiveCounts | null): readonly LiveRow[] {
    const { rows } = counts ?? { rows: [] };
    const fresh = liveSince(rows, this.before);
    this.before = rows;
    return fresh;
  }
}

/** The run with the calls that were made before it was cut off. */
function withEarlier(run: RunResult, { liveNotes }: Journal): RunResult {
  if (run.live === null) return run;
  const earlier = liveNotes.map((rows): LiveCounts => ({ stoppedBy: null, rows }));
  return { ...run, live: sumLive([...earlier, run.live]) };
}
