import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { timeOnce } from './pairs.ts';

/** What a task of `child.ts` came to. */
export interface ChildResult {
  /** Peak resident memory of the whole process. */
  readonly peakMiB: number;
  readonly tookMs: number;
  /** Of trials: false where they were done before any worker was thought of. */
  readonly usedWorkers: boolean;
}

type ChildTask = 'trials' | 'folder' | 'sessions' | 'parse' | 'score' | 'score-workers' | 'parse-json' | 'parse-lines';

/** Runs a task in a process of its own. */
export function runChild(folder: string, task: ChildTask, argument: string): ChildResult {
  const { status, stdout } = spawnSync(process.execPath, [path.join(folder, 'child.js'), task, argument], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the child that ran ${task} ended with ${status}`);
  return JSON.parse(stdout) as ChildResult;
}

/** Milliseconds from the start of a Node process to what it prints first; it must end with success. */
export async function timeToOutput(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env: quietEnv(), stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout.resume(), 'data');
  const took = performance.now() - began;
  const [status] = (await ended) as readonly unknown[];
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return took;
}

/** Milliseconds from the start of a Node process to its end, which must be a success. */
export function timeProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return timeOnce(() => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...quietEnv(), ...env } });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stderr}`);
  });
}

/** Without what makes every Node process slow alike, and ratios of two of them flatter: old ones read certificates first. */
function quietEnv(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return { ...env, NO_COLOR: '1', GITHUB_ACTIONS: '' };
}
