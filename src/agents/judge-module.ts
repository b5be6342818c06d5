import process from 'node:process';
import { agentEnv, agentFile } from './agent-program.ts';
import { JUDGE_RUNNER } from './judge-runner.ts';
import { createResidentTransport } from './resident-transport.ts';
import type { TargetOptions, Transport } from './target.ts';
import { unusable } from './unusable.ts';

export interface JudgeModulePlace extends Pick<TargetOptions, 'permissions' | 'env'> {
  /** Absolute. */
  readonly file: string;
  /** Absolute folder that it runs in, beside whose files a name alone grants it. */
  readonly folder: string;
  /** For one question. */
  readonly timeoutMs: number;
}

/** A module that judges, in a process of passk's own Node that stays between questions. Throws `USAGE` where it is not granted. */
export function judgeModule({ file, folder, timeoutMs, permissions, env }: JudgeModulePlace): Transport {
  const start = {
    program: { file: process.execPath, name: 'node' },
    args: ['--input-type=module', '--eval', JUDGE_RUNNER, '--', agentFile(file, folder, permissions)],
    cwd: folder,
    ...agentEnv({ permissions, env, proxy: null }),
  };
  const resetMessage = (): never => {
    throw unusable('A judge is not reset.');
  };
  return createResidentTransport(start, { timeoutMs, resetMessage });
}
