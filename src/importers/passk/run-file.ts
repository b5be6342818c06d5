import { ImportError, type ImporterType, type RunPiece } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { listAt } from '../../values/json-fields.ts';

/** What can become of a trial, in the order in which it is written. */
export const TRIAL_VERDICTS = ['passed', 'failed', 'broken'] as const;
export type TrialVerdict = (typeof TRIAL_VERDICTS)[number];

/** Trials of one file; more are better looked at in its report. */
export const MOST_TRIALS = 10_000_000;

/** Shards of a run: trials are counts there, of each scenario or of each task of recorded runs. */
export const passkShard = runFile('passk-shard', 'Shards of passk: as many trials of each scenario as they count.');

/** Journals of a run, whether it has finished or not. */
export const passkJournal = runFile(
  'passk-journal',
  'Journals of passk: as many trials of each scenario as they count, also of a run that was cut off.',
);

/**
 * Trials that are counts stand nowhere by themselves. The length of the first piece is the verdict, those of the others are the
 * digits of the position that the task has among the names that all runs of the file share.
 */
export function countedTrial(verdict: TrialVerdict, task: number): readonly RunPiece[] {
  const pieces = [pieceOf(TRIAL_VERDICTS.indexOf(verdict))];
  for (let left = task; left > 0; left = Math.floor(left / BASE)) pieces.push(pieceOf(left % BASE));
  return pieces;
}

/** What the runs of a file are read with. */
export function sharedNames(names: readonly string[]): JsonObject {
  return { names };
}

/** A digit is so many bytes of the head, which is longer. */
const BASE = 64;

function pieceOf(length: number): RunPiece {
  return { file: 0, from: 0, to: length };
}

function runFile(type: string, summary: string): ImporterType {
  return {
    kind: 'importer',
    type,
    summary,
    // Told by their first bytes where files are looked for, and indexed there: what is in them is of the rooms above.
    detects: () => false,
    index() {
      throw new ImportError('It is no such file.');
    },
    read([outcome, ...digits], { shared }) {
      const position = digits.reduceRight((sum, digit) => sum * BASE + digit.length, 0);
      const task = listAt(shared, 'names')[position];
      const verdict = TRIAL_VERDICTS[outcome?.length ?? -1];
      if (typeof task !== 'string' || verdict === undefined) throw new ImportError('It has no name or no verdict.');
      return {
        task,
        scores: verdict === 'broken' ? [] : [{ name: 'passk', value: verdict === 'passed' }],
        ...(verdict === 'broken' && { error: 'It is counted as broken; the report of the run says why.' }),
        unsaid: {
          usage: 'the file has the tokens of all trials together',
          cost: 'the file has the costs of all trials together',
          messages:
            'the file keeps no record of this trial; the report of the run has those of the lowest failing ones',
        },
      };
    },
  };
}
