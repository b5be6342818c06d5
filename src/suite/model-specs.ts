import path from 'node:path';
import { PasskError } from '../errors.ts';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';
import { findSpecs, type FoundSpecs } from '../suites/model/find-specs.ts';
import { lintConform } from '../suites/model/lint-conform.ts';
import type { Issue } from '../types/issue.ts';
import type { ModelSuite } from '../types/model-suite.ts';
import { modelTestName } from '../values/model-test-name.ts';
import { loadFor } from './load-suite.ts';

/**
 * The paths of spec files that words stand for: files and folders, a conform.toml, or plug-ins by name; no word: all plug-ins of
 * the nearest conform.toml. Throws `USAGE` for a word that names nothing and `INPUT` for a conform.toml that cannot be read.
 */
export function modelSpecs(words: readonly string[], options: LoadSuiteOptions = {}): readonly string[] {
  const { paths, issues } = foundBy(words, options);
  const unknown = issues.filter(({ code }) => code === 'unknown_plugin');
  const [first] = unknown;
  if (first !== undefined) {
    throw new PasskError('USAGE', unknown.map(({ message }) => message).join(' '), {
      issues: unknown,
      ...(unknown.length === 1 && first.hint !== undefined && { hint: first.hint }),
    });
  }
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new PasskError('INPUT', 'The conform.toml cannot be used; nothing was run.', { issues: errors });
  return paths;
}

/** What checking spec files without asking any model found. */
export interface LintedModels {
  readonly files: readonly string[];
  readonly suites: readonly ModelSuite[];
  readonly issues: readonly Issue[];
}

/** Checks spec files and their conform.toml: a missing entry or variable is a warning. */
export async function lintModels(words: readonly string[], options: LoadSuiteOptions = {}): Promise<LintedModels> {
  const found = foundBy(words, options);
  const resolved = resolveLoadOptions({ ...options, paths: found.paths, only: 'models' });
  const unknown = found.issues.filter(({ code }) => code === 'unknown_plugin');
  const { suite } = await loadFor(resolved, { isLint: true });
  const chosen = new Set(suite.scenarios.map(({ name }) => name));
  const all = suite.definitions.filter((one) => one.kind === 'model');
  const suites = all.map((one) => withTests(one, chosen));
  const ofConform =
    found.conform === null
      ? []
      : lintConform({
          conform: found.conform,
          runtimes: resolved.runtimes,
          suites: all,
          isWhole: words.every(isSettings),
        });
  const absent = suites.flatMap(({ missingEnv, name, file }) =>
    missingEnv.length === 0 ? [] : [missingVariables(name, file, missingEnv)],
  );
  return { files: suite.files, suites, issues: [...unknown, ...suite.issues, ...ofConform, ...absent] };
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
  const { cwd, conform, runtimes, specsDir } = resolveLoadOptions(options);
  return findSpecs(words, { cwd: path.resolve(cwd), conform, runtimes, specsDir });
}
