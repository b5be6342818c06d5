import { grantedEnv } from '../effects/granted/granted-env.ts';
import { DIRECT, type ModelAccess, type StartedEntry } from '../types/model-suite.ts';
import type { Permissions } from '../types/permissions.ts';
import { messageOf } from '../values/message-of.ts';
import { Permits } from './permits.ts';
import { LogFolder } from './runner-log.ts';
import { runnerNamed, runnerStart, runnerTypes, startProblems } from './runner-start.ts';

export interface StartEntriesOptions {
  /** As `file:` URLs. */
  readonly plugins: readonly string[];
  readonly permissions: Permissions;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder that names of spec files are relative to. */
  readonly root: string;
  /** Absolute folder that what processes print is kept in; null: nowhere. */
  readonly logs: string | null;
}

/** Starts what each of these ways of asking starts, waits until it can be asked, and ends it. No model is asked. */
export async function startEntries(
  accesses: readonly ModelAccess[],
  { plugins, permissions, env, root, logs }: StartEntriesOptions,
): Promise<readonly StartedEntry[]> {
  const accessByKey = new Map(
    accesses.filter(({ runner }) => runner !== DIRECT).map((access) => [JSON.stringify(access), access]),
  );
  const types = await runnerTypes(plugins);
  const granted = grantedEnv(env, permissions.env);
  const folder = new LogFolder(logs);
  const atOnce = new Permits(Math.min(...[...accessByKey.values()].map((access) => access.plugins)));
  const startOne = async (access: ModelAccess): Promise<StartedEntry> => {
    const { plugin, runtime, runner, spec: file } = access;
    const type = runnerNamed(runner, types);
    const log = folder.open(plugin, runtime, granted.scrub);
    await atOnce.enter();
    try {
      const { signal } = new AbortController();
      const start = runnerStart(access, { permissions, granted, root, signal, log: (line) => log.add(line) });
      const one = { plugin, runtime, runner, file };
      const problems = await startProblems(type, start, access);
      if (problems.length > 0) return { ...one, seconds: null, problems };
      const since = performance.now();
      try {
        const open = await type.open(start);
        const seconds = (performance.now() - since) / 1000;
        await open.close();
        return { ...one, seconds, problems: [] };
      } catch (error) {
        return { ...one, seconds: null, problems: [granted.scrub(messageOf(error))] };
      }
    } finally {
      atOnce.leave();
      log.close();
    }
  };
  return Promise.all([...accessByKey.values()].map(startOne));
}
