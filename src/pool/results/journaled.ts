import { PasskError } from '../../errors.ts';
import type { Delta } from '../../types/delta.ts';
import type { LiveRow } from '../../types/live-counts.ts';
import { BailTracker } from '../blocks/bail.ts';
import { type BlockSpan, spansOf } from '../blocks/block-grid.ts';
import { BlockLedger } from '../blocks/block-ledger.ts';
import type { Executor, RunProgress } from '../executor.ts';
import type { Journal } from '../../records/journal.ts';
import { wantedBlocks } from '../blocks/stop-tracker.ts';
import { trialsIn } from '../blocks/trials-in.ts';

/** Live calls of a run with a journal. */
export interface JournaledCalls {
  /** Is told what the journal holds, before anything is run. */
  before(rows: readonly LiveRow[]): void;
  /** What they came to since this was asked last. */
  sinceLast(): readonly LiveRow[];
}

const NO_CALLS: JournaledCalls = { before: () => undefined, sinceLast: () => [] };

/**
 * An executor that yields what the journal holds, runs only what is missing in it, and writes each result down before
 * it counts.
 */
export function journaled(executor: Executor, journal: Journal, live: JournaledCalls = NO_CALLS): Executor {
  return {
    async *run(plan, options = {}) {
      const blocks = options.blocks ?? spansOf(plan);
      const ledger = new BlockLedger(plan);
      const { bail = 0 } = options;
      const tracker = bail > 0 ? new BailTracker(blocks, bail) : null;
      const due = (delta: Delta): readonly Delta[] => (tracker === null ? [delta] : tracker.accept(delta));
      for await (const delta of journal.replay()) if (ledger.accept(delta)) yield* due(delta);
      live.before(journal.liveNotes.flat());
      const missing = (): readonly BlockSpan[] => wantedBlocks(ledger.missing(blocks), options.closings);
      const remaining = tracker?.ended === true ? [] : missing();
      const before = { done: ledger.trials, failed: ledger.failed, total: trialsIn(plan, blocks) };
      if (before.done > 0) journal.notice(resumeText(before.done, trialsIn(plan, remaining)));
      if (remaining.length > 0) {
        const onProgress = ({ done, failed, ...more }: RunProgress): void =>
          options.onProgress?.({
            ...more,
            done: before.done + done,
            failed: before.failed + failed,
            total: before.total,
          });
        for await (const delta of executor.run(plan, { ...options, blocks: remaining, onProgress })) {
          if (!ledger.accept(delta)) continue;
          // The cost is written first, so that no result is in the journal without it.
          await journal.appendLive(live.sinceLast());
          await journal.append(delta);
          yield* due(delta);
        }
      }
      if (tracker?.ended !== true && missing().length > 0) return;
      await closed(journal, live);
    },
    close: () => executor.close(),
  };
}

function resumeText(inJournal: number, remaining: number): string {
  const trials = (count: number): string => `${count} trial${count === 1 ? '' : 's'}`;
  const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');
  return remaining === 0
    ? `The journal has all ${trials(inJournal)}; nothing was run again.`
    : `${trials(inJournal)} ${isOrAre(inJournal)} in the journal; ${remaining} ${isOrAre(remaining)} left to run.`;
}

/** A disk that fails here costs the journal, not the report: all results have arrived. */
async function closed(journal: Journal, live: JournaledCalls): Promise<void> {
  const failures: PasskError[] = [];
  for (const step of [() => journal.appendLive(live.sinceLast()), () => journal.finish(), () => journal.close()]) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof PasskError)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (first !== undefined) journal.notice(`${first.message} The report is complete all the same.`);
}
