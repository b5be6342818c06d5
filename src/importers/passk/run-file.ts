import { ImportError, type ImporterType } from '../../plugin/importer-type.ts';
import { listAt } from '../../values/json-fields.ts';
import { countedRun } from './counted-run.ts';

/** Shards of a run: trials are counts there, of each scenario or of each task of recorded runs. */
export const passkShard = runFile('passk-shard', 'Shards of passk: as many trials of each scenario as they count.');

/** Journals of a run, whether it has finished or not. */
export const passkJournal = runFile(
  'passk-journal',
  'Journals of passk: as many trials of each scenario as they count, also of a run that was cut off.',
);

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
    read(_, { shared, counted }) {
      const task = counted === null ? undefined : listAt(shared, 'names')[counted.position];
      if (counted === null || typeof task !== 'string') throw new ImportError('It has no name or no verdict.');
      return countedRun(task, {
        outcome: counted.outcome,
        error: 'It is counted as broken; the report of the run says why.',
        unsaid: {
          usage: 'the file has the tokens of all trials together',
          cost: 'the file has the costs of all trials together',
          messages:
            'the file keeps no record of this trial; the report of the run has those of the lowest failing ones',
        },
      });
    },
  };
}
