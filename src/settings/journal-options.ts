import path from 'node:path';

/** Where a run writes its results while they come. */
export interface RunJournalOptions {
  /** The folder that holds this run's journal, made when needed; relative to `cwd`. */
  readonly folder: string;
  /** Take what the journal holds and run the rest; without it, the journal of an unfinished run is refused. */
  readonly resume?: boolean;
  /** Is told what was found in the journal, in sentences. */
  readonly onNotice?: (text: string) => void;
}

/** The options with defaults filled in and an absolute folder. */
export function resolveJournal(journal: string | RunJournalOptions, cwd: string): Required<RunJournalOptions> {
  const options: RunJournalOptions = typeof journal === 'string' ? { folder: journal } : journal;
  const { folder, resume = false, onNotice = () => undefined } = options;
  return { folder: path.resolve(cwd, folder), resume, onNotice };
}
