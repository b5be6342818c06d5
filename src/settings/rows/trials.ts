import { availableParallelism } from 'node:os';
import { isModuleFile } from '../../source/scan-folder.ts';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../../types/plan.ts';
import { ISOLATIONS } from '../../types/isolation.ts';
import { SAMPLERS } from '../../types/scenario.ts';
import { TRYING, JUDGING, onModels, RUNNING } from '../commands.ts';
import { oneOf, texts, wholeNumber } from '../kinds.ts';
import type { Table } from '../setting.ts';

/** What is still broken then will not heal by itself. */
const MOST_RETRIES = 10;

/** How many trials run, where, and what happens in them. */
export const TRIALS = {
  /** Scenario files, folders or globs; absent: the current folder, unless `scenarios` are given. */
  paths: {
    kind: texts,
    file: 'Scenario files, folders or globs, for command lines that name none. Modules are named themselves, or by a glob that ends like one.',
    option: 'load',
    default: ['.'],
    paths: 'patterns',
    consent: { wants: 'run code', isNeeded: (words: readonly string[]) => words.some(isModuleFile) },
  },
  /** Trials of every scenario, instead of its own number. */
  trials: {
    kind: wholeNumber(1, 2 ** 32),
    file: true,
    option: 'run',
    flag: {
      on: [...RUNNING, 'certify', 'plan', 'golden pin'],
      short: 'k',
      value: 'n',
      help: 'trials of every scenario, instead of its own number',
      helpOn: onModels('how often each test is asked, instead of its own number'),
    },
  },
  /** Worker threads; 0 runs inline what is built in; default: one per core. */
  workers: {
    kind: wholeNumber(0, 1024),
    file: true,
    option: 'run',
    default: availableParallelism(),
    defaultText: 'one per core',
    flag: {
      on: [...RUNNING, ...JUDGING, ...TRYING, 'compare', 'worker'],
      short: 'j',
      value: 'n',
      help: 'worker threads; 0 runs inline',
    },
  },
  /** Trials in flight at once, over all workers, of scenarios that wait for the outside world; default 32. Tests of models have limits of their own. */
  concurrency: {
    kind: wholeNumber(1, MAX_CONCURRENCY),
    file: 'Trials in flight at once, of scenarios that wait for the outside world.',
    option: 'run',
    default: DEFAULT_CONCURRENCY,
    flag: {
      // Of tests of models it means plug-ins.
      on: ['run', 'ci', 'probe', ...JUDGING, ...TRYING, 'contract run', 'contract score', 'worker'],
      value: 'n',
      help: 'trials in flight that wait for the outside world',
    },
  },
  /**
   * How often a trial that waits for the outside world is run again while the harness breaks it; default 0. A trial that
   * passed or failed never is.
   */
  retries: {
    kind: wholeNumber(0, MOST_RETRIES),
    file: 'How often a trial is run again while the harness breaks it.',
    option: 'run',
    default: 0,
    flag: {
      on: RUNNING,
      value: 'n',
      help: 'run a trial again, up to n times, while the harness breaks it; never one that failed',
      isUnlisted: true,
    },
  },
  /** The seed of every random choice; default 0. */
  seed: {
    kind: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    file: true,
    option: 'run',
    default: 0,
    flag: {
      on: [...RUNNING, ...JUDGING, 'golden pin', 'canary shadow', 'compare', 'trace', 'chaos proxy'],
      value: 'n',
      help: 'the seed of every random choice',
    },
  },
  /** How variants are chosen; default `seeded`. */
  sampler: {
    kind: oneOf(SAMPLERS),
    file: true,
    option: 'run',
    default: 'seeded',
    flag: { on: [...RUNNING, 'trace'], value: 'name', help: 'how variants are chosen' },
  },
  /** Time limit of every trial in milliseconds, instead of the scenario's own. */
  timeoutMs: {
    kind: wholeNumber(1, 9e12),
    file: 'Time limit of every trial, in milliseconds.',
    option: 'run',
    flag: {
      on: [...RUNNING, ...JUDGING, ...TRYING, 'trace', 'explain'],
      name: 'timeout',
      value: 'ms',
      help: "time limit of every trial, instead of the scenario's own",
      helpOn: onModels('time limit of every answer, instead of all others'),
    },
  },
  /**
   * What a worker is: a thread (the default), or a process of its own, which costs more to start and keeps native
   * crashes, aborts and memory outside the JavaScript heap to the trial that caused them.
   */
  isolation: {
    kind: oneOf(ISOLATIONS),
    file: 'What a worker is.',
    option: 'run',
    default: 'thread',
    flag: {
      on: [...RUNNING, ...JUDGING, ...TRYING, 'trace', 'worker'],
      value: 'kind',
      help: 'what a worker is, where a scenario does not say; processes also survive native crashes',
      helpOn: onModels('what judges by validators of plug-ins; processes also survive native crashes'),
    },
  },
} satisfies Table;
