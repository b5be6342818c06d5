import { realpathSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '../source/project-folder.ts';
import type { Permissions } from '../types/permissions.ts';
import type { PasskConfig } from './define-config.ts';
import type { LoadedConfig } from './load-config.ts';
import { PERMISSION_KINDS } from './permission-options.ts';

/** A key of a configuration file, or one of its table `allow`. */
export type ConfigKey = Exclude<keyof PasskConfig, 'allow'> | `allow.${keyof Permissions}`;

/** What a configuration file wants besides settings of a run: who runs passk has to agree to it. */
export interface ConfigRequest {
  readonly key: ConfigKey;
  /** What would happen, such as `start programs`. */
  readonly wants: string;
  readonly value: unknown;
  /** Where it stands: `passk.toml:3`. */
  readonly from: string;
}

const GRANTS: Readonly<Record<keyof Permissions, string>> = {
  net: 'reach the network',
  run: 'start programs',
  env: 'read variables of the environment',
  read: 'read files',
  write: 'write files',
};

/** Keys that name files which are read or written. */
const READ = ['paths', 'baseline'] as const;
const WRITTEN = ['reporters', 'saveBaseline', 'history', 'journal'] as const;

/** All that a configuration wants besides settings; [] when it can be used as it is. `cwd`: as it was loaded with. */
export function configRequests(config: LoadedConfig, cwd: string = process.cwd()): readonly ConfigRequest[] {
  const { file, values, places } = config;
  const request = (key: ConfigKey, wants: string, value: unknown): ConfigRequest => ({
    key,
    wants,
    value,
    from: places[key] ?? file,
  });
  const { plugins = [], allow = {}, models = {} } = values;
  const grants = PERMISSION_KINDS.filter((kind) => isGrant(allow[kind]));
  const named = Object.values(models).some(({ baseUrl, apiKeyEnv }) => baseUrl ?? apiKeyEnv);
  const home = repositoryFolder(path.dirname(path.resolve(cwd, file)));
  const outside = (wants: string) => (key: (typeof READ)[number] | (typeof WRITTEN)[number]) => {
    const words = [values[key] ?? []].flat();
    return words.some((word) => leavesFolder(path.resolve(cwd, fileIn(key, word)), home))
      ? [request(key, wants, values[key])]
      : [];
  };
  return [
    ...(plugins.length > 0 ? [request('plugins', 'run code', plugins)] : []),
    ...grants.map((kind) => request(`allow.${kind}`, GRANTS[kind], allow[kind])),
    ...(named ? [request('models', 'send keys to servers that it names', models)] : []),
    ...READ.flatMap(outside('read files outside of the repository')),
    ...WRITTEN.flatMap(outside('write files outside of the repository')),
  ];
}

function isGrant(grant: Permissions['net'] | undefined): boolean {
  return grant === true || (Array.isArray(grant) && grant.length > 0);
}

/** The path in a word of the file: that of a reporter follows its name; what a pattern matches lies below its start. */
function fileIn(key: (typeof READ)[number] | (typeof WRITTEN)[number], word: string): string {
  if (key === 'reporters') return /:(.+)$/s.exec(word)?.[1] ?? '';
  if (key !== 'paths') return word;
  // Alternatives of a pattern may lead upwards behind its start.
  return /[{(].*\.\./.test(word) ? '/' : word;
}

/** True: the path leads out of the folder, by `..` or by a link, or into what Git keeps there. */
function leavesFolder(file: string, folder: string): boolean {
  const way = path.relative(realOf(folder), realOf(file));
  return path.isAbsolute(way) || way.split(path.sep).some((part) => part === '..' || part === '.git');
}

/** The path with the links of its part that exists resolved. */
function realOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const above = path.dirname(file);
    return above === file ? file : path.join(realOf(above), path.basename(file));
  }
}
