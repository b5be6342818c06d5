import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Issue } from '../../types/issue.ts';
import type { ModelSuite } from '../../types/model-suite.ts';
import { foldersIn } from './find-specs.ts';
import type { Conform, Runtime } from './read-conform.ts';

export interface LintedConform {
  readonly conform: Conform;
  readonly runtimes: readonly string[];
  /** Of the spec files that were loaded; without a filter these are all. */
  readonly suites: readonly ModelSuite[];
  readonly isWhole: boolean;
}

/** What a conform.toml and the folders that it names have too little or too much of. */
export function lintConform({ conform, runtimes, suites, isWhole }: LintedConform): readonly Issue[] {
  const chosen = conform.runtimes.filter(({ name }) => runtimes.length === 0 || runtimes.includes(name));
  const uncovered = chosen.flatMap((runtime) => missingIn(runtime, conform));
  // Of a part of the files nobody can say what is not used.
  return isWhole ? [...uncovered, ...unusedIn(conform, suites)] : uncovered;
}

/** Every plug-in that brings models has a spec and an entry. */
function missingIn(runtime: Runtime, { file, additionalModelPlugins }: Conform): readonly Issue[] {
  const { name, pluginsDir, specsDir, entryFilename, modelMarker } = runtime;
  if (pluginsDir === null || specsDir === null) return [];
  const plugins = foldersIn(pluginsDir).filter(
    (plugin) => additionalModelPlugins.includes(plugin) || hasMarker(path.join(pluginsDir, plugin, 'src'), modelMarker),
  );
  return plugins.flatMap((plugin) =>
    (
      [
        ['spec', 'model-conformance.yaml'],
        ['entry', entryFilename],
      ] as const
    ).flatMap(([what, wanted]): readonly Issue[] => {
      if (existsSync(path.join(specsDir, plugin, wanted))) return [];
      const message = `The plug-in "${plugin}" brings models in ${name}, and has no ${what}: ${plugin}/${wanted} is missing.`;
      return [{ code: `missing_${what}`, severity: 'error', message, ...placeOf(file) }];
    }),
  );
}

/** True: a file below the folder has that name; `*` stands for any letters. */
function hasMarker(folder: string, marker: string): boolean {
  if (!existsSync(folder)) return false;
  const parts = marker.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && pattern.test(entry.name),
  );
}

/** What is said of plug-ins and models that no spec file has. */
function unusedIn({ file, env, plugins, models }: Conform, suites: readonly ModelSuite[]): readonly Issue[] {
  const known = new Set(suites.map(({ plugin }) => plugin));
  const asked = new Set(suites.flatMap((suite) => suite.models.map(({ name }) => name)));
  const unused = (
    table: string,
    names: readonly string[],
    used: ReadonlySet<string>,
    [one, many]: readonly [string, string],
  ): readonly Issue[] => {
    const left = names.filter((name) => !used.has(name));
    if (left.length === 0) return [];
    const message = `[${table}] speaks of ${left.join(', ')}, ${left.length === 1 ? one : many}.`;
    return [{ code: 'unused_key', severity: 'warning', message, ...placeOf(file) }];
  };
  const noSpec = ['which has no spec', 'which have no spec'] as const;
  return [
    ...unused('conform.env', Object.keys(env), known, noSpec),
    ...unused('conform.plugin-overrides', Object.keys(plugins), known, noSpec),
    ...unused('conform.model-overrides', Object.keys(models), asked, ['which no spec tests', 'which no spec tests']),
    ...[...known]
      .filter((plugin) => env[plugin] === undefined)
      .sort()
      .map((plugin): Issue => {
        const message = `[conform.env] does not say which variables "${plugin}" needs.`;
        const hint = `Write \`${plugin} = []\` if it needs none.`;
        return { code: 'missing_key', severity: 'warning', message, hint, ...placeOf(file) };
      }),
  ];
}

function placeOf(file: string | null): Pick<Issue, 'at'> {
  return file === null ? {} : { at: { file, line: 1, column: 1 } };
}
