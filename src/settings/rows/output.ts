import { isWebAddress } from '../../text/is-web-address.ts';
import type { ProgressEvent } from '../../types/progress.ts';
import { ALL_COMMANDS, CONFIGURED, onModels, REPORTING, RUNNING } from '../commands.ts';
import { isJournal, type RunJournalOptions } from '../journal-options.ts';
import { callback, ofShape, oneOf, text, texts, unchecked, wholeNumber, yesOrNo } from '../kinds.ts';
import { OUTAGE_MS, type QueueOptions } from '../queue-options.ts';
import { reportTarget } from '../report-target.ts';
import type { Table } from '../setting.ts';

const word = text('a text');
const JOURNAL =
  'the name of a folder, or an object with it as `folder`, such as { folder: ".passk/journal", resume: true }';
const abortSignal = ofShape<AbortSignal>(
  'an AbortSignal, such as the `signal` of an AbortController',
  (value) => value instanceof AbortSignal,
);

/** What `--json` prints of commands that make no report. */
const OWN_JSON = {
  import: 'print what was imported and refused as JSON',
  plan: 'print the plan as JSON',
  validate: 'print the problems as JSON',
  'contract validate': 'print contracts and problems as JSON',
  'model list': 'print models and tests as JSON',
  'model lint': 'print the problems as JSON',
  list: 'print the list as JSON',
  generate: 'print files and sets as JSON',
  compare: 'print the comparison as JSON',
  trace: 'print the trial and its trace as JSON; short for --reporter json',
  explain: 'print the tree as JSON',
  plugins: 'print the list as JSON',
  history: 'print the trends as JSON',
  'history show': 'print the run as JSON',
  scrub: 'print what was found as JSON',
  'canary step': 'print where the rollout stands as JSON',
  'canary rehearse': 'print the rehearsal as JSON',
  'canary shadow': 'print what became of each request as JSON',
  'canary status': 'print where the rollout stands as JSON',
  'golden pin': 'print the golden set as JSON',
  'golden run': 'print the comparison as JSON',
  'golden accept': 'print the golden set as JSON',
  price: 'print costs and the tornado plot as JSON',
  'audit table': 'print rows, histograms and twins as JSON',
  'judge calibrate': 'print the calibration, or what is stale, as JSON',
  'judge tunnel': 'print judges and protocols as JSON',
  'audit set': 'print tasks, trivial subjects and duplicates as JSON',
  'release run': 'print the record as JSON',
  'release verify': 'print what was looked at as JSON',
  'release explain': 'print the changes as JSON',
  certify: 'print the certificate, or what was looked at, as JSON',
} as const;

/** What becomes of the results, and what is said meanwhile. */
export const OUTPUT = {
  /**
   * Tell agents, models and HTTP servers which trial asks them, by the headers `traceparent` and `baggage`, so that their own
   * traces can be found: the name of the run, or `auto` for one that nothing else has.
   */
  traceContext: {
    kind: text('the name of a run'),
    file: 'The name of runs, or "auto", by which agents, models and servers are told which trial asks them.',
    option: 'run',
    flag: {
      on: RUNNING,
      value: 'run',
      bare: 'auto',
      help: 'tell agents, models and servers which trial asks them, so that their traces can be found',
    },
  },
  json: {
    kind: yesOrNo,
    flag: {
      on: [...REPORTING, 'merge', ...(Object.keys(OWN_JSON) as readonly (keyof typeof OWN_JSON)[])],
      help: 'print the report as JSON; short for --reporter json',
      helpOn: OWN_JSON,
      ofWholeRun: true,
      isUnlisted: true,
    },
  },
  /** Reports to make: `NAME` or `NAME:path`. */
  reporters: {
    kind: texts,
    file: 'Reports to make: NAME, or NAME:path.',
    paths: 'reports',
    consent: {
      wants: 'send reports to servers that it names',
      isNeeded: (words: readonly string[]) => words.some((word) => isWebAddress(reportTarget(word))),
    },
    flag: {
      on: [...REPORTING, 'merge', 'release run', 'golden run'],
      short: 'r',
      value: 'name[:path]',
      help: 'a report to make, on stdout, in a file or a folder',
      ofWholeRun: true,
    },
  },
  /** Run what loads even when some files do not. */
  keepGoing: {
    kind: yesOrNo,
    file: 'Run the other scenarios when some cannot be loaded.',
    option: 'run',
    default: false,
    flag: {
      on: [...RUNNING, 'plan'],
      help: 'run the other scenarios when some cannot be loaded; the exit code stays 2',
      helpOn: {
        plan: 'plan the other scenarios when some cannot be loaded',
        ...onModels('test the others when some spec files cannot be loaded; the exit code stays 2'),
      },
    },
  },
  shard: {
    kind: word,
    flag: {
      on: REPORTING,
      value: 'i/n',
      help: 'run only this part of the run, to be merged; auto reads the variables of CI systems',
    },
  },
  out: { kind: word, flag: { on: REPORTING, value: 'file', help: 'where to write the part that --shard names' } },
  /** Write results to a journal while they come, so that a run that was cut off can go on; a path is its folder. */
  journal: {
    kind: { ...ofShape<string | RunJournalOptions, string>(JOURNAL, isJournal, word.schema), read: word.read },
    file: 'A folder that results are written to while they come.',
    option: 'run',
    paths: 'written',
    flag: {
      on: REPORTING,
      value: 'dir',
      help: 'write results there while they come (default with --resume: .passk/journal)',
    },
  },
  /** Take what the journal holds and run the rest. */
  resume: {
    kind: yesOrNo,
    file: true,
    flag: { on: REPORTING, help: 'take what the journal holds and run the rest' },
  },
  /** Let workers of a queue run the trials, on any machines; a text is its `redis://` or `rediss://` address. */
  queue: {
    kind: { ...unchecked<string | QueueOptions, string>(), read: word.read },
    option: 'run',
    flag: {
      on: [...REPORTING, 'worker'],
      value: 'url',
      help: 'let passk worker processes run the trials, over this Redis; better as PASSK_QUEUE',
      helpOn: { worker: 'the Redis of the queue, redis:// or rediss://; better as PASSK_QUEUE' },
      isUnlisted: true,
    },
  },
  queueTimeout: {
    kind: wholeNumber(1),
    default: OUTAGE_MS / 1000,
    flag: {
      on: [...REPORTING, 'worker'],
      value: 'seconds',
      help: 'how long Redis may be away before this ends',
    },
  },
  open: {
    kind: oneOf(['ctrl-c', 'run']),
    flag: {
      on: REPORTING,
      value: 'run',
      bare: 'ctrl-c',
      help: 'show the report as a page, from the start of the run until Ctrl-C, or (run) until its end',
      isUnlisted: true,
    },
  },
  watch: {
    kind: yesOrNo,
    flag: {
      on: REPORTING,
      short: 'w',
      help: 'run again what a changed file changes, until q or Ctrl-C',
      isUnlisted: true,
    },
  },
  lastFailed: {
    kind: yesOrNo,
    flag: {
      on: REPORTING,
      help: 'only files that did not pass when they last ran in this folder',
      isUnlisted: true,
    },
  },
  changed: {
    kind: word,
    flag: {
      on: REPORTING,
      value: 'commit',
      bare: 'HEAD',
      help: 'only files that differ from a commit, or read one that does; bare: the last',
      isUnlisted: true,
    },
  },
  /** What `--watch` tells the runs that it starts. */
  watched: { kind: yesOrNo, flag: { on: REPORTING, help: 'tell --watch what failed', isHidden: true } },
  onlyFiles: { kind: texts, flag: { on: REPORTING, value: 'file', help: 'only these files', isHidden: true } },
  quiet: {
    kind: yesOrNo,
    flag: {
      on: [...REPORTING, 'merge', 'worker', 'chaos proxy'],
      short: 'q',
      help: 'only failures, counts and the verdict',
      helpOn: { worker: 'say nothing but what keeps it from working', 'chaos proxy': 'do not name each call' },
    },
  },
  verbose: {
    kind: yesOrNo,
    flag: {
      on: [...REPORTING, 'merge', 'plan', 'trace', 'release run', 'release explain'],
      short: 'v',
      help: 'every scenario, failure and notice',
      helpOn: {
        plan: 'name every scenario',
        trace: 'values and prompts at full length',
        'release run': 'also what rules can tell, and every name',
        'release explain': 'every change',
        ...onModels('every test, failure and notice'),
      },
    },
  },
  config: {
    kind: word,
    flag: {
      on: CONFIGURED,
      value: 'file',
      help: 'the settings file to use, with all that it asks for',
      no: { on: CONFIGURED, help: 'use no settings file' },
      isUnlisted: true,
    },
  },
  trust: {
    kind: yesOrNo,
    flag: {
      on: CONFIGURED,
      help: 'agree to what the settings file asks for: code, grants, files elsewhere',
      isUnlisted: true,
    },
  },
  color: {
    kind: yesOrNo,
    flag: {
      on: [],
      help: '',
      no: { on: ALL_COMMANDS, help: 'never colour the output (NO_COLOR does the same)' },
    },
  },
  /** Is told of the run's progress. */
  onProgress: { kind: callback<(event: ProgressEvent) => void>(), option: 'run', default: () => undefined },
  /** What code of the user writes to its output in workers; absent: dropped. */
  onOutput: { kind: callback<(text: string) => void>(), option: 'run', default: () => undefined },
  /** Ends the run early with a partial report. */
  signal: { kind: abortSignal, option: 'run' },
} satisfies Table;
