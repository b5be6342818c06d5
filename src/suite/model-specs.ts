import path from 'node:path';
import { PasskError } from '../errors.ts';
import { placeIssues } from '../report/place-report.ts';
import {
  type LoadSuiteOptions,
  type ResolvedLoadOptions,
  resolveLoadOptions,
  type RunSuiteOptions,
} from '../settings/options.ts';
import { loadConform } from '../suites/model/find-conform.ts';
import { findSpecs, type FoundSpecs } from '../suites/model/find-specs.ts';
import { lintConform } from '../suites/model/lint-conform.ts';
import type { Conform } from '../suites/model/read-conform.ts';
import type { Issue } from '../types/issue.ts';
import type { ModelSuite, StartedEntry } from '../types/model-suite.ts';
import { modelTestName } from '../values/model-test-name.ts';
import { nameFromRoot } from '../values/name-from-root.ts';
import { loadFor, withoutRepeats } from './load-suite.ts';

/**
 * The paths of spec files that words stand for: files and folders, a conform.toml, or plug-ins by name; no word: all plug-ins of
 * the nearest conform.toml. Throws `USAGE` for words, runtimes and folders that are not there, and `INPUT` for a conform.toml that
 * cannot be used.
 */
export function modelSpecs(words: readonly string[], options: LoadSuiteOptions = {}): readonly string[] {
  const { paths, issues } = foundBy(words, options);
  const isOfWords = ({ code }: Issue): boolean => NAMED.has(code);
  // A conform.toml that cannot be read knows no plug-in, so what it lacks goes before the words that it does not know.
  const errors = issues.filter((issue) => issue.severity === 'error' && !isOfWords(issue));
  if (errors.length > 0)
    throw new PasskError('INPUT', 'The conform.toml cannot be used; nothing was run.', { issues: errors });
  const unknown = issues.filter(isOfWords);
  const [first] = unknown;
  if (first !== undefined) {
    throw new PasskError('USAGE', unknown.map(({ message }) => message).join(' '), {
      issues: unknown,
      ...(unknown.length === 1 && first.hint !== undefined && { hint: first.hint }),
    });
  }
  return paths;
}

/** Problems of what a command line names. */
const NAMED: ReadonlySet<string> = new Set(['unknown_plugin', 'unknown_runtime', 'no_specs']);

/** What checking spec files without asking any model found. Files are named as seen from the working folder. */
export interface LintedModels {
  /** Files that were read. */
  readonly files: readonly string[];
  /** What is asked of each model. */
  readonly suites: readonly ModelSuite[];
  /** All problems, with their places. */
  readonly issues: readonly Issue[];
  /** One for each spec file and runtime that starts something; absent: nothing was started. */
  readonly entries?: readonly StartedEntry[];
}

/** What `lintModels` takes besides the options of a run. */
export interface LintModelsOptions extends LoadSuiteOptions, Pick<RunSuiteOptions, 'logs'> {
  /** Start each entry, as far as it is granted, wait until it can be asked, and end it; default false. */
  readonly start?: boolean;
}

/** Checks spec files and their conform.toml: a missing entry or variable is a warning. No model is asked. */
export async function lintModels(words: readonly string[], options: LintModelsOptions = {}): Promise<LintedModels> {
  const { start = false, logs = null, ...load } = options;
  const found = foundBy(words, load);
  const resolved = resolveLoadOptions({ ...load, paths: found.paths, only: 'models' });
  const { suite, root, seenRoot } = await loadFor(resolved, { isLint: true });
  const chosen = new Set(suite.scenarios.map(({ name }) => name));
  const all = suite.definitions.filter((one) => one.kind === 'model');
  const suites = all.map((one) => withTests(one, chosen));
  const { cwd, runtimes, specsDir, pluginsDir } = resolved;
  const absolute = (folder: string | null): string | null => (folder === null ? null : path.resolve(cwd, folder));
  const ofConform =
    found.conform === null
      ? []
      : lintConform({
          conform: found.conform,
          runtimes,
          suites: all,
          isWhole: words.every(isSettings),
          plugins: found.plugins,
          specsDir: absolute(specsDir),
          pluginsDir: absolute(pluginsDir),
        });
  const absent = suites.flatMap(({ missingEnv, name, file }) =>
    missingEnv.length === 0 ? [] : [missingVariables(name, file, missingEnv)],
  );
  const ofSpecs = placeIssues([...suite.issues, ...absent], seenRoot);
  const place = (file: string): string => (seenRoot === undefined ? file : nameFromRoot(seenRoot, file));
  const linted = {
    files: suite.files.map(place),
    suites: suites.map((one) => ({ ...one, file: place(one.file) })),
    issues: withoutRepeats([...found.issues, ...ofSpecs, ...ofConform]),
  };
  if (!start) return linted;
  const accesses = suite.scenarios.flatMap(({ subject }) => (subject.kind === 'model' ? [subject.access] : []));
  // Only who starts something loads what starts it.
  const { startEntries } = await import('../host/start-entries.ts');
  const { plugins, permissions, conform } = resolved;
  const entries = await startEntries(accesses, { plugins, permissions, env: process.env, root, logs: absolute(logs) });
  const unstarted = entries.map((one) => notStarted(one, conformOf(path.resolve(root, one.file), { cwd, conform })));
  return {
    ...linted,
    issues: [...linted.issues, ...unstarted.flat()],
    entries: entries.map((one) => ({ ...one, file: place(one.file) })),
  };
}

/** What says how the models of a spec file are asked. */
function conformOf(spec: string, { cwd, conform }: Pick<ResolvedLoadOptions, 'conform' | 'cwd'>): Conform {
  return loadConform(conform === null ? null : path.resolve(cwd, conform), path.dirname(spec), { root: cwd, cwd })
    .conform;
}

function notStarted({ plugin, runtime, runner, problems }: StartedEntry, { locate }: Conform): readonly Issue[] {
  return problems.map((problem): Issue => {
    const message = `The entry of "${plugin}" does not start in ${runtime} by ${runner}: ${problem}`;
    return {
      code: 'entry_start',
      severity: 'error',
      message,
      ...locate(['runtimes', runtime, 'entry-command'], 'key'),
    };
  });
}

/** With the tests that the filters of the run let through; a skipped suite has no scenarios to tell. */
function withTests(suite: ModelSuite, chosen: ReadonlySet<string>): ModelSuite {
  if (suite.missingEnv.length > 0) return suite;
  const models = suite.models.map((model) => ({
    ...model,
    tests: model.tests.filter(({ id }) => chosen.has(modelTestName(suite.name, model.name, id))),
  }));
  return { ...suite, models: models.filter(({ tests }) => tests.length > 0) };
}

function isSettings(word: string): boolean {
  return /(?:conform|pyproject)\.toml$/.test(word);
}

function missingVariables(name: string, file: string, variables: readonly string[]): Issue {
  const message = `"${name}" would be skipped: ${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} not set.`;
  return { code: 'missing_env', severity: 'warning', message, at: { file, line: 1, column: 1 } };
}

function foundBy(words: readonly string[], options: LoadSuiteOptions): FoundSpecs {
  const { cwd, conform, runtimes, specsDir, runnerUrl } = resolveLoadOptions(options);
  return findSpecs(words, { cwd: path.resolve(cwd), conform, runtimes, specsDir, runnerUrl });
}
