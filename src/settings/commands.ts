/** A command as it is called: the words after `passk`. */
export type CommandName =
  | 'run'
  | 'ci'
  | 'probe'
  | 'contract run'
  | 'contract score'
  | 'contract validate'
  | 'model check'
  | 'model list'
  | 'model lint'
  | 'score'
  | 'compare'
  | 'export'
  | 'price'
  | 'plan'
  | 'validate'
  | 'list'
  | 'generate'
  | 'trace'
  | 'explain'
  | 'merge'
  | 'worker'
  | 'plugins'
  | 'config'
  | 'history'
  | 'history show'
  | 'history prune'
  | 'chaos proxy'
  | 'audit'
  | 'audit table'
  | 'audit set'
  | 'judge'
  | 'judge tunnel'
  | 'judge serve'
  | 'judge calibrate'
  | 'scrub'
  | 'import'
  | 'canary'
  | 'canary step'
  | 'canary status'
  | 'canary rehearse'
  | 'canary shadow'
  | 'golden'
  | 'golden pin'
  | 'golden run'
  | 'golden accept'
  | 'release run'
  | 'release verify'
  | 'release explain'
  | 'release init'
  | 'certify'
  | 'release keygen'
  | 'release'
  | 'contract'
  | 'model'
  | 'chaos'
  | 'open'
  | 'init'
  | 'schema';

/** Commands that run a suite and report. `passk config` shows what these would use. */
export const REPORTING = ['run', 'ci', 'probe', 'contract run', 'model check', 'score'] as const;

/** Commands that run a suite. */
export const RUNNING = [...REPORTING, 'contract score'] as const;

/** Commands that run a suite and sign what was found out. */
export const JUDGING = ['release run', 'certify'] as const;

/** Commands that try agents on tasks, and compare them with what was before. */
export const TRYING = ['golden pin', 'golden run', 'canary shadow'] as const;

/** Commands that may take all answers from a cassette; not those that sign, because nobody knows who gave these answers. */
export const REPLAYING = [...RUNNING, ...TRYING, 'judge calibrate', 'judge tunnel'] as const;

/** Commands that may ask real models. */
export const ASKING = [...REPLAYING, ...JUDGING] as const;

/** Commands that load a suite. */
export const LOADING = [
  ...RUNNING,
  'plan',
  'validate',
  'contract validate',
  'list',
  'generate',
  'model list',
  'model lint',
] as const;

/** Commands that read recorded runs. */
export const SCORING = ['score', 'compare', 'audit set', 'trace'] as const;

/** The same, where the format of what is read has a flag of its own. */
export const EXPORTING = [...SCORING, 'export', 'price', 'import'] as const;

/** Commands about tests of models. */
export const MODELLING = ['model check', 'model list', 'model lint'] as const;

/** Commands that load scenarios, and not only tests of models or recorded runs. */
export const ON_SCENARIOS = LOADING.filter((one) => one !== 'score' && !MODELLING.some((model) => model === one));

/** A help text of all of these, where a flag means something else there. */
export function onModels(help: string): Readonly<Partial<Record<CommandName, string>>> {
  return Object.fromEntries(MODELLING.map((command) => [command, help]));
}

/** Commands that show the runs that were kept. */
export const HISTORY = ['history', 'history show', 'history prune'] as const;

/** Commands that a configuration file may set something of. */
export const CONFIGURED = [
  ...LOADING,
  'audit set',
  'compare',
  'export',
  'price',
  'import',
  'trace',
  'explain',
  'merge',
  'worker',
  'plugins',
  'config',
  ...HISTORY,
  'chaos proxy',
  ...JUDGING,
  ...TRYING,
  'judge calibrate',
  'judge tunnel',
  'release init',
] as const;

/** Every command, with those that only hold others. */
export const ALL_COMMANDS: readonly CommandName[] = [
  ...CONFIGURED,
  'audit',
  'audit table',
  'scrub',
  'canary',
  'canary step',
  'canary status',
  'canary rehearse',
  'golden',
  'golden accept',
  'judge',
  'judge serve',
  'release',
  'release verify',
  'release explain',
  'release keygen',
  'contract',
  'model',
  'chaos',
  'open',
  'init',
  'schema',
];
