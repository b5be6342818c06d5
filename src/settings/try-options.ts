import type { RunSuiteOptions } from './options.ts';

/** Options of runs that say how tasks are tried, and not which, how often or what follows. */
export type TryOptions = Omit<
  RunSuiteOptions,
  | 'paths'
  | 'scenarios'
  | 'recordings'
  | 'trials'
  | 'seed'
  | 'sampler'
  | 'names'
  | 'tags'
  | 'baseline'
  | 'saveBaseline'
  | 'history'
  | 'stopEarly'
  | 'bail'
  | 'dedupe'
  | 'keepGoing'
  | 'journal'
  | 'queue'
>;
