import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { PASSK } from './run-passk.ts';

export interface AWorkerOptions {
  readonly url: string;
  readonly cwd?: string;
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What stands before the command, such as another command that runs it. */
  readonly prefix?: readonly string[];
}

export interface AWorker {
  readonly child: ChildProcess;
  /** What it has said on stderr so far. */
  said(): string;
  /** Resolves once it has said this. */
  says(text: string): Promise<void>;
  readonly ended: Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** `passk worker` in a process of its own, which ends with the test at the latest. */
export function aWorker({ url, cwd, flags = [], env = {}, prefix = [] }: AWorkerOptions): AWorker {
  const [command = process.execPath, ...args] = [...prefix, process.execPath, PASSK, 'worker', '-j', '0', ...flags];
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PASSK_QUEUE: url, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const waiting = new Map<string, () => void>();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    for (const [wanted, tell] of waiting) if (said.includes(wanted)) tell();
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    said: () => said,
    says: (text) =>
      new Promise((resolve) => {
        if (said.includes(text)) resolve();
        else waiting.set(text, resolve);
      }),
    ended: new Promise((resolve) => child.once('close', (status, signal) => resolve({ status, signal }))),
  };
}
