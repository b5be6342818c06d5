import path from 'node:path';
import { type LoadSuiteOptions, resolveLoadOptions } from '../settings/options.ts';
import { discover } from '../source/discover.ts';
import { CONFIG_FILES } from '../source/project-folder.ts';
import { isModuleFile } from '../source/scan-folder.ts';
import type { Scenario } from '../types/scenario.ts';
import { factsOf } from '../types/subjects.ts';
import { loadFor } from './load-suite.ts';

/**
 * The scenario files, absolute and in order, whose scenarios may come to something else because of files that changed
 * (absolute names): their own file, or one that loading it reads. What modules import is not looked at: any that changed
 * affects all scenarios with code of the user. Rejects as `loadSuite` does.
 */
export async function affectedFiles(
  options: LoadSuiteOptions,
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const resolved = resolveLoadOptions(options);
  const { files } = await discover(resolved.paths, { cwd: resolved.cwd });
  const hasCode = [...changed].some((file) => CODE.test(file));
  const isForAll = [...changed].some((file) => (CONFIG_FILES as readonly string[]).includes(path.basename(file)));
  if (isForAll || (hasCode && resolved.plugins.length > 0)) return files.map((file) => file.path);
  const affected: string[] = [];
  for (const { path: file } of files) {
    if (
      changed.has(file) ||
      (hasCode && isModuleFile(file)) ||
      (await isAffected({ ...options, paths: [file] }, changed, hasCode))
    )
      affected.push(file);
  }
  return affected;
}

function runsOwnCode(scenario: Scenario): boolean {
  const { standsInFiles, modules } = factsOf(scenario.subject);
  return !standsInFiles || modules(scenario).length > 0;
}

const CODE = /\.(?:[cm]?[jt]s|py)$/;

async function isAffected(options: LoadSuiteOptions, changed: ReadonlySet<string>, hasCode: boolean): Promise<boolean> {
  let hasRead = false;
  const onRead = (file: string): void => {
    hasRead ||= changed.has(path.resolve(file));
  };
  const { suite } = await loadFor(resolveLoadOptions(options), { onRead });
  return hasRead || (hasCode && (suite.definitions.length > 0 || suite.scenarios.some(runsOwnCode)));
}
