import { realpathSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '../source/project-folder.ts';
import { isWebAddress } from '../text/is-web-address.ts';
import type { Permissions } from '../types/permissions.ts';
import { configuredValue } from './configured-value.ts';
import type { PasskConfig } from './define-config.ts';
import type { LoadedConfig } from './load-config.ts';
import type { PathUse, Setting, Table } from './setting.ts';
import { keyOf } from './setting-names.ts';
import { reportTarget } from './report-target.ts';
import { SETTINGS } from './table.ts';

/** A key of a configuration file, one of its table `allow`, or one of its table `release` that names a file. */
export type ConfigKey = Exclude<keyof PasskConfig, 'allow'> | `allow.${keyof Permissions}` | ReleaseFile;

type ReleaseFile = `release.${'rates' | 'billing' | 'log' | 'issueSink'}`;

/** What a configuration file wants besides settings of a run: who runs passk has to agree to it. */
export interface ConfigRequest {
  /** The setting that asks. */
  readonly key: ConfigKey;
  /** What would happen, such as `start programs`. */
  readonly wants: string;
  /** What the file says. */
  readonly value: unknown;
  /** Where it stands: `passk.toml:3`. */
  readonly from: string;
}

/** All that a configuration wants besides settings; [] when it can be used as it is. `cwd`: as it was loaded with. */
export function configRequests(config: LoadedConfig, cwd: string = process.cwd()): readonly ConfigRequest[] {
  const home = repositoryFolder(path.dirname(path.resolve(cwd, config.file)));
  const isOutside = (word: string, use: PathUse): boolean => leavesFolder(path.resolve(cwd, fileIn(word, use)), home);
  const released = releaseFiles(config).filter(({ value }) => isOutside(value, 'read'));
  return requestsIn(config, ({ consent }, value) => (consent?.isNeeded(value as never) ? consent.wants : null)).concat(
    requestsIn(config, ({ paths: use }, value) => {
      if (use === undefined || use === 'modules') return null;
      const words = [value].flat() as readonly string[];
      if (!words.some((word) => isOutside(word, use))) return null;
      return `${use === 'patterns' || use === 'read' ? 'read' : 'write'} files outside of the repository`;
    }),
    released,
  );
}

/** What `[release]` asks for with the files that it names, wherever these lie. */
function releaseFiles({ file, values, places }: LoadedConfig): readonly (ConfigRequest & { readonly value: string })[] {
  const { rates, billing, log, issueSink } = values.release ?? {};
  const request = (key: ReleaseFile, verb: 'read' | 'write', value: string | undefined) =>
    value === undefined
      ? []
      : [{ key, wants: `${verb} files outside of the repository`, value, from: places[key] ?? file }];
  return [
    ...request('release.rates', 'read', rates),
    ...request('release.billing', 'read', billing?.file),
    ...request('release.log', 'write', log),
    ...request('release.issueSink', 'write', issueSink),
  ];
}

function requestsIn(
  { file, values, places }: LoadedConfig,
  wantsOf: (setting: Setting, value: unknown) => string | null,
  table: Table = SETTINGS,
): ConfigRequest[] {
  return Object.entries(table).flatMap(([name, setting]) => {
    const value = configuredValue(values, name, setting);
    const wants = value === undefined ? null : wantsOf(setting, value);
    if (wants === null) return [];
    // A value in a configuration stands under a key of one.
    const key = keyOf(name, setting) as ConfigKey;
    return [{ key, wants, value, from: places[key] ?? file }];
  });
}

/** The path in a word of the file: that of a reporter follows its name; what a pattern matches lies below its start. */
function fileIn(word: string, use: PathUse): string {
  if (use === 'reports') {
    const target = reportTarget(word);
    return isWebAddress(target) ? '' : target;
  }
  if (use !== 'patterns') return word;
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
