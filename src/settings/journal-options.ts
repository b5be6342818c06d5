import path from 'node:path';
import { isRecord } from '../values/is-json.ts';

/** Where a run writes its results while they come. */
export interface RunJournalOptions {
  /** The folder that holds this run's journal, made when needed; relative to `cwd`. */
  readonly folder: string;
  /** Take what the journal holds and run the rest; without it, the journal of an unfinished run is refused. */
  readonly resume?: boolean;
  /** Is told what was found in the journal, in sentences. */
  readonly onNotice?: (text: string) => void;
}

/** True for what names a folder for a journal, also where a program without types says it. */
export function isJournal(value: unknown): boolean {
  if (!isRecord(value)) return isName(value);
  const { folder, resume, onNotice } = value;
  if (resume !== undefined && typeof resume !== 'boolean') return false;
  return isName(folder) && (onNotice === undefined || typeof onNotice === 'function');
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The options with defaults filled in and an absolute folder. */
export function resolveJournal(journal: string | RunJournalOptions, cwd: string): Required<RunJournalOptions> {
  const options: RunJournalOptions = typeof journal === 'string' ? { folder: journal } : journal;
  const { folder, resume = false, onNotice = () => undefined } = options;
  return { folder: path.resolve(cwd, folder), resume, onNotice };
}
