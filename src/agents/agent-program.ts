import path from 'node:path';
import {
  findProgram,
  needsRun,
  onProgramPath,
  PROGRAM_PATH,
  refuseModule,
  refuseProgram,
} from '../effects/granted/granted-programs.ts';
import { grantedEnv } from '../effects/granted/granted-env.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Permissions } from '../types/permissions.ts';
import { nodeOptions } from './node-hook.ts';
import { proxyVariables } from './proxy-variables.ts';
import type { TargetOptions } from './target.ts';
import { unusable } from './unusable.ts';

export interface Program {
  /** Absolute, without links. */
  readonly file: string;
  /** The name it is called by. */
  readonly name: string;
}

/** A program that `--allow-run` grants: by name in the system's folders, or by a path from `folder`. */
export function agentProgram(name: string, folder: string, { run }: Permissions): Program {
  const place = name.includes('/') ? path.resolve(folder, name) : onProgramPath(name);
  if (place === null) {
    throw unusable(`There is no program ${visibleText(name)}; name one in ${PROGRAM_PATH} or by its path.`);
  }
  if (refuseProgram(run, place) !== null) throw unusable(needsRun(name.includes('/') ? place : name));
  const found = findProgram(place);
  if (found.kind === 'failed') throw unusable(`The program cannot be started: ${found.text}.`);
  return { file: found.file, name: place };
}

/**
 * The interpreter: a `python` that `--allow-run` names by its path (that of a virtual environment), else the system's
 * `python3`.
 */
export function pythonProgram(folder: string, permissions: Permissions): Program {
  const { run } = permissions;
  const granted = typeof run === 'boolean' ? [] : run;
  const named = granted.find((word) => path.isAbsolute(word) && /^python(?:3(?:\.\d+)?)?$/.test(path.basename(word)));
  return agentProgram(named ?? 'python3', folder, permissions);
}

/** The JavaScript file of an agent, which `--allow-run` grants by its path, be it a name beside the contract alone. */
export function agentFile(file: string, folder: string, { run }: Permissions): string {
  const refused = refuseModule(run, file, folder);
  if (refused !== null) throw unusable(refused);
  return file;
}

/** What an agent sees of passk's environment: granted variables alone, and where its proxy is. */
export function agentEnv({ permissions, env, proxy }: Pick<TargetOptions, 'permissions' | 'env' | 'proxy'>): {
  readonly env: Readonly<Record<string, string>>;
  /** Takes the values of granted variables out of what it says. */
  readonly scrub: (text: string) => string;
} {
  const { variables, scrub } = grantedEnv(env, permissions.env);
  if (proxy === null) return { env: variables, scrub };
  const proxyEnv = { ...proxyVariables(proxy.url), NODE_OPTIONS: nodeOptions(proxy.url, variables['NODE_OPTIONS']) };
  return { env: { ...variables, ...proxyEnv }, scrub };
}
