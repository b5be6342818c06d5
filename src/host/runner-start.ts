import path from 'node:path';
import type { GrantedEnv } from '../effects/granted/granted-env.ts';
import { grantsWord } from '../effects/granted-ports.ts';
import { PasskError } from '../errors.ts';
import { loadPlugins } from '../plugin/load-plugins.ts';
import type { RunnerStart, RunnerType } from '../plugin/runner-type.ts';
import { builtinRunners } from '../runners/builtin.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { DIRECT, type ModelAccess } from '../types/model-suite.ts';
import type { Permissions } from '../types/permissions.ts';
import { checkedRunner } from './checked-runner.ts';

/** Passk's own runners and those of plug-ins, by name. */
export async function runnerTypes(plugins: readonly string[]): Promise<ReadonlyMap<string, RunnerType>> {
  const pluginRunners = (await loadPlugins(plugins)).filter((plugin) => plugin.kind === 'runner').map(checkedRunner);
  return new Map([...builtinRunners, ...pluginRunners].map((runner) => [runner.type, runner]));
}

/** Throws `USAGE` where there is none of that name. */
export function runnerNamed(name: string, types: ReadonlyMap<string, RunnerType>): RunnerType {
  const type = types.get(name);
  if (type !== undefined) return type;
  const hint = hintFor(name, [...types.keys(), DIRECT], 'runners');
  throw new PasskError('USAGE', `There is no runner "${name}".`, { hint });
}

export interface StartServices {
  readonly permissions: Permissions;
  /** What programs get to see. */
  readonly granted: GrantedEnv;
  /** Absolute folder that names of spec files are relative to. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What a runner starts with, on this machine. */
export function runnerStart(
  access: ModelAccess,
  { permissions, granted, root, signal, log }: StartServices,
): RunnerStart {
  const { plugin, runtime, command, url, models, startupTimeoutMs, healthTimeoutMs } = access;
  const absolute = (name: string): string => path.resolve(root, name);
  return {
    plugin,
    runtime,
    command,
    url,
    models,
    startupTimeoutMs,
    healthTimeoutMs,
    entry: access.entry === null ? null : absolute(access.entry),
    executor: access.executor === null ? null : absolute(access.executor),
    spec: absolute(access.spec),
    cwd: absolute(access.cwd),
    env: granted.variables,
    permissions,
    signal,
    scrub: granted.scrub,
    log,
  };
}

/** What is not granted or not there, as sentences; []: nothing. */
export async function startProblems(
  type: RunnerType,
  start: RunnerStart,
  { env, plugin, url }: ModelAccess,
): Promise<readonly string[]> {
  // Variables that a plug-in needs and that it would not see.
  const missed = url === null ? env.filter((name) => !grantsWord(start.permissions.env, name)) : [];
  const ungranted = missed.length === 0 ? [] : [`Plug-in "${plugin}" needs --allow-env=${missed.join(',')}.`];
  return [...ungranted, ...((await type.problems?.(start)) ?? [])];
}
