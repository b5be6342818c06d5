import { COMPATS } from '../../types/model-test.ts';
import { MODELLING } from '../commands.ts';
import { type Kind, measure, oneOf, text, texts, UnreadableWord, wholeNumber, yesOrNo } from '../kinds.ts';
import type { Table } from '../setting.ts';

const ON = [...MODELLING, 'trace'] as const;

const names: Kind<readonly string[]> = {
  ...texts,
  read: (word, before) => {
    const words = word.split(',').map((part) => part.trim());
    const entries = words.filter((part) => part !== '');
    if (entries.length === 0) throw new UnreadableWord('Expected a name, or several with commas.');
    return [...(Array.isArray(before) ? (before as readonly string[]) : []), ...entries];
  },
};

const SAMPLES = 'Expected k/n, such as 2/3: at least 1, and no more of them than there are.';

function readSamples(text: unknown): boolean {
  const [, least, of] = /^(\d{1,9})\/(\d{1,9})$/.exec(String(text)) ?? [];
  return Number(least) >= 1 && Number(of) >= Number(least);
}

const sampleCount: Kind<string> = {
  schema: null,
  read: (word) => {
    if (readSamples(word)) return word;
    throw new UnreadableWord(SAMPLES);
  },
  problem: (value) => (readSamples(value) ? null : 'must be k/n, such as 2/3'),
};

/** How the models of spec files are asked; each goes before what conform.toml says. */
export const MODEL_TESTS = {
  /** A conform.toml, or a pyproject.toml with `[tool.conform]`; absent: the nearest above each spec file. */
  conform: {
    kind: text('the name of a file'),
    option: 'load',
    paths: 'read',
    flag: { on: ON, value: 'file', help: 'the conform.toml that says how models are asked', isUnlisted: true },
  },
  /** Runtimes of conform.toml, by name; absent: all. */
  runtimes: {
    kind: names,
    option: 'load',
    default: [],
    flag: { on: ON, value: 'name,…', help: 'runtimes of conform.toml', isUnlisted: true },
  },
  /** The runner that asks; absent: as conform.toml says. */
  runner: {
    kind: text('the name of a runner'),
    option: 'load',
    flag: {
      on: ON,
      value: 'name',
      help: 'how models are asked: auto, native, reflection, reflection-v2, in-process, cli, direct, or a plug-in',
      isUnlisted: true,
    },
  },
  /** A reflection server that runs already: nothing is started. */
  runnerUrl: {
    kind: text('an address'),
    option: 'load',
    flag: { on: ON, name: 'url', value: 'url', help: 'a reflection server that runs already', isUnlisted: true },
  },
  /** The folder with one folder for each plug-in; absent: as conform.toml says. */
  specsDir: {
    kind: text('the name of a folder'),
    option: 'load',
    paths: 'read',
    flag: { on: ON, value: 'dir', help: 'where the folders with spec files are', isUnlisted: true },
  },
  /** The folder with the sources of plug-ins; absent: as conform.toml says. */
  pluginsDir: {
    kind: text('the name of a folder'),
    option: 'load',
    paths: 'read',
    flag: { on: ON, value: 'dir', help: 'where the sources of plug-ins are', isUnlisted: true },
  },
  /** Plug-ins of models asked at a time; absent: as conform.toml says, else 8. */
  pluginConcurrency: {
    kind: wholeNumber(1, 10_000),
    option: 'load',
    flag: { on: ON, name: 'concurrency', value: 'n', help: 'plug-ins asked at a time', isUnlisted: true },
  },
  /** Questions at a time to the models of one plug-in; absent: as conform.toml says, else 3. */
  testConcurrency: {
    kind: wholeNumber(1, 10_000),
    option: 'load',
    flag: { on: ON, short: 't', value: 'n', help: 'questions at a time to one plug-in', isUnlisted: true },
  },
  /** Attempts after the first, for what may pass by itself; absent: as conform.toml says, else 2. */
  maxRetries: {
    kind: wholeNumber(0, 10_000),
    option: 'load',
    flag: { on: ON, value: 'n', help: 'attempts after the first, for errors that may pass', isUnlisted: true },
  },
  /** Seconds: the longest first wait before a retry; absent: as conform.toml says, else 1. */
  retryBaseDelay: {
    kind: measure,
    option: 'load',
    flag: { on: ON, value: 's', help: 'the longest first wait before a retry, in seconds', isUnlisted: true },
  },
  /** Seconds for one answer; absent: as conform.toml says, else 120. */
  actionTimeout: {
    kind: measure,
    option: 'load',
    flag: { on: ON, value: 's', help: 'time limit of one answer, in seconds', isUnlisted: true },
  },
  /** Whose reading of validators holds where Genkit's two tools differ; default: what either would fail fails. */
  compat: {
    kind: oneOf(COMPATS),
    option: 'load',
    default: 'both',
    flag: {
      on: ON,
      value: 'tool',
      help: "whose reading of validators holds where Genkit's tools differ",
      isUnlisted: true,
    },
  },
  /** So many of so many trials of each test must pass, such as `2/3`; absent: all of one. */
  samples: {
    kind: sampleCount,
    option: 'load',
    flag: { on: ON, value: 'k/n', help: 'ask each test n times; k answers must pass', isUnlisted: true },
  },
  /** A file with the names of tests that are known to fail, one a line: new failures fail the run, and so do these once they pass. */
  expectedFailures: {
    kind: text('the name of a file'),
    option: 'load',
    paths: 'read',
    flag: {
      on: ON,
      value: 'file',
      help: 'names of tests that are known to fail: others fail the run, and so do these once they pass',
      isUnlisted: true,
    },
  },
  /** A folder for what the processes of plug-ins print, a file for each; absent: only the last lines are shown with failures. */
  logs: {
    kind: text('the name of a folder'),
    option: 'run',
    paths: 'written',
    flag: {
      on: MODELLING.filter((command) => command !== 'model list'),
      value: 'dir',
      help: 'keep there what plug-ins print, a file for each',
      isUnlisted: true,
    },
  },
  /** A test that passes only after a retry fails; default false. */
  failOnFlaky: {
    kind: yesOrNo,
    option: 'load',
    default: false,
    flag: { on: ON, help: 'a test that passes only after a retry fails', isUnlisted: true },
  },
} satisfies Table;
