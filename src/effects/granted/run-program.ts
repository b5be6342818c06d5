import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { PROGRAM_PATH } from './granted-programs.ts';
import { forgetTree, keepTree } from './living-trees.ts';
import { ProcessTree } from './process-tree.ts';
import { withinTurns } from './within.ts';

/** Bytes of both streams together, unless more are asked for. */
export const MOST_OUTPUT = 1 << 20;
/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** For what still stands in the pipes when all processes are gone. */
const READ_MS = 1000;

export interface ProgramStart {
  /** Absolute, without links. */
  readonly file: string;
  /** The name it is called by. */
  readonly name: string;
  readonly args: readonly string[];
  /** Its own: home and place for temporary files, and current folder unless `cwd` names another. */
  readonly folder: string;
  readonly cwd?: string;
  /** Besides PATH, LANG, HOME and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on its standard input; absent: nothing. */
  readonly input?: string;
  /** Bytes that it may print on both streams together; absent: `MOST_OUTPUT`. */
  readonly mostOutput?: number;
  readonly timeoutMs: number;
  /** Each ends the program when it is aborted. */
  readonly ends: readonly AbortSignal[];
}

export interface ProgramEnd {
  readonly exitCode: number;
  readonly signal: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** What ended it before it ended by itself. */
  readonly cut: Cut | null;
  readonly durationMs: number;
  /** False: something of it will not die. */
  readonly isGone: boolean;
}

type Cut = 'time' | 'output' | 'stop';

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Runs a program without a shell until it and all it started are gone. Rejects when it cannot be started. */
export async function runProgram(start: ProgramStart): Promise<ProgramEnd> {
  const { folder, timeoutMs, ends, mostOutput = MOST_OUTPUT } = start;
  const startedAt = performance.now();
  const child = spawnProgram(start);
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    throw error;
  }
  const tree = keepTree(new ProcessTree(child.pid, folder));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  let cut: Cut | null = null;
  let ending: Promise<boolean> | null = null;
  const end = (why: Cut | null): Promise<boolean> => {
    cut ??= ending === null ? why : null;
    ending ??= tree.end();
    return ending;
  };
  const stop = (): void => void end('stop');
  const timer = setTimeout(() => void end('time'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  for (const signal of ends) signal.addEventListener('abort', stop, { once: true });
  if (ends.some(({ aborted }) => aborted)) stop();
  const outputs = collect(child, mostOutput, () => void end('output'));

  try {
    const [code, signal] = await exitOf(child);
    const durationMs = Math.round(performance.now() - startedAt);
    const isGone = await end(null);
    await withinTurns(READ_MS, closed);
    return {
      exitCode: code ?? -1,
      signal: signal === null ? null : constants.signals[signal],
      stdout: Buffer.concat(outputs.stdout),
      stderr: Buffer.concat(outputs.stderr),
      cut,
      durationMs,
      isGone,
    };
  } finally {
    clearTimeout(timer);
    for (const signal of ends) signal.removeEventListener('abort', stop);
    child.stdout.destroy();
    child.stderr.destroy();
    forgetTree(tree);
  }
}

function spawnProgram({ file, name, args, folder, cwd = folder, env = {}, input }: ProgramStart): Child {
  const options = {
    argv0: name,
    cwd,
    // The folder is what all that comes out of it is known by.
    env: { PATH: PROGRAM_PATH, LANG: 'C.UTF-8', HOME: folder, ...env, TMPDIR: folder },
    // A group and session of its own.
    detached: true,
    shell: false,
    windowsHide: true,
  };
  if (input === undefined) return spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  // One that the system has not started has no pipes.
  if (child.pid === undefined) return child;
  // A program need not read what it is given.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return child;
}

function exitOf(child: Child): Promise<readonly [number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));
}

interface Outputs {
  readonly stdout: Buffer[];
  readonly stderr: Buffer[];
}

function collect(child: Child, most: number, overflow: () => void): Outputs {
  const outputs: Outputs = { stdout: [], stderr: [] };
  let bytes = 0;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) overflow();
      else outputs[stream].push(chunk);
    });
    // A pipe that breaks belongs to a program that ends.
    child[stream].on('error', () => undefined);
  }
  return outputs;
}
