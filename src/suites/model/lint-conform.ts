import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { didYouMean } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';
import type { ModelSuite } from '../../types/model-suite.ts';
import { foldersIn } from './find-specs.ts';
import type { Conform, Runtime } from './read-conform.ts';

export interface LintedConform {
  readonly conform: Conform;
  /** []: all. */
  readonly runtimes: readonly string[];
  /** Of the spec files that were loaded; without a filter these are all. */
  readonly suites: readonly ModelSuite[];
  /** True: nothing but settings is named, so that all plug-ins are meant. */
  readonly isWhole: boolean;
  /** Else only these are. */
  readonly plugins: readonly string[];
  /** Absolute folders that go before those of the file; null: as it says. */
  readonly specsDir: string | null;
  readonly pluginsDir: string | null;
}

/** What a conform.toml and the folders that it names have too little or too much of. */
export function lintConform(linted: LintedConform): readonly Issue[] {
  const { conform, runtimes, suites, isWhole, plugins } = linted;
  const isChosen = ({ name }: Runtime): boolean => runtimes.length === 0 || runtimes.includes(name);
  const chosen = conform.runtimes.filter(isChosen).map((runtime) => ({
    ...runtime,
    specsDir: linted.specsDir ?? runtime.specsDir,
    pluginsDir: linted.pluginsDir ?? runtime.pluginsDir,
  }));
  const meant = (plugin: string): boolean => isWhole || plugins.includes(plugin);
  const uncovered = chosen.flatMap((runtime) => missingIn(runtime, { conform, meant }));
  // What is named has its sources in these folders; where they are not there, nobody looked for what it lacks.
  const absent = [
    ...absentOfFlags(linted),
    ...(isWhole || plugins.length > 0 ? conform.runtimes.filter(isChosen) : []).flatMap((one) =>
      absentFolders(one, linted),
    ),
  ];
  // Of a part of the files nobody can say what is not used.
  if (!isWhole) return [...absent, ...uncovered];
  return [
    ...chosen.flatMap((runtime) => unsaidSpecs(runtime, conform)),
    ...absent,
    ...uncovered,
    ...unusedIn(conform, suites),
  ];
}

/** Whoever names no folder of specs has plug-ins that cannot be named. */
function unsaidSpecs({ name, specsDir }: Runtime, { locate }: Conform): readonly Issue[] {
  if (specsDir !== null) return [];
  const message = `The runtime "${name}" has no specs-dir, so its plug-ins cannot be named.`;
  return [{ code: 'missing_key', severity: 'warning', message, ...locate(['runtimes', name], 'key') }];
}

/** Folders of the command line that are not there. */
function absentOfFlags({ specsDir, pluginsDir }: LintedConform): readonly Issue[] {
  return Object.entries({ 'specs-dir': specsDir, 'plugins-dir': pluginsDir }).flatMap(
    ([flag, folder]): readonly Issue[] => {
      if (folder === null || existsSync(folder)) return [];
      return [{ code: 'missing_folder', severity: 'warning', message: `--${flag} names a folder that is not there.` }];
    },
  );
}

/** Folders that the file names, and no flag in their place, and that are not there. */
function absentFolders(runtime: Runtime, linted: LintedConform): readonly Issue[] {
  const { locate } = linted.conform;
  const { name, cwd } = runtime;
  const specsDir = linted.specsDir === null ? runtime.specsDir : null;
  const pluginsDir = linted.pluginsDir === null ? runtime.pluginsDir : null;
  return Object.entries({ 'specs-dir': specsDir, 'plugins-dir': pluginsDir, cwd }).flatMap(
    ([key, folder]): readonly Issue[] => {
      if (folder === null || existsSync(folder)) return [];
      const message = `The runtime "${name}" names a folder that is not there in ${key}.`;
      return [{ code: 'missing_folder', severity: 'warning', message, ...locate(['runtimes', name, key]) }];
    },
  );
}

/** Every plug-in that brings models has a spec and an entry. */
function missingIn(
  runtime: Runtime,
  {
    conform: { locate, additionalModelPlugins },
    meant,
  }: { readonly conform: Conform; readonly meant: (plugin: string) => boolean },
): readonly Issue[] {
  const { name, pluginsDir, specsDir, entryFilename, modelMarker } = runtime;
  if (pluginsDir === null || specsDir === null) return [];
  const plugins = foldersIn(pluginsDir).filter(
    (plugin) =>
      meant(plugin) &&
      (additionalModelPlugins.includes(plugin) || hasMarker(path.join(pluginsDir, plugin, 'src'), modelMarker)),
  );
  return plugins.flatMap((plugin) =>
    (
      [
        ['spec', 'model-conformance.yaml', 'specs-dir'],
        ['entry', entryFilename, 'entry-filename'],
      ] as const
    ).flatMap(([what, wanted, key]): readonly Issue[] => {
      if (existsSync(path.join(specsDir, plugin, wanted))) return [];
      const message = `The plug-in "${plugin}" brings models in ${name}, and has no ${what}: ${plugin}/${wanted} is missing.`;
      return [{ code: `missing_${what}`, severity: 'error', message, ...locate(['runtimes', name, key]) }];
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
function unusedIn({ locate, env, plugins, models }: Conform, suites: readonly ModelSuite[]): readonly Issue[] {
  const pluginNames = [...new Set(suites.map(({ plugin }) => plugin))].sort();
  const modelNames = [...new Set(suites.flatMap((suite) => suite.models.map(({ name }) => name)))].sort();
  const unused = (
    table: string,
    names: readonly string[],
    { used, what }: { readonly used: readonly string[]; readonly what: readonly [one: string, many: string] },
  ): readonly Issue[] => {
    const left = names.filter((name) => !used.includes(name));
    const [first] = left;
    if (first === undefined) return [];
    const message = `[conform.${table}] speaks of ${left.join(', ')}, ${left.length === 1 ? what[0] : what[1]}.`;
    const meant = didYouMean(first, used);
    const hint = meant === null ? {} : { hint: `Did you mean "${meant}"?` };
    return [{ code: 'unused_key', severity: 'warning', message, ...hint, ...locate([table, first], 'key') }];
  };
  const ofPlugins = { used: pluginNames, what: ['which has no spec', 'which have no spec'] } as const;
  const ofModels = { used: modelNames, what: ['which no spec tests', 'which no spec tests'] } as const;
  return [
    ...unused('env', Object.keys(env), ofPlugins),
    ...unused('plugin-overrides', Object.keys(plugins), ofPlugins),
    ...unused('model-overrides', Object.keys(models), ofModels),
    ...pluginNames
      .filter((plugin) => env[plugin] === undefined)
      .map((plugin): Issue => {
        const message = `[conform.env] does not say which variables "${plugin}" needs.`;
        const hint = `Write \`${plugin} = []\` if it needs none.`;
        return { code: 'missing_key', severity: 'warning', message, hint, ...locate(['env'], 'key') };
      }),
  ];
}
