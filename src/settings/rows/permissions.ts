import type { PermissionOptions } from '../permission-options.ts';
import { ASKING, type CommandName, LOADING, onModels } from '../commands.ts';
import { EVERYTHING, grants, hostGrants, isGrant } from '../grant-kinds.ts';
import { unchecked } from '../kinds.ts';
import type { Flag, Table } from '../setting.ts';

const PATHS = 'Files and folders, with all below them.';

/** What passk may do on this machine. */
export const PERMISSIONS = {
  /** What passk may do on this machine, such as `{ net: ['127.0.0.1:8080'], run: true }`; absent: nothing. */
  permissions: { kind: unchecked<PermissionOptions>(), option: 'load' },
  allowNet: {
    kind: hostGrants,
    file: 'Hosts: `host`, `host:port` or `*.host`; private addresses only where named.',
    within: ['allow', 'net'],
    consent: { wants: 'reach the network', isNeeded: isGrant },
    flag: grantFlag('hosts', 'let scenarios send HTTP requests to these hosts', {
      'chaos proxy': 'further hosts that may be reached, or without a list any',
      merge: 'let reporters send to these hosts, or without a list any',
      ...onModels('let passk reach these hosts where spec files name them, or without a list any'),
    }),
  },
  allowRun: {
    kind: grants,
    file: 'Programs, by name or path.',
    within: ['allow', 'run'],
    consent: { wants: 'start programs', isNeeded: isGrant },
    flag: grantFlag('programs', 'let scenarios run these programs, which are not sandboxed', {
      'audit set': 'let worlds and checks that are modules or programs take part, or without a list any',
      ...onModels('let plug-ins be started by these programs, which are not sandboxed, or without a list any'),
    }),
  },
  allowEnv: {
    kind: grants,
    file: 'Names of environment variables.',
    within: ['allow', 'env'],
    consent: { wants: 'read variables of the environment', isNeeded: isGrant },
    flag: grantFlag('names', 'let scenarios read these environment variables', {
      merge: 'let reporters that send take headers from these environment variables, or without a list any',
      ...onModels('let plug-ins see these environment variables, or without a list any'),
    }),
  },
  allowRead: {
    kind: grants,
    file: PATHS,
    within: ['allow', 'read'],
    consent: { wants: 'read files', isNeeded: isGrant },
    flag: grantFlag('paths', 'let scenarios read these files and folders'),
  },
  allowWrite: {
    kind: grants,
    file: PATHS,
    within: ['allow', 'write'],
    consent: { wants: 'write files', isNeeded: isGrant },
    flag: grantFlag('paths', 'let scenarios write these files and folders'),
  },
} satisfies Table;

function grantFlag(value: string, help: string, helpOn: Readonly<Partial<Record<CommandName, string>>> = {}): Flag {
  const others = Object.keys(helpOn) as readonly CommandName[];
  return {
    on: [...new Set([...LOADING, 'trace' as const, 'worker' as const, ...ASKING, ...others])],
    value,
    bare: EVERYTHING,
    help: `${help}, or without a list any`,
    helpOn,
  };
}
